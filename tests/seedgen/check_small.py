"""Whether the generator is complete, for small bounds: what it draws of an operator is exactly what eager accepts.

Of each family (a file of seedgen/operators/) two operators are looked at, or the only one. The tables in small/ list
calls over tensors of sizes at most 2 and rank at most 2 (or 1, or the least rank that the operators take), of every
dtype and with every attribute; eager decides which of them are valid. That set must equal the set of calls that
tests/seedgen/tools/small_dump.cpp draws. Where there are too many calls to draw each, projections are compared: pairs
of dtypes, pairs of shapes, and so on.

Left out on both sides: int16, which is one integer more, and, because the generator does so on purpose, results
that torch makes complex32, dtypes that are not in an operator's table (complex numbers mostly, bools and small integers
of some products and losses), numbers in the place of tensors, and what only the values of tensors decide: indices are 0
and matrices regular. What else a family leaves out stands with it: mostly tensors without elements (`least`), and
operands of different dtypes.

The rarest call of a family may be one in a million draws: while one is missing, more are drawn.

    check_small.py PATH/small_dump [FAMILY…]
"""

import pathlib
import sys
import warnings

import torch

from small import creation, elementwise, functions, indices, losses, products, reductions, views, windows
from small.engine import complete

MODULES = (elementwise, views, reductions, products, indices, windows, losses, creation, functions)
FAMILIES = {name: family for module in MODULES for name, family in module.FAMILIES.items()}
OPERATORS = pathlib.Path(__file__).parents[2] / "seedgen" / "operators"


def unknown():
    """Families without a table."""
    return sorted({file.stem for file in OPERATORS.glob("*.cpp")} - FAMILIES.keys())


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    dump, *names = sys.argv[1:]
    wrong = [name for name in names or FAMILIES if not complete(dump, name, FAMILIES[name])] + unknown()
    if wrong:
        print(f"not complete: {', '.join(wrong)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
