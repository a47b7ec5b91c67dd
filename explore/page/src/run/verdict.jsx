// The verdict: one sentence, the rule that decided, and its numbers.
import { plural, Sentence } from "../ui/parts.jsx";
import { explanations, ruleSays } from "./rules.js";
import { measured, numberName, numbersInOrder, numberText, verdictSays } from "./words.js";

/** Those of the worst difference; without one, those of the last decision by the rule that decided. */
function numbersOf({ rule, differences = [], decisions = [] }) {
  if (differences.length > 0) return differences[0].numbers ?? {};
  return (decisions.filter((one) => one.rule === rule).at(-1) ?? decisions.at(-1))?.numbers ?? {};
}

/** `of` says of which program it is, where another one is shown too. */
export function Verdict({ result, of = "" }) {
  const { verdict, signature } = result;
  const kind = verdict.kind ?? "agree";
  const numbers = measured(numbersOf(verdict));
  const explained = explanations(verdict.rule, numbers);
  const tone = { agree: "agree", diverge: "diverge" }[kind] ?? "warn";
  return (
    <div class={`verdict ${tone}`}>
      <p class="verdict-says">
        <strong>{verdictSays(result)}</strong>
      </p>
      {of && <p class="soft">{of}</p>}
      {verdict.reason && (
        <p>
          <Sentence text={verdict.reason} />
        </p>
      )}
      <dl class="facts">
        {verdict.rule && <Fact name="decided by the rule" value={verdict.rule} title={ruleSays(verdict.rule)} />}
        {signature && <Fact name="signature" value={<code>{signature.id}</code>} />}
        {numbersInOrder(numbers).map(([name, value]) => (
          <Fact key={name} name={numberName(name)} value={numberText(value, name)} />
        ))}
      </dl>
      {explained.length > 0 && (
        <details>
          <summary>What the rule and its numbers mean</summary>
          <dl class="meanings">
            {explained.map(([name, says]) => (
              <div key={name}>
                <dt>{name === verdict.rule ? <code>{name}</code> : numberName(name)}</dt>
                <dd>{says}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {verdict.weak?.length > 0 && (
        <details>
          <summary>
            {plural(verdict.weak.length, "weak difference")}: in strides, versions, signs of zeros and the like, which
            are recorded and never a finding
          </summary>
          <ul class="plain">
            {verdict.weak.map((one, i) => (
              <li key={i}>
                <code>{one.where}</code> {one.mismatch}: {one.reference} / {one.observed}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const Fact = ({ name, value, title }) => (
  <div title={title || undefined}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
