# Dynamo: the value that a generator returns is lost: `yield from` evaluates to None.
# link: https://github.com/pytorch/pytorch/issues/149037
# signature: 5e2d161ca52feff5 v7 structure eager
# pattern: kind=raises; frame=cannot unpack non-iterable NoneType object; call=next
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# avoid: exec("import dis, torch._dynamo.exc as exc, torch._dynamo.symbolic_convert as convert\nfrom torch._dynamo.variables.base import VariableTracker\ndef watching(send):\n    def SEND(self, inst):\n        receiver, returned = self.stack[-2], []\n        advance = getattr(receiver, 'next_variable', None)\n        if advance is None or 'next_variable' in vars(receiver):\n            return send(self, inst)\n        def next_variable(tx):\n            try:\n                return advance(tx)\n            except exc.ObservedUserStopIteration as end:\n                told = getattr(tx.exn_vt_stack.get_current_exception(), 'args', None)\n                returned.extend([end.value] if isinstance(end.value, VariableTracker) else list(told or [])[:1])\n                raise\n        receiver.next_variable = next_variable\n        try:\n            send(self, inst)\n        finally:\n            receiver.__dict__.pop('next_variable', None)\n        if returned and isinstance(returned[0], VariableTracker):\n            self.stack[-1] = returned[0]\n    return SEND\nkind = convert.InliningGeneratorInstructionTranslator\nif 'SEND' in dis.opmap:\n    kind.SEND = watching(kind.SEND)\n    kind.dispatch_table = [*kind.dispatch_table]\n    kind.dispatch_table[dis.opmap['SEND']] = kind.SEND", {})
# A tensor is lost, a number isn't. Changed in pull request 185769.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    def inner():
        yield 0
        return x + 1

    def outer():
        result = yield from inner()
        yield result

    return list(outer())[1]


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if shown is not None else 1)
