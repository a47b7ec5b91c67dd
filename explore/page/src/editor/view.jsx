// The left side: the program, what is shown of its changes, and the mutations that apply to it.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLineMarks } from "../run/line_marks.js";
import { countsByLine } from "../sites/filter.js";
import { SitesPanel } from "../sites/panel.jsx";
import { SitePopover } from "../sites/popover.jsx";
import { discardDraft, edit, session, sitesNow, takeDraft } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, Panel, plural, Segments } from "../ui/parts.jsx";
import { Editor } from "./editor.jsx";
import { shownTexts } from "./shown.js";

const CROSSING = 300; // ms that the pointer has from a mark to what it shows; chosen, not measured

export function ProgramView() {
  const document = useStore(session, (value) => value.history.present);
  const replayed = useStore(session, (value) => value.replayed);
  const compare = useStore(session, (value) => value.compare);
  const sites = useStore(session, sitesNow);
  const { text, original, final } = useMemo(
    () => shownTexts(document, replayed, compare),
    [document, replayed, compare],
  );
  const draft = useStore(session, (value) => value.draft);
  const edited = draft?.text ?? null;
  const [hovered, setHovered] = useState(null);
  const counts = useMemo(
    () => (final && edited === null ? countsByLine(sites) : new Map()),
    [sites, final, edited],
  );
  const { marks, reveal } = useLineMarks(text);
  useEffect(() => setHovered(null), [text]);
  const onEdit = (typed) => (typed === text ? discardDraft() : edit(typed));
  const leaving = useRef(null);
  const stay = () => {
    clearTimeout(leaving.current);
    leaving.current = null;
  };
  const leave = () => {
    leaving.current ??= setTimeout(() => {
      leaving.current = null;
      setHovered((now) => (now?.pinned ? now : null));
    }, CROSSING);
  };
  useEffect(() => stay, []);
  const showSites = (pinned) => (line, element) => {
    stay();
    if (!countsByLine(sitesNow()).get(line)) return;
    const rect = element.getBoundingClientRect();
    setHovered((now) => (!pinned && now?.pinned ? now : !pinned && now?.line === line ? now : { line, rect, pinned }));
  };
  return (
    <div class="column program">
      <Panel title="Program" class="editor-panel" tools={<CompareChoice document={document} compare={compare} />}>
        {draft?.onSteps && <EditBar />}
        {!final && !draft && (
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
          onLeave={leave}
          onSites={showSites(true)}
        />
        {hovered && (
          <SitePopover
            shown={hovered}
            onEnter={stay}
            onClose={() => setHovered(null)}
            onPin={() => setHovered({ ...hovered, pinned: true })}
          />
        )}
      </Panel>
      <SitesPanel edited={edited !== null} />
    </div>
  );
}

function EditBar() {
  return (
    <div class="bar" role="status">
      <span>You changed the mutated program. As a new start, its steps are part of the text; undo brings them back.</span>
      <Button kind="primary small" onClick={takeDraft}>
        Make it the new start
      </Button>
      <Button kind="quiet small" onClick={discardDraft}>
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
