// How states and verdicts are said.

const VERDICTS = {
  agree: ["agree", "agrees"],
  diverge: ["diverge", "diverges"],
  rejected: ["warn", "eager refuses"],
  vacuous: ["warn", "nothing compiled"],
  unstable: ["warn", "unstable"],
};

export const VERDICT_SAYS = {
  agree: "Eager and compiled agree.",
  diverge: "Compiled differs from eager, and rounding does not explain it.",
  rejected: "Eager itself refuses this program, so there is nothing to compare with.",
  vacuous: "The backend compiled nothing, so agreement would mean nothing.",
  unstable: "Eager differs from itself between two runs, so no difference can be judged.",
};

/** {kind, word} for the tag of a run. */
export function verdictWord(row) {
  if (row.state === "running") return { kind: "", word: "running" };
  if (row.state === "cancelled") return { kind: "warn", word: "cancelled" };
  if (row.state === "failed") return { kind: "warn", word: "failed" };
  const [kind, word] = VERDICTS[row.result?.verdict?.kind ?? "agree"] ?? ["", row.result.verdict.kind];
  return { kind, word };
}

// Members of `numbers` as people read them.
const NUMBERS = {
  max_abs: "max difference",
  max_rel: "max relative",
  differing: "elements differing",
  elements: "elements judged",
  eager_to_float64: "eager − float64",
  compiled_to_float64: "compiled − float64",
  monte_carlo_spread: "spread of roundings",
  monte_carlo_runs: "runs for the spread",
  ulps: "units in last place",
};

const place = (name) => (name in NUMBERS ? Object.keys(NUMBERS).indexOf(name) : 99);

/** [name, value] of numbers in the order in which people ask for them. */
export const numbersInOrder = (numbers) => Object.entries(numbers).sort(([one], [other]) => place(one) - place(other));

export const numberName = (name) => NUMBERS[name] ?? name.replaceAll("_", " ");

export function numberText(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString("en");
  return Number(value.toPrecision(4)).toString();
}

/** A backend's name for people: a file of the user's without its folder. */
export const backendTitle = (name) => (name.startsWith("file:") ? name.split("/").at(-1) : name);

/** How a run ended, when it did not finish. */
export function endingText(ending) {
  switch (ending?.kind) {
    case "raised":
      return `could not run (${ending.stage}): ${ending.reason}`;
    case "died":
      return ending.signal
        ? `the process died of signal ${ending.signal}`
        : `the process ended with status ${ending.exit_code ?? 0}`;
    case "timed_out":
      return `no answer within ${numberText(ending.seconds)} s: stopped as a hang`;
    case "out_of_memory":
      return `stopped at ${Math.round((ending.bytes ?? 0) / 2 ** 20).toLocaleString("en")} MiB of memory`;
    case "broken":
      return `the runtime of jitprobe failed: ${ending.what}`;
    default:
      return "";
  }
}
