"""Running and marking of an assignment: checks, counterexamples, rules and points.

Nothing here knows a function of the practice; `current` is where the engine gets the assignment.
Each module imports only from those above it:

    current              the assignment that this process marks
    rendering            plain data compared, and written as text
    solution             the code under test as a check sees it, wherever it runs
    drawing              the source of random values from which examples are drawn
    helper_substitution  the same solution with right helpers, to find which function caused a
                         failure
    framework            what a check is, and the list of all checks
    examples             the examples of a check, known and secret ones
    trial                a check on answers that students give: whose fault its errors are
    side_by_side         examples side by side: what they ask first is asked in one exchange
    watched              a solution that remembers its last call
    runner               how a check runs, and the shortest counterexample
    known_mistakes       what a known mistake is, and the lists of them
    generic_mistakes     mistakes that any function can make
    settings             values of a TOML file, or an error with the line
    credit               what a function earns that passes some of its checks
    lateness             what a submission pays for being late
    rubric               what each function is worth, what it must pass, what its source may not do
    source               the text of a file: its functions, the names in them, the helpers that they
                         lead to
    rules                the rules on the text; the file is read, never run
    signatures           the header of a function, where it runs
    loops                the loop limits of each overload, in two traced calls
    result               the canonical result of a class, as values with types and as JSON
    observations         facts about wrong answers, recomputed from the calls
    diagnosis            which known mistakes explain the answers of a function
    adjustments          the decisions of a person, and lateness, put into the points of a result
    stops                files that stop half-way, and packages that are not installed
    grade                the mark of a submission
    stored               canonical results read from a file
"""
