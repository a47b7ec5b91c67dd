// Lineages: lists of steps `ID@SITE[:PATH][=DRAWS]`. A step keeps its number while it is switched off, because names of
// statements made by step number 7 are `m7.0`, `m7.1`, …
//
// One line of lineage text is the steps in order, separated by "; ". "-" is a step that is switched off.

/** A step as the page keeps it. `key` tells steps apart while they are moved. One without a text keeps a number. */
export const newStep = (text, on = text !== "") => ({ key: crypto.randomUUID(), text, on });

/** A step of a file: a text, or what `saveSession` writes. */
export const keptStep = (kept) =>
  typeof kept === "string" ? newStep(kept) : newStep(String(kept?.text ?? ""), kept?.on === true && kept.text !== "");

/** What requests carry: a step that is off is "". */
export const sent = (steps) => steps.map((step) => (step.on ? step.text : ""));

/** One line, as the server reads it; steps that are off at its end are left out. */
export function lineOf(steps) {
  const texts = sent(steps).map((text) => text || "-");
  while (texts.at(-1) === "-") texts.pop();
  return texts.join("; ");
}

/** The place and the draws of a step: "s3:s5" and "1,'x > 0'". */
export function partsOf(text) {
  const at = text.indexOf("@");
  if (at < 0) return { mutation: "", site: "", draws: "" };
  const equals = text.indexOf("=", at);
  return {
    mutation: text.slice(0, at),
    site: equals < 0 ? text.slice(at + 1) : text.slice(at + 1, equals),
    draws: equals < 0 ? "" : text.slice(equals + 1),
  };
}

/**
 * Steps in another order (`order` holds their present indices), with the numbers in names of statements changed
 * likewise. Numbers count from 0: the first step makes `m0.0`. What a step names of one that is gone gets the step's own
 * number: there is no such statement before it, so that the step does not apply, whatever steps follow.
 */
export function reordered(steps, order, firstNumber = 0) {
  const place = new Map(order.map((old, now) => [old + firstNumber, now + firstNumber]));
  const ours = (number) => number >= firstNumber && number < firstNumber + steps.length;
  const renamed = (text, own) =>
    text.replace(/\bm(\d+)\.(\d+)/g, (whole, number, rest) =>
      ours(Number(number)) ? `m${place.get(Number(number)) ?? own}.${rest}` : whole,
    );
  return order.map((index, now) => {
    const step = steps[index];
    if (step.text === "") return step;
    const { mutation, site, draws } = partsOf(step.text);
    const own = now + firstNumber;
    const text = `${mutation}@${renamed(site, own)}${step.text.includes("=") ? `=${renamed(draws, own)}` : ""}`;
    return { ...step, text };
  });
}

/** The order in which the step at `from` stands at `to`. */
export function moved(length, from, to) {
  const order = Array.from({ length }, (_, i) => i);
  order.splice(to, 0, order.splice(from, 1)[0]);
  return order;
}
