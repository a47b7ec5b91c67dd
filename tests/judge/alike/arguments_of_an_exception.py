# judge: agree
# backend: backends/exceptions.py
# class: error_class
# rule: message_text
# construct: an exception with arguments of its own, uncaught
# why: What an exception that leaves the program carries is its message.
import torch


class Refused(ValueError):
    pass


def make_inputs():
    return (torch.ones(2),)


def program(x):
    raise Refused("sizes", x.shape[0])


COMPILE_OPTIONS = {"fault": "reworded"}
