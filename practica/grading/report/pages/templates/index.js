"use strict";
// Sort and filter the table. Without scripts it is whole, in the order of the result.
const table = document.getElementById("table");
const rows = [...table.tBodies[0].rows];
const form = document.getElementById("filters");
const shown = document.getElementById("shown");
const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

const textOf = (row, column) => row.cells[column].textContent.trim();
const numberOf = (row, column) => Number(row.cells[column].dataset.value || -1); // no mark comes below 0

function sort(header) {
  const column = header.cellIndex;
  const direction = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  const compare =
    "numeric" in header.dataset
      ? (a, b) => numberOf(a, column) - numberOf(b, column)
      : (a, b) => collator.compare(textOf(a, column), textOf(b, column));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
  table.tBodies[0].append(...rows.sort((a, b) => direction * compare(a, b)));
}

function filter() {
  const { text, status, lost } = Object.fromEntries(new FormData(form));
  const wanted = plain(text);
  let count = 0;
  for (const row of rows) {
    const fits =
      plain(textOf(row, 0)).includes(wanted) &&
      (!status || row.dataset.status.split(" ").includes(status)) &&
      (!lost || row.dataset.lost.split(" ").includes(lost));
    row.hidden = !fits;
    count += fits;
  }
  const { shown: sentence, nobody } = shown.dataset;
  shown.textContent = count ? sentence.replace("{shown}", count).replace("{total}", rows.length) : nobody;
}

function plain(text) {
  return text.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase(); // "nunez" finds Núñez
}

for (const header of table.tHead.rows[0].cells) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...header.childNodes);
  button.addEventListener("click", () => sort(header));
  header.append(button);
}
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
filter();
