"""Control runs: the same program with one thing about it changed. Nothing here knows how a run is made.

    precision     a higher precision, or another device
    noise         Monte Carlo arithmetic: perturbed roundings
    exactness     which operators round
    normalised    what noise must add for normalisations
    freedom       choices that no documentation specifies, made in another way
    clock         clocks that run otherwise
    control_flow  torch's control flow operators under the dispatch modes of noise and freedom
    values        other values for the same arguments
"""
