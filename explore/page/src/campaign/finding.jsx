// One finding: verdict, outputs, both forms, lineage, what each reduction step took away, exports.
import { useState } from "preact/hooks";
import { Diff } from "../diff/diff.jsx";
import { OutputsView } from "../run/outputs.jsx";
import { Verdict } from "../run/verdict.jsx";
import { lineOf, partsOf } from "../state/lineage.js";
import { Code } from "../ui/code.jsx";
import { Button, Copy, Panel, plural, Tabs, Tag } from "../ui/parts.jsx";
import { Exports, useExports } from "./exports.jsx";

/**
 * `finding.reductions` begins with the program as it was found; later rows are the steps of its reduction, and the
 * result with its values written out. In a report that lacks the room the steps are one.
 *
 * `onOpen(form)` opens "found" or "reduced" in the editor; null where there is no editor. `askExport` gives an export
 * (campaign/store.js); null where there is no server.
 */
export function FindingView({ finding, onClose, onOpen, askExport }) {
  const [tab, setTab] = useState("reduced");
  const id = finding.id ?? finding.signature?.id;
  const exports = useExports(id, askExport);
  const reduced = finding.reduced?.source ?? "";
  const found = finding.reductions?.[0]?.source ?? finding.program?.source ?? "";
  const reductions = finding.reductions?.slice(1) ?? [];
  const tabs = [
    { id: "reduced", title: "Reduced form" },
    { id: "found", title: "As found" },
    { id: "outputs", title: "Outputs" },
    { id: "lineage", title: "Lineage", badge: finding.steps?.length || "" },
    { id: "reductions", title: "Reduction", badge: reductions.length || "" },
    { id: "exports", title: "Exports" },
  ];
  const tools = (
    <>
      {onOpen && (
        <Button kind="primary small" onClick={() => onOpen("found")}>
          Open with its steps
        </Button>
      )}
      {onOpen && reduced && (
        <Button kind="small" onClick={() => onOpen("reduced")}>
          Open reduced form
        </Button>
      )}
      {onClose && (
        <Button kind="quiet small" onClick={onClose}>
          Back to the campaign
        </Button>
      )}
    </>
  );
  return (
    <div class="campaign">
      <Panel title={finding.title || `Finding ${id}`} tools={tools}>
        <p class="tags">
          <code>{id}</code>
          {finding.status && <Tag kind={finding.status === "confirmed" ? "diverge" : "warn"}>{finding.status}</Tag>}
          {finding.attempts > 0 && (
            <span class="soft">
              {finding.reproduced} of {finding.attempts} fresh runs showed it
            </span>
          )}
          {finding.label?.label && <Tag title={finding.label.note}>{finding.label.label}</Tag>}
        </p>
        <Verdict
          result={finding}
          of={
            reduced && reduced !== found
              ? "Of the program as it was found: the reduced form shows the same fault, and has names and arguments of its own."
              : ""
          }
        />
        <Tabs label="Of this finding" tabs={tabs} chosen={tab} onChoose={setTab}>
          {tab === "reduced" && <Program text={reduced} says="This finding has not been reduced yet." />}
          {tab === "found" && <Program text={found} says="The program as found is not stored." />}
          {tab === "outputs" && <OutputsView result={finding} />}
          {tab === "lineage" && <Lineage steps={finding.steps ?? []} />}
          {tab === "reductions" && <Reductions program={found} reductions={reductions} />}
          {tab === "exports" && (
            <Exports id={id} state={exports} kept={finding.exports} leftOut={finding.left_out} />
          )}
        </Tabs>
      </Panel>
    </div>
  );
}

function Program({ text, says }) {
  if (!text) return <p class="empty">{says}</p>;
  return (
    <div class="with-copy">
      <Copy text={text} kind="small" />
      <p class="soft">{plural(text.trimEnd().split("\n").length, "line")}</p>
      <Code text={text} label="Program" />
    </div>
  );
}

function Lineage({ steps }) {
  const texts = steps.map((step) => step ?? "");
  if (texts.length === 0)
    return <p class="empty">No mutation was applied: the program diverges as it was drawn or written.</p>;
  return (
    <div class="with-copy">
      <Copy text={lineOf(texts.map((text) => ({ text, on: text !== "" })))} kind="small">
        Copy as one line
      </Copy>
      <ol class="steps read-only">
        {texts.map((text, i) => (
          <li key={i}>
            <span class="number">{i}</span>
            <span class="name">{partsOf(text).mutation || "left out"}</span>{" "}
            <code class="soft wrap">{text.slice(text.indexOf("@"))}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Lines of text that one program has more than another: "3 lines fewer". */
function lineChange(before, after) {
  const more = after.trimEnd().split("\n").length - before.trimEnd().split("\n").length;
  if (more === 0) return "as many lines";
  return more < 0 ? `${plural(-more, "line")} fewer` : `${plural(more, "line")} more`;
}

function Reductions({ program, reductions }) {
  if (reductions.length === 0)
    return <p class="empty">This finding has not been reduced.</p>;
  const last = reductions.at(-1).source;
  return (
    <>
      <p class="soft">
        What each step of the reduction took away while the program still diverged in the same way:{" "}
        {lineChange(program, last)} in all. Accepted edits of one pass that follow each other are one step, and the
        steps count from 0.
      </p>
      <ol>
        {reductions.map((step, i) => (
          <li key={i}>
            <Reduction
              step={step}
              number={i}
              before={i === 0 ? program : reductions[i - 1].source}
              open={i === 0}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

// The diff is made when the step is opened first: a reduction may have dozens.
function Reduction({ step, number, before, open: openAtFirst }) {
  const [open, setOpen] = useState(openAtFirst);
  return (
    <details class="group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>
          <span class="number">{number}</span> {step.says}
        </span>
        {step.passes?.length > 0 && <code class="soft">{step.passes.join(", ")}</code>}
        <span class="soft count">{lineChange(before, step.source)}</span>
      </summary>
      {open && <Diff before={before} after={step.source} label={`What changed in step ${number}: ${step.says}`} />}
    </details>
  );
}
