# Dynamo: an f-string with a format of a dynamic size or float fails while compiling.
# link: https://github.com/pytorch/pytorch/issues/197093
# signature: d512b88083b71431 v7 compiler_error eager
# signature: 6300cb2aaba5f220 v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=Unknown format code
# avoid: exec("import torch._dynamo.symbolic_convert as convert, torch._dynamo.variables.lazy as lazy\nfrom torch._dynamo.variables import ConstantVariable\nkind, translator = lazy.LazySymNodeFormatString, convert.InstructionTranslatorBase\ndef noted(plain):\n    def _format_value(self, spec, flags):\n        kind.conversion = ('', '!s', '!r', '!a')[flags & 3]\n        return plain(self, spec, flags)\n    return _format_value\ndef made(plain):\n    def __init__(self, number, spec):\n        plain(self, number, spec)\n        self.fmt_var = ConstantVariable.create('{' + kind.conversion + ':' + spec.as_python_constant() + '}')\n    return __init__\ntranslator._format_value = noted(translator._format_value)\nkind.__init__ = made(kind.__init__)\nkind.__repr__ = lambda self: self.fmt_var.as_python_constant().format(self.sym_node_var.evaluate_expr())", {})
# here: 2.13.0, 2.15.0
# state: open
# The format is given the number's text: "Unknown format code 'd' for object of type 'str'". Sizes are dynamic from the second
# call on, or at once with dynamic=True. The avoid line gives it the number, or its text
# for f"{n!s:4}". Where a format fits a text, the result is a wrong text: pytorch-197093-value.
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
    return x.sum() + len(f"{x.shape[0]:d}")


def results(function):
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    expected = results(program)
    try:
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "Unknown format code" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 2)
