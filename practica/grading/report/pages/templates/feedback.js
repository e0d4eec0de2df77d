"use strict";
// A button for each line to copy. Without scripts, one click on the line selects it all.
for (const code of document.querySelectorAll(".call")) {
  const button = document.createElement("button");
  const { copy, copied } = document.getElementById("main").dataset;
  button.type = "button";
  button.textContent = copy;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = copied;
      setTimeout(() => (button.textContent = copy), 2000);
    } catch {
      getSelection().selectAllChildren(code); // a viewer that keeps the clipboard to itself
    }
  });
  code.closest(".copy").append(button);
}
