"""The files of a class, in and out, and the marking of all its submissions.

Each module imports only from those above it:

    grader_limits        what one submission may take of the grader itself
    moodle_names         the names that Moodle gives to folders and files
    moodle_language      Moodle's own words in each language of its worksheets
    archives             folders and zips as lists of members, with limits; nothing is unpacked
    pick_file            which of several files is the one to grade
    layouts              the names that Canvas, Google Drive, Blackboard, Gradescope, Sakai and
                         GitHub Classroom give
    owners               which student handed in each file of a class's folders and zips
    collect              a class from folders and zips: one entry per student
    csv_text             a table in text with cells that can be changed without touching the rest
    worksheet            Moodle's grading worksheet, as it was read
    matching             the rows of the worksheet that certainly belong to each submission
    late_status          how late each submission is, as the worksheet says
    filling              grade and feedback in the instructor's own file
    exports              the zip of feedback that Moodle takes back, and grades.csv
    upload               what goes back to Moodle, and how to upload it
    regrade              the marks that change between two results, and why
    similarity           pairs of submissions that resemble each other, for a person to look at
    kit_copies           functions that have the shape of one of the students' kit
    journal              each result on the disk as soon as it is there, for --resume
    rubric_trial         how many names each pattern of a rubric forbids, before anything is marked
    marker               the marking of one submission, on any worker
    workers              the marking shared out among processes of this machine or a Dask cluster
    manifest             which files of the folder this program wrote
    overrides            what a person decided, in a table beside the results
    outputs              all files that are made from one result, in one folder
    class_summary        what an instructor sees of a class in the terminal
    review               the questions that a person has to decide, asked one by one
    marking              `practica grade`, from its arguments to its exit code
"""
