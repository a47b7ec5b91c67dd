# judge: rejected
# backend: backends/habits.py
# class: none
# rule: eager_fails
# construct: a file that imports what is not there
# why: There is nothing to run.
import a_module_that_nobody_has

import torch


def program():
    return a_module_that_nobody_has


COMPILE_OPTIONS = {"habit": "copies"}
