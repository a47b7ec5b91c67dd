// The bar at the top: where you are, and what can be opened.
import { useState } from "preact/hooks";
import { session } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, Dialog } from "../ui/parts.jsx";
import { Begin } from "./begin.jsx";
import { ColoursButton } from "./colours.js";
import { HuntDialog } from "./hunt.jsx";
import { HelpDialog } from "./shortcuts.jsx";

export function Top({ view, onView }) {
  const start = useStore(session, (value) => value.start);
  const name = useStore(session, (value) => value.history?.present.name ?? "");
  const [dialog, setDialog] = useState("");
  const close = () => setDialog("");
  const program = view === "program" && name;
  return (
    <header class="top">
      <h1 class="brand" title={start ? `jitprobe ${start.version}` : ""}>
        jitprobe <span class="soft">explore</span>
      </h1>
      {start?.campaign && (
        <nav class="views" aria-label="Views">
          <button
            type="button"
            aria-current={view === "program" ? "page" : undefined}
            onClick={() => onView("program")}
          >
            Program
          </button>
          <button
            type="button"
            aria-current={view === "campaign" ? "page" : undefined}
            onClick={() => onView("campaign")}
          >
            Campaign
          </button>
        </nav>
      )}
      {program && (
        <span class="document-name" title={name}>
          {name}
        </span>
      )}
      <div class="top-tools">
        {program && <Button onClick={() => setDialog("open")}>Open…</Button>}
        {program && <Button onClick={() => setDialog("hunt")}>Mutate until it diverges…</Button>}
        {start?.torch && <span class="versions soft">torch {start.torch}</span>}
        <Button kind="quiet icon" label="Help and keys" onClick={() => setDialog("help")}>
          ?
        </Button>
        <ColoursButton />
      </div>
      {dialog === "open" && (
        <Dialog title="Open a program" wide onClose={close}>
          <Begin onDone={close} level={3} />
        </Dialog>
      )}
      {dialog === "hunt" && <HuntDialog onClose={close} />}
      {dialog === "help" && <HelpDialog onClose={close} />}
    </header>
  );
}
