"""A process in which untrusted code runs, seen from outside; `practica.grading.inside` is what runs
in it.

Each module imports only from those above it:

    escape               a submission that tries to get out, to learn which boxes hold
    syscalls             the system calls that a submission may make, as a filter for the kernel
    cgroup               limits of the kernel over all processes of a submission together
    uids                 user numbers that nothing else uses, for the boxes of root
    mounts               the files that a box can see
    cpu_accounting       the time that a submission has used
    position             the loop of the student's file in which a call ran out of time
    box                  the process of a submission in its box
    warm                 the warm process from which submissions are forked
    answers              the forms of the answers that a process may give
    budget               the time that a file may use
    client               a submission with its functions in a process
    probe                the best box that holds on this machine, and the sandbox in it
    local                a student's own file on their own machine, with time limits and no box
"""
