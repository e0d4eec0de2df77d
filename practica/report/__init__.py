"""A result in, text out: terminal, pages, Moodle, JUnit, Gradescope."""
