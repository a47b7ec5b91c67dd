// What the rules of judging and the classes of difference mean, after docs/judging.md.

const RULES = {
  bitwise: "Every bit of what both runs gave is the same.",
  exact: "Integers, bools and texts must be equal; rounding is no excuse for them.",
  tolerance: "A difference within torch.testing's default tolerance of the type counts as rounding.",
  float32: "Both are measured against the same program run in float32.",
  float64:
    "Both are measured against the same program run in float64: compiled may be at most twice as far from it as " +
    "eager, and one tolerance more.",
  monte_carlo:
    "Eager runs again with its roundings moved by -1, 0 or 1 units in the last place; a difference within eight " +
    "times what that changes counts as rounding.",
  other_choices: "Eager runs with unspecified behaviour resolved in another way: does the place change there, too?",
  emulate_precision_casts: "The compiler rounds after each operator, as eager does: does the difference disappear?",
  other_values: "The program runs on other values: how far is eager off by itself?",
  borderline: "The difference is small: does it show on any other values?",
  eager_wrong: "The compiled run agrees with the higher precision and eager does not; that is never a finding.",
  raises: "A program that eager runs must not raise when it is compiled.",
  accepts: "A program that eager refuses must not pass when it is compiled.",
};

const NUMBERS = {
  monte_carlo_spread: RULES.monte_carlo,
  monte_carlo_runs: RULES.monte_carlo,
  argmax_flips: "Whether the largest element of the output is at another place, as a class that is predicted would be.",
  eager_to_float64: RULES.float64,
  compiled_to_float64: RULES.float64,
  differing: "Numbers with another bit, those that rounding explains included.",
  elements: "Numbers that this rule settled.",
};

export const ruleSays = (rule) => RULES[rule] ?? "";

/** [name of the rule or number, sentence] of all that are shown and have one; each sentence once. */
export function explanations(rule, numbers) {
  const rows = [[rule, ruleSays(rule)], ...Object.keys(numbers).map((name) => [name, NUMBERS[name] ?? ""])];
  return rows.filter(([, says], at) => says && rows.findIndex(([, other]) => other === says) === at);
}
