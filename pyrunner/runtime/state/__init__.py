"""The process that runs are made in. Nothing here knows programs or records.

    process    what a run may leave behind, and putting it back
    dispatch   what torch's dispatcher and autograd keep for a thread
    memory     what fresh memory holds
    children   processes that a signal ended though the run went on
"""
