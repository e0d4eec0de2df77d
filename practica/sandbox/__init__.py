"""A process in which somebody else's code runs, and plain data to and from it.

Each module imports only from those above it. Inside the box there are

    wire                 plain data as bytes, and back without trust
    orders               what the trusted side orders, as JSON
    imports              the large libraries, without what they import for others
    disabled             forbidden functions, which raise wherever they are reached
    absent               stand-ins for modules that are not installed
    serve                the process of a submission: it loads the file and answers
    processes            what the kernel tells of processes
    isolation            the system calls that take rights away
    child                the warm process, from which each submission is forked
    launch               builds the box, and becomes that process in it
    escape               a submission that tries to get out, to know which boxes hold

and outside

    syscalls             the system calls that a submission may make, as a filter for the kernel
    group                limits of the kernel over all processes of a submission: cgroup v2
    users                numbers of users without an account, for the boxes of root
    plan                 what a box has in it
    clock                what a submission has used of its time
    position             the loop of the student's file in which a call ran out of time
    box                  the process of a submission in its box, from outside
    warm                 the warm process from which submissions are forked, from outside
    answers              the forms of the answers that a process may give
    budget               the time that a file may use
    solution             a submission whose functions run in a process
    probe                the best box that holds on this machine, and the sandbox in it
    local                a student's own file on their own machine, with time limits and no box
"""
