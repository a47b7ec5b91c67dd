"""Backends. Files of backends import from these modules; a reproducer contains the text of the modules that they
import.

    registry        gives the backend of a name, from the file that implements it
    dynamo          shared by all backends built on torch.compile: counters, stages, refusals
    configurations  configuration switches that backends share
    graph_passes    torch's graph passes, for the backend `passes`
    reasons         what a failed guard means, in a sentence
    report          what compiling a program did: graphs, guards, graph breaks, recompilations
"""
