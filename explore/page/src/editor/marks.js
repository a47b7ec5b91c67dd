// Marks beside and on lines: how many mutations apply at a line (gutter), and lines that something was said of (graph
// breaks, a chosen node of a graph).
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker } from "@codemirror/view";

const setSites = StateEffect.define(); // Map line -> number of sites
const setLines = StateEffect.define(); // [{line, kind, says}]

const sites = StateField.define({
  create: () => new Map(),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setSites)) return effect.value;
    return transaction.docChanged ? new Map() : value;
  },
});

class SiteMarker extends GutterMarker {
  constructor(count) {
    super();
    this.count = count;
  }
  eq(other) {
    return other.count === this.count;
  }
  toDOM() {
    const mark = document.createElement("span");
    mark.className = "site-mark";
    mark.textContent = this.count > 99 ? "99+" : String(this.count);
    return mark;
  }
}

// Keeps the gutter's width while there are no sites.
class Spacer extends SiteMarker {
  constructor() {
    super(100);
  }
}

const lines = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setLines)) return lineDecorations(transaction.state, effect.value);
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function lineDecorations(state, marks) {
  const builder = new RangeSetBuilder();
  for (const { line, kind, says } of [...marks].sort((one, other) => one.line - other.line)) {
    if (!(line >= 1 && line <= state.doc.lines)) continue;
    const from = state.doc.line(line).from;
    builder.add(from, from, Decoration.line({ class: `line-${kind}`, attributes: { title: says } }));
  }
  return builder.finish();
}

/**
 * The gutter of sites. `on.hover(line, element)` and `on.click(line, element)` are called for lines that have some,
 * `on.leave()` when the pointer leaves the gutter or moves to a line that has none.
 */
export function siteMarks(on) {
  const at = (handler, otherwise) => (view, block, event) => {
    const line = view.state.doc.lineAt(block.from).number;
    const count = view.state.field(sites).get(line) ?? 0;
    if (count === 0) {
      otherwise?.();
      return false;
    }
    handler(line, event.target.closest(".cm-gutterElement") ?? event.target);
    return true;
  };
  return [
    sites,
    lines,
    gutter({
      class: "site-gutter",
      lineMarker(view, block) {
        const count = view.state.field(sites).get(view.state.doc.lineAt(block.from).number);
        return count ? new SiteMarker(count) : null;
      },
      lineMarkerChange: (update) => update.startState.field(sites) !== update.state.field(sites),
      initialSpacer: () => new Spacer(),
      // A press that moved the focus to the gutter would leave it nowhere when what the click opens is closed.
      domEventHandlers: {
        mousemove: at(on.hover, on.leave),
        // A mouseleave would come after the pointerenter of what the pointer moved to.
        pointerleave: () => on.leave(),
        mousedown: at(() => {}),
        click: at(on.click),
      },
    }),
  ];
}

export const showSites = (view, counts) => view.dispatch({ effects: setSites.of(counts) });
export const showLines = (view, marks) => view.dispatch({ effects: setLines.of(marks) });
