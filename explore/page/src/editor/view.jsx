// The left side: the program, what is shown of its changes, and the mutations that apply to it.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLineMarks } from "../run/line_marks.js";
import { countsByLine } from "../sites/filter.js";
import { SitesPanel } from "../sites/panel.jsx";
import { SitePopover } from "../sites/popover.jsx";
import { current, editStart, session, sitesNow } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, Panel, plural, Segments } from "../ui/parts.jsx";
import { Editor } from "./editor.jsx";
import { shownTexts } from "./shown.js";

export function ProgramView() {
  const document = useStore(session, (value) => value.history.present);
  const replayed = useStore(session, (value) => value.replayed);
  const compare = useStore(session, (value) => value.compare);
  const sites = useStore(session, sitesNow);
  const { text, original, final } = useMemo(
    () => shownTexts(document, replayed, compare),
    [document, replayed, compare],
  );
  const [edited, setEdited] = useState(null);
  const [hovered, setHovered] = useState(null);
  const counts = useMemo(
    () => (final && edited === null ? countsByLine(sites) : new Map()),
    [sites, final, edited],
  );
  const { marks, reveal } = useLineMarks(text);
  useEffect(() => setEdited(null), [text]);
  useEffect(() => setHovered(null), [text]);
  const onEdit = useEditing(document, setEdited);
  const showSites = (pinned) => (line, element) => {
    if (!countsByLine(sitesNow()).get(line)) return;
    const rect = element.getBoundingClientRect();
    setHovered((now) => (!pinned && now?.pinned ? now : !pinned && now?.line === line ? now : { line, rect, pinned }));
  };
  return (
    <div class="column program">
      <Panel title="Program" class="editor-panel" tools={<CompareChoice document={document} compare={compare} />}>
        {edited !== null && <EditBar text={edited} onDiscard={() => setEdited(null)} />}
        {!final && (
          <p class="bar">
            This is the program after the chosen step, not after all of them.{" "}
            <Button kind="quiet small" onClick={() => session.set({ compare: "last" })}>
              Show all steps
            </Button>
          </p>
        )}
        <Editor
          text={edited ?? text}
          original={edited === null ? original : null}
          counts={counts}
          marks={marks}
          reveal={reveal}
          onEdit={onEdit}
          onHover={showSites(false)}
          onSites={showSites(true)}
        />
        {hovered && (
          <SitePopover
            shown={hovered}
            onClose={() => setHovered(null)}
            onPin={() => setHovered({ ...hovered, pinned: true })}
          />
        )}
      </Panel>
      <SitesPanel edited={edited !== null} />
    </div>
  );
}

// Text typed into a program without steps is the start at once; with steps the user says what is to become of them.
function useEditing(document, setEdited) {
  const timer = useRef(0);
  return useCallback(
    (text) => {
      setEdited(text);
      clearTimeout(timer.current);
      if (document.steps.length > 0) return;
      timer.current = setTimeout(() => {
        if (current().steps.length === 0) editStart(text, true);
      }, 500);
    },
    [document],
  );
}

function EditBar({ text, onDiscard }) {
  const steps = useStore(session, (value) => value.history.present.steps.length);
  if (steps === 0) return null;
  return (
    <div class="bar" role="status">
      <span>You changed the mutated program. Its {plural(steps, "step")} become part of the text.</span>
      <Button kind="primary small" onClick={() => editStart(text, false)}>
        Make it the new start
      </Button>
      <Button kind="quiet small" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  );
}

function CompareChoice({ document, compare }) {
  if (document.steps.length === 0)
    return <span class="soft">{plural(document.program.source.trimEnd().split("\n").length, "line")}</span>;
  return (
    <Segments
      label="Changes shown"
      value={["none", "start"].includes(compare) ? compare : "last"}
      onChange={(value) => session.set({ compare: value })}
      options={[
        ["last", "Last step", "What the last step changed"],
        ["start", "Since start", "What all steps together changed"],
        ["none", "No diff", "The program alone"],
      ]}
    />
  );
}
