"""Checking and marking what students write: all that students and instructors run.

Nothing here imports `reference`, `evaluation` or `experiments`, nor do they import anything from
here; `cli` joins the two. Each package imports only from those above it:

    inside      everything that runs in the student's process, and nothing else
    engine      runs and marks any assignment; knows none of the 17 functions
    assignment  this practice as content: rubric, checks, known mistakes and their sentences
    sandbox     a process in which untrusted code runs, and plain data to and from it
    report      a result in, text out: terminal, pages, Moodle
    classroom   the files of a class, in and out, and the marking of all submissions
    student     `practica new` and `practica check`
"""
