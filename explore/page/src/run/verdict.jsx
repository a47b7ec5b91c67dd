// The verdict: one sentence, the rule that decided, and its numbers.
import { numberName, numbersInOrder, numberText, VERDICT_SAYS } from "./words.js";

/** The decision that counts at a place is the last one there. */
function decisionAt(verdict, difference) {
  return (verdict.decisions ?? [])
    .filter((one) => (one.where ?? "") === (difference.where ?? "") && (one.call ?? 0) === (difference.call ?? 0))
    .at(-1);
}

export function Verdict({ result }) {
  const { verdict, signature } = result;
  const kind = verdict.kind ?? "agree";
  const first = verdict.differences?.[0];
  const numbers = {
    ...(first ? decisionAt(verdict, first)?.numbers : verdict.decisions?.at(-1)?.numbers),
    ...first?.numbers,
  };
  const tone = { agree: "agree", diverge: "diverge" }[kind] ?? "warn";
  return (
    <div class={`verdict ${tone}`}>
      <p class="verdict-says">
        <strong>{VERDICT_SAYS[kind]}</strong>
      </p>
      {verdict.reason && <p>{verdict.reason}</p>}
      <dl class="facts">
        {verdict.rule && <Fact name="decided by the rule" value={verdict.rule} />}
        {signature && <Fact name="signature" value={<code>{signature.id}</code>} />}
        {numbersInOrder(numbers).map(([name, value]) => (
          <Fact key={name} name={numberName(name)} value={numberText(value)} />
        ))}
      </dl>
      {verdict.weak?.length > 0 && (
        <details>
          <summary>
            {verdict.weak.length} weak difference{verdict.weak.length > 1 ? "s" : ""} (recorded, never a finding)
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

const Fact = ({ name, value }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
