// What Sphinx's search lacks: words in Spanish, and excerpts of pages that are opened from the disk.
"use strict";

if (document.documentElement.lang === "es")
  Documentation.addTranslations({
    locale: "es",
    plural_expr: "n === 1 ? 0 : 1",
    messages: {
      "Searching": "Buscando",
      "Preparing search...": "Preparando la búsqueda...",
      "Search Results": "Resultados",
      ", in ": ", en ",
      "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.":
        "Ninguna página tiene todas esas palabras.",
      "Search finished, found one page matching the search query.": [
        "La búsqueda ha encontrado una página.",
        "La búsqueda ha encontrado ${resultCount} páginas.",
      ],
    },
  });

// A browser fetches nothing from the disk: pages.js has the text of every page.
window.fetch = async (url) => {
  const root = document.documentElement.dataset.content_root;
  const page = url.slice(root.length).replace(/\.html$/, "");
  return new Response(PAGES[page]);
};

// An excerpt begins near the word that was typed: its stem, as in "accuraci", may stand nowhere.
document.addEventListener("DOMContentLoaded", () => {
  const typed = new URLSearchParams(window.location.search).get("q") ?? "";
  const summary = Search.makeSearchSummary;
  Search.makeSearchSummary = (html, stems, anchor) =>
    summary(html, [...stems, ...typed.split(/\s+/).filter(Boolean)], anchor);
});
