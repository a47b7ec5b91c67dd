// What the rules of judging and the numbers of a verdict mean. A rule's sentence is that of its table in C++, which
// `jitprobe list rules` prints too; build.mjs reads it.
import RULES from "../../../../oracle/judge/rules.h";

// A number that a rule compares is told by that rule; a text is the number's own.
const MEASURED_FOR = {
  monte_carlo_spread: "monte_carlo",
  monte_carlo_runs: "monte_carlo",
  eager_to_float64: "float64",
  compiled_to_float64: "float64",
};
const NUMBERS = {
  argmax_flips: "Whether the largest element of the output is at another place, as a class that is predicted would be.",
  differing: "Numbers with another bit, those that rounding explains included.",
  elements: "Numbers that this rule settled.",
};

export const ruleSays = (rule) => RULES[rule] ?? "";

const numberSays = (name) => NUMBERS[name] ?? ruleSays(MEASURED_FOR[name]);

/** [name of the rule or number, sentence] of all that are shown and have one; each sentence once. */
export function explanations(rule, numbers) {
  const rows = [[rule, ruleSays(rule)], ...Object.keys(numbers).map((name) => [name, numberSays(name)])];
  return rows.filter(([, says], at) => says && rows.findIndex(([, other]) => other === says) === at);
}
