// What the page has to say: that the server ended, and messages about the last action.
import { useEffect, useState } from "preact/hooks";
import { lineOf } from "../state/lineage.js";
import { saveSession } from "../lineage/dialogs.jsx";
import { cancelWork } from "../state/making.js";
import { current, session, tryAgain } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, Copy, secondsText, Sentence } from "../ui/parts.jsx";

const LATE = 300; // ms after which a step that is being made is told of: chosen, not measured
const EVERY = 3000; // milliseconds between two questions whether the server is back: chosen, not measured

export function Notices() {
  const notice = useStore(session, (value) => value.notice);
  const ended = useStore(session, (value) => value.ended);
  const close = () => session.set({ notice: null });
  return (
    <div class="notices" aria-live="polite">
      {ended && <Ended />}
      <Working />
      {notice && (
        <div class={`notice ${notice.kind}`} role={notice.kind === "problem" ? "alert" : "status"}>
          <span>
            <Sentence text={notice.text} />
          </span>
          <Button kind="quiet small" label="Close the message" onClick={close}>
            ✕
          </Button>
        </div>
      )}
    </div>
  );
}

/** A step that is being made and takes a while, with a way to end it. */
function Working() {
  const working = useStore(session, (value) => value.working);
  const [late, setLate] = useState(false);
  const under = working !== null;
  useEffect(() => {
    if (!under) return setLate(false);
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, [under]);
  if (!working || !late) return null;
  return (
    <div class="notice" role="status">
      <span>
        <span class="spinner" aria-hidden="true" /> {working.says}
        {working.added > 0 && `, ${working.added} added`} · {secondsText(working.seconds)}
      </span>
      <Button kind="danger small" label="Cancel what is being made" onClick={cancelWork}>
        Cancel
      </Button>
    </div>
  );
}

function Ended() {
  const document = useStore(session, () => current());
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    const timer = setInterval(tryAgain, EVERY);
    return () => clearInterval(timer);
  }, []);
  const ask = async () => {
    setAsking(true);
    await tryAgain();
    setAsking(false);
  };
  return (
    <div class="notice ended" role="alert">
      <div>
        <strong>The server has ended.</strong> Nothing is lost: this page keeps your program and its steps, and goes on
        by itself should the server answer again. To go on with another one, save here, start{" "}
        <code>jitprobe explore</code>, and open the saved file there.
      </div>
      <div class="row-of-buttons">
        {document && (
          <Button kind="primary small" onClick={saveSession}>
            Save start and steps
          </Button>
        )}
        {document?.steps.length > 0 && (
          <Copy text={lineOf(document.steps)} kind="small">
            Copy the steps as a line
          </Copy>
        )}
        <Button kind="small" disabled={asking} onClick={ask}>
          Try again
        </Button>
      </div>
    </div>
  );
}
