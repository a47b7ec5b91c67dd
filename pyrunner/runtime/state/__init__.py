"""The state of the process in which runs are made. Nothing here imports programs or records.

    process    what a run may leave behind, and how it is restored
    places     what of torch and Python is put back, where a program patches it
    outside    what the kernel keeps for a process
    dispatch   thread-local state of torch's dispatcher and of autograd
    memory     the contents of fresh memory
    children   child processes that a signal ended while the run went on
"""
