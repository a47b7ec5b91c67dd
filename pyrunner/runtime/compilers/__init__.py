"""Backends. Files of backends import from here; a reproducer carries the text of what they import.

    registry        from a backend's name to the file that knows it
    dynamo          what all backends built on torch.compile share: counters, stages, refusals
    configurations  configuration switches that backends share
    graph_passes    those of the backend `passes`
"""
