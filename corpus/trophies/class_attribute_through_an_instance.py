# Dynamo: a class attribute that a compiled function writes is read as it was through an instance.
# link: unreported
# signature: 050ad1ae851ad9ee v7 value eager
# pattern: kind=value; backend=eager
# pattern: kind=state_after; backend=eager
# avoid: exec("from torch._dynamo.variables import ConstantVariable, TensorVariable, user_defined\ndef written(tx, kind, name):\n    effects = tx.output.side_effects\n    for base in kind.__mro__:\n        for one in list(effects.store_attr_mutations):\n            if isinstance(one, user_defined.UserDefinedClassVariable) and one.value is base and effects.has_pending_mutation_of_attr(one, name):\n                return effects.load_attr(one, name, deleted_ok=True)\n        if name in vars(base):\n            return None\ndef fresh(plain):\n    def resolve_type_attr(self, tx, name, *rest, **named):\n        value = written(tx, type(self.value), name)\n        value = value.realize() if value is not None else value\n        return value if isinstance(value, (ConstantVariable, TensorVariable)) else plain(self, tx, name, *rest, **named)\n    return resolve_type_attr\nkind = user_defined.UserDefinedObjectVariable\nkind.resolve_type_attr = fresh(kind.resolve_type_attr)", {})
# here: 2.13.0, 2.15.0
# state: open
# So for type(self).count += 1 and a module's class. Behind the call the attribute has the value that was written. What
# is written to the class waits until the end of the graph; a read of the class itself asks for that, one of an instance
# looks into the class. The avoid line looks there first, for numbers and tensors. inherited_class_attribute is the same
# through a class.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


class Counter:
    count = 0


def make_inputs():
    return (torch.ones(2),)


def program(x):
    counter = Counter()
    type(counter).count = 5
    y = x + counter.count
    type(counter).count = 0
    return y


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
