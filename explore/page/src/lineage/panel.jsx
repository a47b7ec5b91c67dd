// The lineage: the steps from the start to the present program.
import { useState } from "preact/hooks";
import { ExactnessTag } from "../sites/about.jsx";
import { lineOf, partsOf } from "../state/lineage.js";
import * as actions from "../state/session.js";
import { session } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, Panel, plural } from "../ui/parts.jsx";
import { RandomDialog } from "./random.jsx";
import { SaveDialog, ShareDialog } from "./dialogs.jsx";

export function LineagePanel() {
  const history = useStore(session, (value) => value.history);
  const replayed = useStore(session, (value) => value.replayed);
  const busy = useStore(session, (value) => value.replaying);
  const [dialog, setDialog] = useState("");
  const { steps } = history.present;
  const close = () => setDialog("");
  const tools = (
    <>
      <Button
        kind="quiet small"
        label="Undo (Ctrl+Z outside the editor)"
        disabled={history.past.length === 0}
        onClick={actions.undo}
      >
        Undo
      </Button>
      <Button
        kind="quiet small"
        label="Redo (Ctrl+Shift+Z outside the editor)"
        disabled={history.future.length === 0}
        onClick={actions.redo}
      >
        Redo
      </Button>
    </>
  );
  return (
    <Panel
      title="Steps"
      class="lineage"
      tools={tools}
      says={
        steps.length === 0
          ? "No step yet. Click a number beside a line, or a site in the list, to apply a mutation; it becomes a step here."
          : ""
      }
    >
      {steps.length > 0 && (
        <ol class="steps" aria-label="Steps of the lineage">
          <li class="step-start">
            <span class="soft">start</span> <span>{history.present.name}</span>
          </li>
          {steps.map((step, index) => (
            <Step key={step.key} step={step} index={index} count={steps.length} known={replayed?.steps[index]} />
          ))}
        </ol>
      )}
      {steps.length > 0 && (
        <p class="soft summary" role="status">
          {busy ? "replaying …" : summary(steps, replayed)}
        </p>
      )}
      {steps.length > 0 && (
        <p class="soft summary">
          Numbers count from 0, as on the command line: <code>m0.1</code> is the second statement that step 0 made.
        </p>
      )}
      <div class="row-of-buttons">
        <Button onClick={() => setDialog("random")}>Apply random ones…</Button>
        <Button onClick={() => setDialog("share")}>Share or paste…</Button>
        <Button onClick={() => setDialog("save")}>Name and save…</Button>
      </div>
      {dialog === "random" && <RandomDialog onClose={close} />}
      {dialog === "share" && <ShareDialog line={lineOf(steps)} onClose={close} />}
      {dialog === "save" && <SaveDialog onClose={close} />}
    </Panel>
  );
}

function summary(steps, replayed) {
  const off = steps.filter((step) => !step.on).length;
  const failing = steps.filter((step, i) => step.on && replayed?.steps[i]?.error).length;
  const parts = [plural(steps.length, "step")];
  if (off) parts.push(`${off} switched off`);
  if (failing) parts.push(`${failing} not applying`);
  return parts.join(", ");
}

function Step({ step, index, count, known }) {
  const compare = useStore(session, (value) => value.compare);
  const { mutation, site, draws } = partsOf(step.text);
  const title = mutation || "left out";
  const error = step.on ? known?.error : "";
  const chosen = compare === step.key;
  return (
    <li class={`step ${step.on ? "" : "off"} ${error ? "failing" : ""} ${chosen ? "chosen" : ""}`}>
      <label class="switch">
        <input
          type="checkbox"
          checked={step.on}
          disabled={!step.text}
          aria-label={`Step ${index}, ${title}: switched on`}
          onChange={() => actions.toggleStep(step.key)}
        />
        <span class="number" aria-hidden="true">
          {index}
        </span>
      </label>
      <button
        type="button"
        class="step-text"
        aria-pressed={chosen}
        title={step.text}
        onClick={() => session.set({ compare: chosen ? "last" : step.key })}
      >
        <span class="hidden">Show what step {index} changed: </span>
        <span class="name">{title}</span>
        <span class="soft code">
          @{site}
          {draws ? ` =${draws}` : ""}
        </span>
        {error && <span class="problem">Does not apply: {error}</span>}
      </button>
      <div class="step-tools">
        {!error && step.on && known?.exactness && <ExactnessTag exactness={known.exactness} />}
        <Button
          kind="quiet icon"
          label={`Move step ${index} up`}
          disabled={index === 0}
          onClick={() => actions.moveStep(step.key, -1)}
        >
          ↑
        </Button>
        <Button
          kind="quiet icon"
          label={`Move step ${index} down`}
          disabled={index === count - 1}
          onClick={() => actions.moveStep(step.key, 1)}
        >
          ↓
        </Button>
        <Button kind="quiet icon" label={`Remove step ${index}`} onClick={() => actions.removeStep(step.key)}>
          ✕
        </Button>
      </div>
    </li>
  );
}
