"""What the compiler does again with the same result, or only for its log. Warm processes leave it out; a child in which a
finding is confirmed puts it back, and a new interpreter has it."""

import os
import sys

_GUARDS = "torch._dynamo.guards"
_TRANSLATOR = "torch._dynamo.symbolic_convert"
_replaced = []  # (object, name, what it was)


def _replace(owner, name, value):
    _replaced.append((owner, name, getattr(owner, name)))
    setattr(owner, name, value)


def put_back():
    """The compiler does all of it again."""
    while _replaced:
        owner, name, was = _replaced.pop()
        setattr(owner, name, was)


def without_guard_times(_):
    """For each graph that it compiles Dynamo empties the processor's caches and times the guards, for its log and a metric
    of its own: 22 of 120 to 145 ms for a graph of seven operators through aot_eager."""
    return lambda: _replace(sys.modules[_GUARDS], "profile_guard_manager", lambda *_: 0.0)


def with_one_dtype_table(handler, rules, pointwise):
    """Whenever Inductor asks for its one object that says which dtypes operators give, it fills the object's table anew
    from all rules. From here on it does so only when the object or a rule is another one."""
    fill = handler.__init__
    filled = []

    def fill_once(self):
        if filled != (now := [id(self), dict(rules), dict(pointwise)]):
            fill(self)
            filled[:] = now

    return lambda: _replace(handler, "__init__", fill_once)


def without_names_for_log(find, torch):
    """For each call that Dynamo traces it looks up in which function the line stands, for a log that is mostly off, and
    tokenizes each source file for that: 20 ms a program, and 300 in a child that traces into a large file of torch's. Of
    torch's own files nothing is looked up; of others it is, because a file that can't be read so is an error."""
    own = os.path.dirname(torch.__file__) + os.sep

    def find_of_others(file, line):
        return None if file.startswith(own) else find(file, line)

    return lambda: _replace(sys.modules[_TRANSLATOR], "get_funcname", find_of_others)


def with_one_random_state(tracker, config, _):
    """AOTAutograd makes six tensors for the random state of a graph before and after it traces it, while its dispatch modes
    are on, 5 ms a graph. Only with functionalize_rng_ops does it read them."""
    reset = tracker.reset.__func__

    def reset_if_read(this):
        if config.functionalize_rng_ops or not hasattr(this, "running_state"):
            reset(this)

    return lambda: _replace(tracker, "reset", classmethod(reset_if_read))
