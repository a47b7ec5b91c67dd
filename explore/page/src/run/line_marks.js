// Lines of the program that a run has said something of: graph breaks, recompiles, the node chosen in a graph.
import { useMemo } from "preact/hooks";
import { createStore, useStore } from "../state/store.js";
import { runs } from "./runs.js";

/** {line, nonce}: the line to bring into view; set by `pointTo`. */
export const pointed = createStore({ at: null });

export const pointTo = (line) => line > 0 && pointed.set({ at: { line } });

/** {marks, reveal} for the editor, if the chosen run is one of `text`. */
export function useLineMarks(text) {
  const row = useStore(runs, (value) => value.rows[value.chosen]);
  const reveal = useStore(pointed, (value) => value.at);
  const marks = useMemo(() => {
    const report = row?.source === text ? row.compiled : null;
    const breaks = (report?.breaks ?? []).map(({ line, reason }) => ({
      line,
      kind: "break",
      says: `Graph break: ${reason}`,
    }));
    const again = (report?.recompiles ?? []).map(({ line, reason, says }) => ({
      line,
      kind: "recompile",
      says: `Recompiled: ${says || reason}`,
    }));
    const node = reveal ? [{ line: reveal.line, kind: "pointed", says: "Chosen on the right" }] : [];
    return [...breaks, ...again, ...node];
  }, [row, text, reveal]);
  return { marks, reveal };
}
