// How states and verdicts are said.

const VERDICTS = {
  agree: ["agree", "agrees"],
  diverge: ["diverge", "diverges"],
  vacuous: ["warn", "nothing compiled"],
  unstable: ["warn", "unstable"],
};

const VERDICT_SAYS = {
  agree: "Eager and compiled agree.",
  vacuous: "The backend compiled nothing, so agreement would mean nothing.",
  unstable: "Eager differs from itself between two runs, so no difference can be judged.",
};

// Classes of difference, by the worst one.
const DIVERGES = {
  raises: "Compiled raises where eager does not.",
  accepts: "Eager raises, and compiled does not.",
  compiler_error: "The compiler fails on a program that eager runs.",
  handler: "Compiled ends in another exception or handler than eager.",
  death: "The process of the compiled run died; eager's did not.",
  hang: "The compiled run did not end; eager's did.",
  memory: "The compiled run went over the limit of memory; eager's did not.",
  cost: "Compiling took more work than a program of this size explains.",
};

// A program that eager itself can't finish, by how its run ended: a word, and a sentence.
const EAGER_FAILS = {
  raised: ["eager fails", "Eager itself can't run this program, so there is nothing to compare with."],
  died: ["eager crashes", "This program crashes without the compiler too, so there is nothing to compare with."],
  timed_out: ["eager hangs", "This program does not end without the compiler either, so there is nothing to compare with."],
  out_of_memory: ["too much memory", "This program needs too much memory without the compiler too."],
};
const NOT_JUDGED = ["not judged", "This can't be judged."];

/** [word, sentence] of a rejected program: only one that eager can't finish is the program's own fault. */
function rejected({ verdict, outcomes = [] }) {
  if (verdict.rule !== "eager_fails") return NOT_JUDGED;
  const ended = outcomes.find(({ ending }) => ending.kind !== "finished");
  return EAGER_FAILS[ended?.ending.kind] ?? EAGER_FAILS.raised;
}

/** The verdict of a result as a sentence. Only a difference of values is one that rounding could have explained. */
export function verdictSays(result) {
  const { kind = "agree", differences = [] } = result.verdict;
  if (kind === "rejected") return rejected(result)[1];
  if (kind !== "diverge") return VERDICT_SAYS[kind] ?? kind;
  const { mismatch = "value", what = "" } = differences[0] ?? {};
  if (DIVERGES[mismatch]) return DIVERGES[mismatch];
  const rounds = ["value", "gradient", "state_after"].includes(mismatch) && /^(float|complex|half)/.test(what);
  return rounds ? "Compiled differs from eager, and rounding does not explain it." : "Compiled differs from eager.";
}

/** {kind, word} for the tag of a run. */
export function verdictWord(row) {
  if (row.state === "running") return { kind: "", word: "running" };
  if (row.state === "cancelled") return { kind: "warn", word: "cancelled" };
  if (row.state === "failed") return { kind: "warn", word: "failed" };
  if (!row.result) return { kind: "", word: "not run" };
  if (row.result.verdict?.kind === "rejected") return { kind: "warn", word: rejected(row.result)[0] };
  const [kind, word] = VERDICTS[row.result.verdict?.kind ?? "agree"] ?? ["", row.result.verdict.kind];
  return { kind, word };
}

// Members of `numbers` as people read them.
const NUMBERS = {
  max_abs: "max difference",
  max_rel: "max relative",
  differing: "another bit",
  elements: "settled by the rule",
  eager_to_float64: "eager − float64",
  compiled_to_float64: "compiled − float64",
  monte_carlo_spread: "spread of roundings",
  monte_carlo_runs: "runs for the spread",
  ulps: "units in last place",
  argmax_flips: "largest element",
};

const place = (name) => (name in NUMBERS ? Object.keys(NUMBERS).indexOf(name) : 99);

/** [name, value] of numbers in the order in which people ask for them. */
export const numbersInOrder = (numbers) => Object.entries(numbers).sort(([one], [other]) => place(one) - place(other));

export const numberName = (name) => NUMBERS[name] ?? name.replaceAll("_", " ");

// A decision about integers or masks carries distances that nobody measured: zeros, although something differs.
const DISTANCES = ["max_abs", "max_rel", "eager_to_float64", "compiled_to_float64"];
const SPREAD = ["monte_carlo_spread", "monte_carlo_runs"];

/** The numbers without those that were not measured. */
export function measured(numbers) {
  const unmeasured = numbers.elements > 0 && !(numbers.max_abs > 0) && !(numbers.max_rel > 0);
  return Object.fromEntries(
    Object.entries(numbers).filter(
      ([name, value]) => typeof value === "number" && !(unmeasured && [...DISTANCES, ...SPREAD].includes(name)),
    ),
  );
}

export function numberText(value, name = "") {
  if (name === "argmax_flips") return value ? "at another place" : "at the same place";
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
      if (ending.how === "protocol") return ending.last_words || "the process gave no readable answer";
      if (ending.how === "disk") return "ended because it filled its folder on disk";
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
