// "Mutate until it diverges": a search with progress and a stop.
import { useState } from "preact/hooks";
import { drawnSeed } from "../lineage/random.jsx";
import { beginHunt, hunt, run, runs, stopHunt } from "../run/runs.js";
import { addSteps, current, followed, session } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, Dialog, OnlyField, plural, secondsText, SeedField, Select } from "../ui/parts.jsx";

export function HuntDialog({ onClose }) {
  const state = useStore(hunt);
  const backends = session.get().start?.backends ?? [];
  const first = backends.find(({ name }) => name === current().backend) ?? backends.at(-1);
  const [backend, setBackend] = useState(first?.name ?? "");
  const [seed, setSeed] = useState(drawnSeed());
  const [only, setOnly] = useState("");
  const [found, setFound] = useState(null);
  const running = state.state === "running";
  const begin = async (event) => {
    event.preventDefault();
    setFound(null);
    let diverging = null;
    await beginHunt({
      backend,
      seed: Number(seed),
      only: only.split(/[\s,]+/).filter(Boolean),
      onFound: (data) => {
        if (data.steps.length > 0) addSteps(data.steps, { compare: "start" });
        setFound({ added: data.steps.length, count: current().steps.length, verdict: data.verdict });
        runs.set({ chosen: backend });
        diverging = data;
      },
    });
    // The run shows the values, graphs and counters behind the verdict that the search gives.
    if (diverging && (await followed())) run(backend);
  };
  const close = () => {
    if (running) stopHunt();
    onClose();
  };
  return (
    <Dialog title="Mutate until it diverges" onClose={close}>
      <form class="form" onSubmit={begin}>
        <p class="soft">
          Draws mutations of all kinds, also such that change the result in eager too, runs each mutant plain and
          compiled, and stops at the first one on which these two differ. The steps of that mutant then follow those in
          the list; undo takes them away.
        </p>
        <fieldset disabled={running}>
          <label class="field">
            Backend
            <Select
              label="Backend"
              value={backend}
              onChange={setBackend}
              options={backends.map(({ name, says }) => [name, `${name}: ${says}`])}
            />
          </label>
          <OnlyField value={only} onChange={setOnly} />
          <SeedField says="Seed: the same seed tries the same mutants" value={seed} onChange={setSeed} />
        </fieldset>
        <div role="status">
          {running && (
            <>
              <div class="progress" role="progressbar" aria-label="Search">
                <span />
              </div>
              <p>
                {plural(state.tried, "mutant")} tried in {secondsText(state.seconds)} · {state.says}
              </p>
            </>
          )}
          {state.state === "failed" && <p class="problem">{state.error}</p>}
          {state.state === "cancelled" && <p>Stopped after {plural(state.tried, "mutant")}; none of them diverged.</p>}
          {found && (
            <p class="found">
              <strong>
                {found.added > 0
                  ? `Diverges after ${plural(found.count, "step")}.`
                  : "The program itself diverges: no further step was needed."}
              </strong>{" "}
              {found.verdict?.reason}
            </p>
          )}
        </div>
        <div class="form-foot">
          {running ? (
            <Button kind="danger" onClick={stopHunt}>
              Stop
            </Button>
          ) : (
            <button type="submit" class="button primary">
              {found ? "Search again" : "Begin"}
            </button>
          )}
          {found && <Button onClick={close}>Show the program</Button>}
        </div>
      </form>
    </Dialog>
  );
}
