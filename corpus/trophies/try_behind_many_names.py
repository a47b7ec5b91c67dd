# Dynamo: a `try` behind a graph break can't be compiled where its first instruction needs an EXTENDED_ARG.
# link: unreported
# signature: 1bdd63fceb844515 v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=compute_exception_table; frame=has no offset
# avoid: import torch._dynamo.bytecode_transformation as _bytecode; _bytecode.compute_exception_table = (lambda compute: lambda i: (_bytecode.update_offsets(i), compute(i))[1])(_bytecode.compute_exception_table)
# here: 2.13.0, 2.15.0
# state: open
# The last pass of fix_extended_args replaces each EXTENDED_ARG by a new one and adds none, so that offsets are not
# computed again, and those of the new ones are None. More than 255 local variables will do, as in a model made one
# function. On Python 3.11 and 3.12; not on 3.10 and 3.13. Found by a chain of mutations on a model, reduced by hand.
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
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = a11 = a12 = a13 = a14 = a15 = None
    a16 = a17 = a18 = a19 = a20 = a21 = a22 = a23 = a24 = a25 = a26 = a27 = a28 = a29 = a30 = a31 = None
    a32 = a33 = a34 = a35 = a36 = a37 = a38 = a39 = a40 = a41 = a42 = a43 = a44 = a45 = a46 = a47 = None
    a48 = a49 = a50 = a51 = a52 = a53 = a54 = a55 = a56 = a57 = a58 = a59 = a60 = a61 = a62 = a63 = None
    a64 = a65 = a66 = a67 = a68 = a69 = a70 = a71 = a72 = a73 = a74 = a75 = a76 = a77 = a78 = a79 = None
    a80 = a81 = a82 = a83 = a84 = a85 = a86 = a87 = a88 = a89 = a90 = a91 = a92 = a93 = a94 = a95 = None
    a96 = a97 = a98 = a99 = a100 = a101 = a102 = a103 = a104 = a105 = a106 = a107 = a108 = a109 = a110 = a111 = None
    a112 = a113 = a114 = a115 = a116 = a117 = a118 = a119 = a120 = a121 = a122 = a123 = a124 = a125 = a126 = a127 = None
    a128 = a129 = a130 = a131 = a132 = a133 = a134 = a135 = a136 = a137 = a138 = a139 = a140 = a141 = a142 = a143 = None
    a144 = a145 = a146 = a147 = a148 = a149 = a150 = a151 = a152 = a153 = a154 = a155 = a156 = a157 = a158 = a159 = None
    a160 = a161 = a162 = a163 = a164 = a165 = a166 = a167 = a168 = a169 = a170 = a171 = a172 = a173 = a174 = a175 = None
    a176 = a177 = a178 = a179 = a180 = a181 = a182 = a183 = a184 = a185 = a186 = a187 = a188 = a189 = a190 = a191 = None
    a192 = a193 = a194 = a195 = a196 = a197 = a198 = a199 = a200 = a201 = a202 = a203 = a204 = a205 = a206 = a207 = None
    a208 = a209 = a210 = a211 = a212 = a213 = a214 = a215 = a216 = a217 = a218 = a219 = a220 = a221 = a222 = a223 = None
    a224 = a225 = a226 = a227 = a228 = a229 = a230 = a231 = a232 = a233 = a234 = a235 = a236 = a237 = a238 = a239 = None
    a240 = a241 = a242 = a243 = a244 = a245 = a246 = a247 = a248 = a249 = a250 = a251 = a252 = a253 = a254 = a255 = None
    torch._dynamo.graph_break()
    y = x + 1
    try:
        y = y * 2
    finally:
        y = y + 3
    return y


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
