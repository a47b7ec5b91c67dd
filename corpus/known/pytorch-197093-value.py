# Dynamo: an f-string formats a dynamic size or float as a text: its width and precision mean something else.
# link: https://github.com/pytorch/pytorch/issues/197093
# signature: 06a78173e1503dc3 v7 value eager
# pattern: kind=value; backend=eager; frame=text
# avoid: exec("import torch._dynamo.symbolic_convert as convert, torch._dynamo.variables.lazy as lazy\nfrom torch._dynamo.variables import ConstantVariable\nkind, translator = lazy.LazySymNodeFormatString, convert.InstructionTranslatorBase\ndef noted(plain):\n    def _format_value(self, spec, flags):\n        kind.conversion = ('', '!s', '!r', '!a')[flags & 3]\n        return plain(self, spec, flags)\n    return _format_value\ndef made(plain):\n    def __init__(self, number, spec):\n        plain(self, number, spec)\n        self.fmt_var = ConstantVariable.create('{' + kind.conversion + ':' + spec.as_python_constant() + '}')\n    return __init__\ntranslator._format_value = noted(translator._format_value)\nkind.__init__ = made(kind.__init__)\nkind.__repr__ = lambda self: self.fmt_var.as_python_constant().format(self.sym_node_var.evaluate_expr())", {})
# here: 2.13.0, 2.15.0
# state: open
# A number is set to the right, a text to the left, and f"{n:.3}" of a text is its first three characters. The format is
# given the number's text, as in 197093, where it fits no text. The avoid line gives it the number, or its text for
# f"{n!s:4}" and f"{n!r:4}". So for a float. Numbers are dynamic from the second call on, or behind a graph break.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return [(torch.ones(2),), (torch.ones(3),)]


def program(x):
    return x + 1, f"{x.shape[0]:4}"


def results(function):
    """The texts that it gives for the inputs, one after the other."""
    return [function(*arguments)[1] for arguments in make_inputs()]


if __name__ == "__main__":
    try:
        expected = results(program)
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
