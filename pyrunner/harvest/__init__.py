"""Programs from calls that others make of torch: its operator database, or any Python command.

A call is kept as an instance: plain data, made of JSON values only. `tree` makes it of live values, `text` writes it as a
program file, `check` runs that file, `opinfo` and `record` find the calls, `record` in what `command` runs, `manifest`
keeps what was found beside the files. Nothing here needs more than torch and the standard library (the operator database
itself needs numpy).

An instance:

    storages  [{"dtype", "values": [...]}] in the order of memory, or {"dtype", "length", "low", "high"} of large ones
    tensors   [{"storage", "shape", "strides", "offset", "requires_grad", "leaf", "conj"}], the arguments in order
    module    None, or what the program's module is made by (a tree), with the state that it must have
    setup     storages and tensors that the module is made with
    calls     [{"form", "name", "args": [tree], "kwargs": {name: tree}}], in order
    result    the tree of what the program returns

A tree is a value: None, bool, int, str and finite floats are themselves, everything else is an object with "is". A
tensor is {"is": "tensor", "at": i}, what an earlier call gave {"is": "result", "call": k, "path": [...]}.
"""


class CannotWrite(Exception):
    """A value or call that no program text can hold; its text is the reason, in a few words."""
