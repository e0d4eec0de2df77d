"""What a submission earns: the rubric, the rules that its source keeps, what running shows, and the result.

Each module imports only from those above it:

    rubric               what each function is worth, what it must pass, what its source may not do
    source               the file as text: its functions, what they mention, the helpers they lead to
    rules                the rules on the source; the file is read, never run
    signatures           the header of a function, where it runs
    observation          the loops and forbidden objects that only running tells
    dependence           who needs what is forbidden: found where that fails
    result               the mark of a submission, and the canonical result
    stored               canonical results that come from a file
"""
