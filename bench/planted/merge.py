"""Plants triggers in a program: one program file that holds the statements of all, and follows the contract.

A trigger (triggers/*.py) is a program file of its own. Its module's statements go before `def program`, its arguments
and outputs behind those of the program, and the statements of its `program`, together, to a place drawn by a seed.
Names that two triggers share get a number.
"""

import ast
import dataclasses
import io
import random
import textwrap
import tokenize

CONTRACT = {"make_inputs", "program", "before_call", "observe", "COMPILE_OPTIONS"}


@dataclasses.dataclass
class Parts:
    """The texts of a program file, each without indentation."""

    imports: list
    module: list
    making: list  # of make_inputs, before its return
    calls: list  # for each call the texts of its arguments
    parameters: list
    body: list
    outputs: list


def parts_of(source):
    tree = ast.parse(source)
    lines = source.splitlines()

    def text(node):
        first = min([node.lineno] + [one.lineno for one in getattr(node, "decorator_list", [])])
        return textwrap.dedent("\n".join(lines[first - 1 : node.end_lineno]))

    def items(node):
        elements = node.elts if isinstance(node, ast.Tuple) else [node]
        return [ast.get_source_segment(source, element) for element in elements]

    parts = Parts([], [], [], [[]], [], [], [])
    for node in tree.body:
        name = getattr(node, "name", "")
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            parts.imports.append(text(node))
        elif name == "make_inputs":
            parts.making = [text(step) for step in node.body[:-1]]
            given = node.body[-1].value
            parts.calls = [items(call) for call in (given.elts if isinstance(given, ast.List) else [given])]
        elif name == "program":
            parts.parameters = [one.arg for one in node.args.args]
            parts.body = [text(step) for step in node.body[:-1]]
            parts.outputs = items(node.body[-1].value)
        else:
            parts.module.append(text(node))
    return parts


def renamed(source, number):
    """The trigger with its own names numbered: those that it binds, the contract's apart."""
    bound = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    bound -= CONTRACT | {"self"}
    tokens, before = [], ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME and token.string in bound and before != ".":
            token = token._replace(string=f"{token.string}_{number}")
        tokens.append((token.type, token.string))
        before = token.string
    # Without places the layout is the tokenizer's own; unparsing gives plain text again.
    return ast.unparse(ast.parse(tokenize.untokenize(tokens)))


def plant(surrounding, triggers, seed):
    """The text of one program; statements and places are the same for the same texts and seed."""
    whole = parts_of(surrounding)
    draw = random.Random(seed)
    for number, trigger in enumerate(triggers, 1):
        more = parts_of(renamed(trigger, number) if number > 1 else trigger)
        whole.imports += [line for line in more.imports if line not in whole.imports]
        whole.module += more.module
        whole.making += more.making
        count = max(len(whole.calls), len(more.calls))
        calls = [whole.calls * count if len(whole.calls) == 1 else whole.calls,
                 more.calls * count if len(more.calls) == 1 else more.calls]
        whole.calls = [one + other for one, other in zip(*calls)]
        whole.parameters += more.parameters
        place = draw.randrange(len(whole.body) + 1)
        whole.body[place:place] = more.body
        whole.outputs += more.outputs
    return text_of(whole)


def text_of(parts):
    def indented(steps):
        return "".join(textwrap.indent(step, "    ") + "\n" for step in steps)

    def wrapped(head, items, tail):
        flat = head + ", ".join(items) + tail
        return flat if len(flat) <= 110 else "\n".join(textwrap.wrap(flat, 110, subsequent_indent=" " * 8,
                                                                     break_long_words=False, break_on_hyphens=False))

    def call(arguments, indent):
        return "(\n" + "".join(f"{indent}    {one},\n" for one in arguments) + f"{indent})" if arguments else "()"

    if len(parts.calls) == 1:
        given = call(parts.calls[0], "    ")
    else:
        given = "[\n" + "".join(f"        {call(one, '        ')},\n" for one in parts.calls) + "    ]"
    module = "".join(f"{step}\n\n\n" for step in parts.module)
    return (
        "\n".join(parts.imports) + "\n\n\n" + module
        + "def make_inputs():\n" + indented(parts.making) + f"    return {given}\n\n\n"
        + wrapped("def program(", parts.parameters, "):") + "\n"
        + indented(parts.body)
        + wrapped("    return (", parts.outputs, ",)") + "\n"
    )
