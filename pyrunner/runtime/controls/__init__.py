"""Control runs: the same program with one thing about it changed. Nothing here knows how a run is made.

    precision     a higher precision, or another device
    drawing       random numbers in a higher precision
    noise         Monte Carlo arithmetic: perturbed roundings
    exactness     which operators round, which compute signs, and what they write
    unrounded     what they give without rounding, where that is known
    once_rounded  the part of it for operators that are rounded once
    whole         the part of it for sums at indices, means and products of whole numbers
    draws         what noise draws
    normalised    what it must add for normalisations and softmax
    cancelling    what it must add for sums whose terms cancel
    overflow      what it must add for sums that overflow on their way
    inner         what it must add for operators that add up inside
    optimizers    and what it must do to the steps that optimizers count
    coinciding    which numbers may be equal though they are some units apart
    freedom       choices that no documentation specifies, made in another way
    equal_elements the part of it about which of equal elements an index names, and runs with this choice alone
    numbers       the part of it that is chosen number by number: signs of zeros and NaN, conversions out of range
    memory_order  the part of it about memory: what it contains at first, in which order it is filled at random
    overlapping   the part of it for writes through tensors in which several elements share memory
    addresses     objects and threads at other addresses
    clock         clocks that run otherwise
    strides       other strides of dimensions of one element
    results       what an operator made or wrote, for the modes that change it
    mode          the dispatch mode that noise and freedom are
    control_flow  torch's control flow operators under it
    values        other values for the same arguments
"""
