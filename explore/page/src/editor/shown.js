// Which text the editor shows, and against which.

/** The program after the step at `index`; the start for -1. A step that is off or doesn't apply changes nothing. */
export function sourceAfter(document, replayed, index) {
  for (let i = index; i >= 0; i--) {
    const step = replayed?.steps[i];
    if (document.steps[i]?.on && step?.source && !step.error) return step.source;
  }
  return document.program.source;
}

/** The index of the last step that changes the program; -1 if none does. */
export function lastActive(document, replayed) {
  for (let i = document.steps.length - 1; i >= 0; i--) if (document.steps[i].on && !replayed?.steps[i]?.error) return i;
  return -1;
}

/**
 * {text, original, final}: `compare` is "none", "last", "start" or a step's key; `original` is null when no change is
 * shown; `final` is true if the text is the program after all steps.
 */
export function shownTexts(document, replayed, compare) {
  const last = lastActive(document, replayed);
  const text = sourceAfter(document, replayed, last);
  if (compare === "none" || last < 0) return { text, original: null, final: true };
  if (compare === "start") return { text, original: document.program.source, final: true };
  const chosen = compare === "last" ? last : document.steps.findIndex((step) => step.key === compare);
  if (chosen < 0) return { text, original: null, final: true };
  const after = sourceAfter(document, replayed, chosen);
  return { text: after, original: sourceAfter(document, replayed, chosen - 1), final: after === text };
}
