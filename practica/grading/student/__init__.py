"""What students run: `practica new` makes the folder that they work in, `practica check` looks at
their file.

Each module imports only from those above it:

    anchors              how the headings of the statement are linked to
    statement_page       the statement as one page for browsers
    language             the language and the assignment of a folder
    folder               the folder in which a student works
    repeating            an example called again, with its seeds
    example_file         the examples in a file of their own, ready to run
    cache                what is known of a file from the last time
    elsewhere            what a file cannot count on where it is marked
    cell_order           cells of a notebook that ran in another order than they stand
    check                `practica check`, from its argument to its exit code
    problems             what is not right, a line each, as editors read it
    watch                the same whenever the file is saved
    notebook_cells       the same in the cells of a notebook
"""
