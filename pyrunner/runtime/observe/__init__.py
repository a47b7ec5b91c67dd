"""What a run shows, as plain records: core/observation.h and core/facts.h. Nothing here knows runs or compilers.

    observer   one run's tensors and values; who is who
    walk       the tree of a value
    elements   the bytes of a tensor's elements
    arrays     numpy's arrays and scalars
    modes      the state a call is seen to leave behind
    leaves     which tensors collect gradients; backward with fixed cotangents
    facts      what profiles ask of values that are no tensors
"""
