// Folds what a file says to machines at its beginning (the head of a known bug), so that the program is seen first.
//
// build.mjs reads the keys of such a head from its reader in C++.
import { codeFolding, foldEffect, foldedRanges, unfoldEffect } from "@codemirror/language";
import KEYS from "../../../../report/known_head.h";
import { headWith } from "./head.js";

const headOf = (text) => headWith(KEYS, text);

export const isFolded = (state) => foldedRanges(state).size > 0;

/** Effects that fold the head of a text. */
export function foldHead(text) {
  const head = headOf(text);
  return head ? [foldEffect.of(head)] : [];
}

/** Whether two texts begin with different heads: another program was opened. */
export const isOtherHead = (one, other) => one.slice(0, headOf(one)?.to ?? 0) !== other.slice(0, headOf(other)?.to ?? 0);

/** A folded part is a button that says how long it is, and shows it. */
export const folding = codeFolding({
  preparePlaceholder: (state, { from, to }) => state.doc.lineAt(to).number - state.doc.lineAt(from).number + 1,
  placeholderDOM(view, _onclick, lines) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "fold";
    button.textContent = `… ${lines} lines about this bug`;
    button.title = "Show them (Ctrl+Alt+])";
    button.onclick = () => {
      const effects = [];
      foldedRanges(view.state).between(0, view.state.doc.length, (from, to) => effects.push(unfoldEffect.of({ from, to })));
      view.dispatch({ effects });
      view.focus();
    };
    return button;
  },
});
