"""What the zero, or the test, of a step of zero_garbage_here is compared with, by the text of the step.

A step adds `garbage * zero`, or `torch.where(test, garbage, 0)`, or chooses by a test between the value and garbage.
Garbage has constants too (`v3 - (torch.arange(…) …)`, `x - 3.5`), and what it reads says nothing. So the factor that is
zero is told from the other by its form: each form of mutate/material/profiled.cpp, bounds.cpp, zeros.cpp and any_shape.cpp.
"""

import ast
import re
import typing

SIZES = ("dim", "size", "numel")
# Of a distance or a comparison they make a zero or a test.
FUNCTIONS = ("relu", "round", "floor", "maximum", "hardshrink", "softshrink", "logical_not")
METHODS = ("to", "abs", "clamp", "relu", "sum", "amax", "amin", "all", "any", "logical_not")
MODULES = ("torch", "torch.nn.functional")


class Read(typing.NamedTuple):
    name: str  # what is read; "self" for a parameter of a module
    kind: str  # what it is compared with


def read_of(text):
    """The Read of a step; None for a text of no known form."""
    made = added(text)
    if is_call(made, ("where", "masked_fill")):
        return known_read(made.args[0], text)
    if not is_operation(made, ast.Mult):
        return None
    factors = (made.left, made.right)
    sizes = [size for size in map(size_read, factors) if size]
    known = [(factor, one) for factor in factors if (one := known_read(factor, text))]
    if len(known) > 1:  # garbage may be a value minus a number, too, which nothing makes a zero
        known = [(factor, one) for factor, one in known if isinstance(factor, ast.Call)]
    found = sizes or [one for _, one in known]
    return found[0] if len(found) == 1 else None


def added(text):
    """What is added to the value, or stands in its place."""
    statement = ast.parse(text.strip()).body[0]
    value = statement.value
    if isinstance(statement, ast.AugAssign):
        return value
    if isinstance(statement, ast.Expr) and is_call(value, ("add_", "copy_")):
        return value.args[0]
    return value.right if is_operation(value, ast.Add, ast.Sub) and isinstance(value.left, ast.Name) else value


def known_read(node, text):
    """The Read of a zero or a test that compares with a known value; None for others."""
    if isinstance(node, ast.Compare):
        right = node.comparators[0]
        if is_live(node.left) and is_constant(right):
            return Read(root(node.left), bound_kind(right, ast.get_source_segment(text, node), text))
        return known_read(node.left, text)
    if is_operation(node, ast.Sub):
        for live, constant in ((node.left, node.right), (node.right, node.left)):
            if is_live(live) and is_constant(constant):
                return Read(root(live), kind_of(live, constant))
    if is_operation(node, ast.Sub, ast.Add, ast.Mult) and is_number(node.right):
        return known_read(node.left, text)
    if isinstance(node, ast.UnaryOp):
        return known_read(node.operand, text)
    if is_call(node, ("where",)) and all(map(is_number, node.args[1:])):
        return known_read(node.args[0], text)
    if is_call(node, FUNCTIONS) and ast.unparse(node.func.value) in MODULES:
        return known_read(node.args[0], text)
    return known_read(node.func.value, text) if is_call(node, METHODS) else None


def size_read(node):
    """The Read of a zero that is a size minus itself, or an element that is read as a number; None for others."""
    if not is_operation(node, ast.Sub):
        return None
    for live, constant in ((node.left, node.right), (node.right, node.left)):
        if is_number(constant) and is_call(live, ("item",)):
            return Read(root(live.func.value), "number read by item()")
        if is_number(constant) and is_size(live):
            return Read("", "size")
    return None


def is_size(node):
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "len"
    return is_call(node, SIZES)


def is_call(node, names):
    """A call of an attribute of such a name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


def is_operation(node, *kinds):
    return isinstance(node, ast.BinOp) and isinstance(node.op, kinds)


def is_number(node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant)


def is_redrawn(node):
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) == "make_inputs()"


def is_seeded_bound(node):
    """A number, and a distance for each element that is drawn from a seed. (Seeded garbage has no number in front.)"""
    return is_operation(node, ast.Add, ast.Sub) and is_number(node.left) and "torch.arange(" in ast.unparse(node.right)


def is_constant(node):
    """What a value is compared with: a number, a tensor that is written out or drawn again, a seeded bound."""
    written = is_call(node, ("tensor",)) and ast.unparse(node.func.value) == "torch"
    return written or is_number(node) or is_redrawn(node) or is_seeded_bound(node)


def is_live(node):
    return root(node) not in ("", "torch")


def root(node):
    """The name that an expression is an element, a part or a reduction of; "" for others, and for its sizes."""
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        if is_redrawn(node) or is_size(node):
            return ""
        if isinstance(node, ast.Call):
            if not isinstance(node.func, ast.Attribute):
                return ""
            node = node.func
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def kind_of(live, constant):
    """What is subtracted from a live value."""
    text = ast.unparse(live)
    if is_redrawn(constant):
        return "drawn again"
    if is_seeded_bound(constant):
        return "seeded bound"
    if not is_number(constant):
        return "tensor"
    if re.search(r"\.(sum|mean)\(", text) and "flatten()[" not in text:
        return "total"
    return "bound" if "keepdim" in text or "clamp" in text else "number"


def bound_kind(constant, segment, text):
    """A bound of any_shape.cpp stands in no brackets of its own: it is far off, and right at every visit."""
    if is_seeded_bound(constant):
        return "seeded bound"
    return "bound" if re.search(r"(?<!\w)\(" + re.escape(segment) + r"\)", text) else "far bound"
