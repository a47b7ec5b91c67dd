// What would happen at a line: shown beside its mark while the pointer is there, and until Escape after a click.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { session, sitesNow } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, plural } from "../ui/parts.jsx";
import { About } from "./about.jsx";
import { grouped } from "./filter.js";
import { SiteRow } from "./site.jsx";

const SHOWN = 3;
const WIDTH = 440; // as in the style sheet

// Beside the mark where there is room for that; else below or above its line.
const isBeside = (rect) => rect.right + WIDTH + 16 <= innerWidth;

function topFor(rect, height) {
  if (isBeside(rect)) return Math.max(8, Math.min(rect.top - 8, innerHeight - height - 8));
  return rect.bottom + height + 4 <= innerHeight ? rect.bottom + 2 : Math.max(8, rect.top - height - 2);
}

/** Focuses the first button; gives what puts the focus back where it was, or into the editor where it was nowhere. */
function takeFocus(popover) {
  const before = document.activeElement;
  popover.querySelector("button")?.focus();
  return () => {
    if (!popover.contains(document.activeElement) && document.activeElement !== document.body) return;
    const back = before !== document.body && before?.isConnected ? before : document.querySelector(".cm-content");
    back?.focus({ preventScroll: true });
  };
}

/** `shown` is {line, rect, pinned} or null. */
export function SitePopover({ shown, onEnter, onClose, onPin }) {
  const rows = useStore(session, sitesNow);
  const element = useRef(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const height = element.current.offsetHeight;
    setTop(topFor(shown.rect, height));
  }, [shown.line, shown.pinned]);
  useEffect(() => (shown.pinned ? takeFocus(element.current) : undefined), [shown.pinned, shown.line]);
  useEffect(() => {
    const onKey = (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && onClose();
    const onDown = (event) => !event.target.closest(".popover, .site-gutter, dialog") && onClose();
    addEventListener("keydown", onKey);
    addEventListener("pointerdown", onDown);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("pointerdown", onDown);
    };
  }, [shown.pinned, shown.line]);
  const here = rows.filter((row) => row.line === shown.line);
  const left = isBeside(shown.rect) ? shown.rect.right + 6 : 8;
  return (
    <div
      class="popover"
      role="dialog"
      aria-label={`Mutations at line ${shown.line}`}
      ref={element}
      style={`top: ${top}px; left: ${left}px`}
      onPointerEnter={onEnter}
      onPointerLeave={() => !shown.pinned && onClose()}
    >
      <header class="panel-head">
        <h2>
          Line {shown.line}: {plural(here.length, "site")}
        </h2>
        <div class="tools">
          <Button
            kind="quiet small"
            onClick={() => {
              session.set({ line: shown.line });
              onClose();
              requestAnimationFrame(() => document.querySelector(".sites .group summary")?.focus());
            }}
          >
            Show in list
          </Button>
          {shown.pinned ? (
            <Button kind="quiet small" label="Close" onClick={onClose}>
              ✕
            </Button>
          ) : (
            <Button kind="quiet small" onClick={onPin}>
              Keep open
            </Button>
          )}
        </div>
      </header>
      <div class="popover-body">
        {grouped(here).map((group) => (
          <Few key={group.mutation} {...group} onApplied={onClose} />
        ))}
      </div>
    </div>
  );
}

function Few({ mutation, rows, onApplied }) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, SHOWN);
  return (
    <div class="few">
      <About mutation={mutation} />
      <ul class="site-list">
        {shown.map((row) => (
          <SiteRow key={row.apply} row={row} showLine={false} onApplied={onApplied} />
        ))}
      </ul>
      {shown.length < rows.length && (
        <Button kind="quiet small" onClick={() => setAll(true)}>
          {plural(rows.length - shown.length, "more site")}
        </Button>
      )}
    </div>
  );
}
