"""A result in, text out: terminal, pages, Moodle.

Each module imports only from those above it:

    messages             the sentences that people read, by id and language
    completeness         what an author of an assignment may have forgotten
    words                everything in a result that a person reads, said in one language
    failure              a failure as a person would show it: the call, and what was obtained
                         beneath what was expected
    questions            what a person has to decide about a class, until it is decided
    logs                 what is logged, as lines that a student's words cannot imitate
    result_table         a table, and a sentence for everything that is not right
    moodle_comment       the comment beside the mark
    pages                a page for each student, and one for the class
"""
