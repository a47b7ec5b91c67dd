// What the plain and the compiled run gave, place by place, with the elements that differ marked.
import { useMemo } from "preact/hooks";
import { plural, secondsText, Tag } from "../ui/parts.jsx";
import { compareRuns } from "./compare.js";
import { TensorPair } from "./tensors.jsx";
import { leafText } from "./values.js";
import { endingText } from "./words.js";

export function OutputsView({ result }) {
  const compared = useMemo(() => compareRuns(result), [result]);
  const { reference, tested, rows } = compared;
  if (!result.outcomes) return <Differences differences={result.verdict?.differences ?? []} />;
  if (!reference || !tested) return <p class="empty">Neither run left outputs: the verdict above says why.</p>;
  const ended = [reference, tested].filter((outcome) => endingText(outcome.ending));
  const missing = rows.filter((row) => row.missing);
  const others = (state) => rows.filter((row) => row.state === state && !isProminent(row));
  return (
    <div class="outputs">
      <p class="soft">
        {titled("Plain", reference, "eager")} took {secondsText(reference.seconds)},{" "}
        {titled("compiled", tested, "compiled")} {secondsText(tested.seconds)}, compiling included.{" "}
        {comparedSays(compared)}
      </p>
      {ended.map((outcome) => (
        <p class="problem" key={outcome.role}>
          {outcome.role}: {endingText(outcome.ending)}
          {outcome.ending.last_words && <pre class="last-words">{outcome.ending.last_words}</pre>}
        </p>
      ))}
      {rows.filter(isProminent).map((row) => (
        <Place key={`${row.call} ${row.where}`} row={row} open />
      ))}
      <Others title="of one run only" rows={missing} />
      <Others title="differ by rounding only" rows={others("rounding")} />
      <Others title="are the same" rows={others("same")} />
    </div>
  );
}

// How many values there are to compare: none of those that one run alone gave.
function comparedSays({ reference, tested, rows }) {
  const missing = rows.filter((row) => row.missing);
  const alone = (whose) => `what only ${whose} gave (${plural(missing.length, "value")}) has nothing to be compared with.`;
  if (missing.length > 0 && !(reference.ending?.observation && tested.ending?.observation))
    return `One run did not finish: ${alone("the other")}`;
  const raised = rows.find((row) => row.where.endsWith("exception") && !(row.one && row.other));
  if (missing.length > 0 && raised) return `${raised.one ? "Plain" : "Compiled"} raised: ${alone("the other run")}`;
  const marked = rows.filter((row) => row.state !== "same");
  return rows.length > 0 && `${plural(rows.length, "recorded value")}, ${marked.length} of them with another bit somewhere.`;
}

// The role is said where it is another than the usual one.
const titled = (title, { role }, usual) => (role === usual ? title : `${title} (${role})`);

const OUTPUTS_SHOWN = 4; // outputs without a difference that are shown at once

// Differences, and the first outputs.
function isProminent(row) {
  if (row.missing) return false;
  return row.state === "wrong" || (row.outputNumber ?? OUTPUTS_SHOWN) < OUTPUTS_SHOWN;
}

function Others({ title, rows }) {
  if (rows.length === 0) return null;
  return (
    <details class="place others">
      <summary>
        {plural(rows.length, "further value")} {title}
      </summary>
      {rows.map((row) => (
        <Place key={`${row.call} ${row.where}`} row={row} />
      ))}
    </details>
  );
}

const STATES = {
  wrong: ["diverge", "differs", "The verdict counts this difference"],
  rounding: ["warn", "rounding", "Bits differ, and the rules of judging explain it"],
  same: ["agree", "same", "Every bit is the same"],
};

function Place({ row, open = false }) {
  const [kind, word, says] = STATES[row.state];
  return (
    <details class={`place ${row.state}`} open={open}>
      <summary>
        <code>{row.where}</code>
        {row.calls > 1 && (
          <span class="soft">
            call {row.call}, counted from 0, of {row.calls}
          </span>
        )}
        <Tag kind={kind} title={says}>
          {word}
        </Tag>
        {row.says && <span class="soft">{row.says}</span>}
      </summary>
      {row.one?.tensor && row.other?.tensor ? <TensorPair row={row} /> : <Sides row={row} />}
    </details>
  );
}

const sideText = (side) => (side ? (side.tensor ? side.title : leafText(side.value)) : "(nothing there)");

function Sides({ row }) {
  return (
    <dl class="sides">
      <div>
        <dt>plain</dt>
        <dd>
          <code class={row.state}>{sideText(row.one)}</code>
        </dd>
      </div>
      <div>
        <dt>compiled</dt>
        <dd>
          <code class={row.state}>{sideText(row.other)}</code>
        </dd>
      </div>
    </dl>
  );
}

// Where the recorded values are not at hand, what the verdict says of each place.
function Differences({ differences }) {
  if (differences.length === 0) return <p class="empty">No place differs.</p>;
  return (
    <>
      <p class="soft">A report names the places that differ, and leaves the recorded values out.</p>
      {differences.map((one, i) => (
        <div class="place" key={i}>
          <code>{one.where}</code> <span class="soft">{one.mismatch}</span>
          <dl class="sides">
            <div>
              <dt>plain</dt>
              <dd>
                <code class="wrong">{one.reference}</code>
              </dd>
            </div>
            <div>
              <dt>compiled</dt>
              <dd>
                <code class="wrong">{one.observed}</code>
              </dd>
            </div>
          </dl>
        </div>
      ))}
    </>
  );
}
