"""Everything that a run shows, as plain records: core/observation.h and core/facts.h. Nothing here imports runs or
compilers.

    observer   the tensors and values of one run, and their identities
    walk       the tree of a value
    contents   what containers and objects hold
    kinds      what objects of certain well-known types consist of
    held       what a program holds between its calls
    effects    what backward and later calls change
    elements   the bytes of a tensor's elements
    arrays     numpy's arrays and scalars
    modes      global state that a call may leave behind
    leaves     which tensors accumulate gradients
    backward   backward with fixed cotangents, and the gradients of the leaves
    facts      what profiles need to know of values that are no tensors
"""
