"""The files of a class, in and out: what Moodle gives, what it takes back, and other programs' formats.

Nothing here marks anything: a submission comes in as a path, and a mark as the dictionary of the canonical result. Each
module imports only from those above it:

    incidents            what a person should know about a class, as data with a sentence in each language
    moodle               the names that Moodle gives to folders and files
    archives             folders and zips as lists of members, with limits; nothing is unpacked
    notebook             the code of a notebook as one file, with the cell of each line
    choice               which of several files is the one to grade
    collect              a class from folders and zips: one entry per student
    cells                a table in text, whose cells can be changed without touching the rest
    worksheet            Moodle's grading worksheet: grade and feedback filled in the instructor's own file
    feedback             what a student reads in Moodle, from a canonical result
    exports              the zip of feedback that Moodle takes back, and grades.csv
    junit                a result in the form that every CI shows
    gradescope           a submission in the form of Gradescope's autograders
    regrade              whose mark changes between two results, and why
    similarity           pairs of submissions that resemble each other, for a person to look at
"""
