"""The part of jitprobe that runs inside a worker: one program file in, one outcome out.

The package is loaded by path as `jitprobe_runtime`; its folder is never on `sys.path`. It exchanges plain dicts whose
keys are the members of the structs in core/ (codec/codec.h says how), so that the driver reads them without Python.

The modules in this folder make a run and may import all others:

    serve      the four functions that the worker's C++ calls
    execute    one run of a program file, as the project's documentation of program files says
    profile    a run with facts before and after each statement, read by the worker's C++ (worker/points.h)
    explain    a run that reports what compiling the program did; its results are not judged
    load       the file as a module; its inputs
    failures   exceptions and tracebacks as records
    devices    devices that a run can request: what they need first, and how they fail
    warm       work that the zygote does once
    printed    what a program prints
    text       values of a program as text

Each folder may import `compat` and `text`, and no other folder (scripts/check_python.py):

    compat     every private name of torch and Python that is used, and what is lost without it
    observe    values, tensors, gradients and modes as plain records; reading a value never changes it
    state      state that a run may leave behind in its process, and how it is restored
    controls   runs that change one thing about a program: precision, device, roundings, free choices, values
    compilers  backends, what those built on torch.compile share, and their configuration switches
"""
