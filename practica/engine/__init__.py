"""What a submission earns: the rubric, the rules that its source keeps, what running shows, and the result.

Each module imports only from those above it:

    settings             values of a TOML file, or an error with the line
    rubric               what each function is worth, what it must pass, what its source may not do
    source               the text of a file: its functions, what they mention, the helpers they lead to
    rules                the rules on the text; the file is read, never run
    signatures           the header of a function, where it runs
    loops                the limits of each overload, in two traced calls
    groups               the rows that one process can mark
    result               the canonical result of a class, as values with types and as JSON
    stops                files that stop half-way, and packages that are not installed
    grade                the mark of a submission
    stored               canonical results that come from a file
"""
