"""What runs inside a worker: one program file in, one outcome out.

The package is loaded by path as `jitprobe_runtime`; its folder is never on `sys.path`. It speaks plain dicts whose keys
are the members of the structs in core/ (codec/codec.h says how), so that the driver reads them without Python.

    serve      the three calls that the worker's C++ makes
    execute    one run of a program file, as the project's documentation of program files says
    load       the file as a module; its inputs
    observe    tensors as plain records, and who is who
    walk       the tree of a value; arrays for numpy's
    leaves     which tensors collect gradients; backward with fixed cotangents
    failures   exceptions and tracebacks as records
    backends   from a backend's name to the file that knows it
    dynamo     what all backends built on torch.compile share: counters, stages, refusals
    state      what a run may leave behind, and putting it back
    modes      the state a call is seen to leave behind
    precision  the same run in a higher precision or on another device
    noise      Monte Carlo arithmetic; exactness says which operators round
    freedom    what nobody has promised, decided otherwise
    values     other values for the same arguments
    devices    devices that a run can ask for
    children   processes that a signal ended though the run went on
    ways       switches that backends share; graph_passes those of the backend `passes`
    profile    facts before and after each statement, read by the worker's C++ (worker/points.h)
    facts      what that asks of values that are no tensors
"""
