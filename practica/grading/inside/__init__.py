"""Everything that runs in the process of a student's file, and nothing else.

No verdict may depend on this code.

The folder is copied into each box: a student's file can read and change all of it. Requests come in
as names and plain data, and answers leave as plain data. Each module imports only from those above
it:

    frames               tables of pandas as plain data
    plain_data           the values that may pass between the two processes
    wire                 plain data as bytes, and back without trust
    orders               plans of the trusted side, which travel into the box as JSON
    loading              a student's file as text, and as steps that run one after the other
    kept                 what a call changes in the file's variables
    preload              the large libraries, imported without the packages that they import for
                         others
    lines                how often each line of the file runs during a call
    checked_tree         a file's syntax tree with a check around the values that may be called
    guarded_values       names of Python's own modules that raise for the file only
    disable_names        forbidden functions, which raise wherever they are reached
    doors                what a file does that its text does not show, by an audit hook
    stand_ins            substitutes for modules that are not installed
    networks             networks of torch: run, described, copied and changed
    forms                right values in the form of what a function returns
    seeding              seeds of every generator that the file may draw from
    redirection          calls of a function led to another one
    agent                calls the student's functions, with doubles and recorded calls, and answers
                         in plain data
    serve                the process of one submission: loads the file and serves requests
    processes            the state of processes in /proc
    isolation            system calls that drop privileges
    child                the warm process from which each submission is forked
    launch               builds the box and becomes the warm process in it
"""
