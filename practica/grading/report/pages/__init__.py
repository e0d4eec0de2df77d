"""The result as pages: one for each student, with what to do next, and one for the class,
exceptions first.

Both are made of the canonical result and nothing else, and each is one file: no network, no other
file, readable without JavaScript, in light and dark, on a phone and on paper. What students wrote
is shown as text, regardless of what it is.
"""

from practica.grading.report.pages.feedback import feedback_page
from practica.grading.report.pages.index import index_page
from practica.grading.report.pages.page_files import page_paths, write_pages

__all__ = ["feedback_page", "index_page", "page_paths", "write_pages"]
