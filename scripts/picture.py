"""Draws docs/architecture.svg from docs/architecture.txt.

    picture.py          writes the picture
    picture.py --check  says whether it is the one that the text gives; exit 1 when not (./dev check)

The text has a line for each box, arrow and group; its head says how. Boxes stand on a grid; an arrow is a straight line
between two boxes, and two arrows between the same boxes run side by side.
"""

import html
import math
import pathlib
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
TEXT, PICTURE = DOCS / "architecture.txt", DOCS / "architecture.svg"
# Distances in pixels: between the centres of neighbours, of a box, around everything, between two arrows.
STEP_X, STEP_Y = 236, 116
WIDTH, HEIGHT = 164, 52
MARGIN = 60
APART = 14
STYLE = """  <style>
    text { font-family: sans-serif; font-size: 12px; fill: #222; text-anchor: middle; }
    .title { font-family: monospace; font-size: 13px; font-weight: bold; }
    .label { font-size: 11px; fill: #555; paint-order: stroke; stroke: #fff; stroke-width: 4px; }
    .group { fill: #f6f8fa; stroke: #ccc; stroke-dasharray: 4 3; }
    .name { text-anchor: start; fill: #666; }
    .box { fill: #fff; stroke: #345; rx: 6px; }
    .arrow { stroke: #345; stroke-width: 1.3; marker-end: url(#head); }
  </style>
  <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
    <path d="M0 0 L8 4 L0 8 z" fill="#345"/></marker></defs>"""


def read(text):
    """Boxes by id as (column, row, title, says), arrows as (from, to, label), groups as (columns and rows, title)."""
    boxes, arrows, groups = {}, [], []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        kind, rest = words[0], words[1:]
        if kind == "box":
            title, says = " ".join(rest[3:]).split(" | ")
            boxes[rest[0]] = (int(rest[1]), int(rest[2]), title, says)
        elif kind == "arrow":
            arrows.append((rest[0], rest[1], " ".join(rest[2:])))
        elif kind == "group":
            groups.append(([int(word) for word in rest[:4]], " ".join(rest[4:])))
        else:
            sys.exit(f"{TEXT.name}: there is no '{kind}'")
    return boxes, arrows, groups


def centre(box):
    return MARGIN + WIDTH / 2 + box[0] * STEP_X, MARGIN + HEIGHT / 2 + box[1] * STEP_Y


def border(box, towards, shift):
    """Where the line from the box's centre, moved aside by `shift`, in that direction leaves the box."""
    x, y = centre(box)
    dx, dy = towards
    reach = min(WIDTH / 2 / abs(dx) if dx else math.inf, HEIGHT / 2 / abs(dy) if dy else math.inf)
    return x + dx * reach + shift[0], y + dy * reach + shift[1]


def drawn_arrow(boxes, arrows, arrow):
    start, end, label = arrow
    (x1, y1), (x2, y2) = centre(boxes[start]), centre(boxes[end])
    length = math.hypot(x2 - x1, y2 - y1)
    towards = (x2 - x1) / length, (y2 - y1) / length
    both = any((end, start) == other[:2] for other in arrows)
    shift = (-towards[1] * APART, towards[0] * APART) if both else (0, 0)
    from_x, from_y = border(boxes[start], towards, shift)
    to_x, to_y = border(boxes[end], (-towards[0], -towards[1]), shift)
    yield f'  <line class="arrow" x1="{from_x:.0f}" y1="{from_y:.0f}" x2="{to_x:.0f}" y2="{to_y:.0f}"/>'
    if label:
        # Beside a vertical arrow, above a horizontal one.
        x, y = (from_x + to_x) / 2, (from_y + to_y) / 2
        x, y = (x, y - 5) if abs(towards[1]) < 0.1 else (x + shift[0] * 2, y + 4)
        yield f'  <text class="label" x="{x:.0f}" y="{y:.0f}">{html.escape(label)}</text>'


def drawn(text):
    boxes, arrows, groups = read(text)
    width = 2 * MARGIN + WIDTH + max(box[0] for box in boxes.values()) * STEP_X
    height = 2 * MARGIN + HEIGHT + max(box[1] for box in boxes.values()) * STEP_Y
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">', STYLE,
             f'  <rect width="{width}" height="{height}" fill="#fff"/>']
    for (left, top, right, bottom), title in groups:
        x, y, tall = MARGIN - 24 + left * STEP_X, MARGIN - 18 + top * STEP_Y, (bottom - top) * STEP_Y + HEIGHT + 46
        lines.append(f'  <rect class="group" x="{x}" y="{y}" width="{(right - left) * STEP_X + WIDTH + 48}" height="{tall}"/>')
        lines.append(f'  <text class="name" x="{x + 8}" y="{y + tall - 8}">{html.escape(title)}</text>')
    for box in boxes.values():
        x, y = centre(box)
        lines.append(f'  <rect class="box" x="{x - WIDTH / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{WIDTH}" height="{HEIGHT}"/>')
        lines.append(f'  <text class="title" x="{x:.0f}" y="{y - 4:.0f}">{html.escape(box[2])}</text>')
        lines.append(f'  <text x="{x:.0f}" y="{y + 14:.0f}">{html.escape(box[3])}</text>')
    for arrow in arrows:
        lines.extend(drawn_arrow(boxes, arrows, arrow))
    return "\n".join(lines) + "\n</svg>\n"


def main():
    picture = drawn(TEXT.read_text(encoding="utf-8"))
    if sys.argv[1:] == ["--check"]:
        same = PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == picture
        print("picture: as its text" if same else "docs/architecture.svg is not what its text gives: run scripts/picture.py")
        sys.exit(0 if same else 1)
    PICTURE.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
