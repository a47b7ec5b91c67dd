// Puts the recorded values of two runs beside each other.
import { differing, elementsOf, leavesOf, tensorTitle } from "./values.js";

const PARTS = ["output", "inputs", "gradients", "state", "late"];

function outcomeOf(result, role, otherwise) {
  return (
    result.outcomes?.find((outcome) => outcome.role === role) ??
    result.outcomes?.find((outcome) => otherwise.includes(outcome.role))
  );
}

// Map "call where" -> {tensor, value, title}
function sidesOf(outcome) {
  const sides = new Map();
  const observation = outcome?.ending?.observation;
  const put = (call, { where, value }) => {
    const tensor = value.kind === "tensor" ? observation.tensors?.[value.index ?? 0] : null;
    sides.set(`${call} ${where}`, { call, where, value, tensor, title: tensor ? tensorTitle(tensor) : "" });
  };
  (observation?.calls ?? []).forEach((call, number) => {
    for (const part of PARTS) leavesOf(call[part], part).forEach((leaf) => put(number, leaf));
    for (const part of ["exception", "backward_exception"]) {
      const raised = call[part];
      if (raised)
        put(number, { where: part, value: { kind: "text", text: `${raised.type}: ${raised.message ?? ""}` } });
    }
    if (call.printed) put(number, { where: "printed", value: { kind: "text", text: call.printed } });
  });
  leavesOf(observation?.observed, "observed").forEach((leaf) => put(0, leaf));
  return sides;
}

function isSame(one, other, elements) {
  if (!one || !other) return false;
  if (!one.tensor) return JSON.stringify(one.value) === JSON.stringify(other.value);
  if (elements) return elements.indices?.length === 0;
  return one.title === other.title && (one.tensor.bytes?.base64 ?? "") === (other.tensor.bytes?.base64 ?? "");
}

/** {one, other, indices} of two tensors; indices is null if shapes or dtypes differ. Null if elements can't be read. */
function elementsOfPair(one, other) {
  if (!one?.tensor || !other?.tensor) return null;
  const left = elementsOf(one.tensor);
  const right = elementsOf(other.tensor);
  return left && right ? { left, right, indices: differing(left, right) } : null;
}

/** A difference is at a place or above it: "output" is above "output[1]". */
const covers = (difference, { call, where }) => {
  const place = difference.where ?? "";
  return (
    (difference.call ?? 0) === call &&
    (where === place || (where.startsWith(place) && "[.".includes(where[place.length] ?? " ")))
  );
};

const isException = (where) => where === "exception" || where === "backward_exception";

/**
 * {reference, tested, rows: [{call, calls, where, state, says, one, other, elements, missing, outputNumber}]}, the
 * deciding rows first. `missing`: one run has no such value because its call raised or the run did not finish.
 */
export function compareRuns(result) {
  const verdict = result.verdict ?? {};
  const reference = outcomeOf(result, verdict.reference || "eager", ["eager"]);
  const tested = outcomeOf(result, verdict.under_test || "compiled", ["compiled"]);
  const left = sidesOf(reference);
  const right = sidesOf(tested);
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  const calls = Math.max(
    reference?.ending?.observation?.calls?.length ?? 0,
    tested?.ending?.observation?.calls?.length ?? 0,
  );
  const rows = keys.map((key) => {
    const one = left.get(key);
    const other = right.get(key);
    const { call, where } = one ?? other;
    const elements = elementsOfPair(one, other);
    const found = (verdict.differences ?? []).find((difference) => covers(difference, { call, where }));
    const missing = !one || !other;
    const state = found || !one || !other ? "wrong" : isSame(one, other, elements) ? "same" : "rounding";
    const says = one?.tensor
      ? one.title === other?.title || !other?.tensor
        ? one.title
        : `${one.title} → ${other.title}`
      : "";
    return { call, calls, where, state, says, one, other, elements, missing };
  });
  // What a call did not give because it raised is told of by the exception.
  const raising = new Set(rows.filter(({ where, missing }) => missing && isException(where)).map(({ call }) => call));
  const silent = !reference?.ending?.observation || !tested?.ending?.observation;
  for (const row of rows) row.missing &&= silent || (raising.has(row.call) && !isException(row.where));
  rows
    .filter(({ where }) => where.startsWith("output"))
    .forEach((row, number) => {
      row.outputNumber = number;
    });
  const rank = { wrong: 0, rounding: 1, same: 2 };
  const order = (row) => rank[row.state] + (row.missing ? 0.5 : isException(row.where) ? -0.5 : 0);
  rows.sort((a, b) => order(a) - order(b));
  return { reference, tested, rows };
}
