# judge: agree
# backend: backends/exceptions.py
# class: error_class
# rule: message_text
# construct: view with a wrong size, uncaught
# why: The texts of exceptions that leave the program are free.
import torch


def make_inputs():
    return (torch.ones(6),)


def program(x):
    return x.view(4)


COMPILE_OPTIONS = {"fault": "other_texts"}
