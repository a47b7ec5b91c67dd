// Ways to begin: a drawn program, an example, a file, an earlier document of this browser.
import { useRef, useState } from "preact/hooks";
import { openFile } from "../state/files.js";
import * as actions from "../state/session.js";
import { session } from "../state/session.js";
import { recent } from "../state/storage.js";
import { useStore } from "../state/store.js";
import { Button, plural, Sentence } from "../ui/parts.jsx";

const KINDS = [
  ["trophy", "Bugs that jitprobe found", "Small programs on which the compiler of some release is wrong."],
  ["model", "Models", "Networks written out in plain PyTorch."],
  ["program", "Programs", "Small programs to poke at."],
];

const SHORT = ["gru", "lstm", "mlp", "rnn", "cnn", "vae", "gcn", "gpt", "moe", "vit"];
// As their papers write them.
const NETWORKS = { mobilenet_v2: "MobileNetV2", resnet18: "ResNet-18", unet: "U-Net", vgg11: "VGG-11" };

// "models/lstm_cell" is "LSTM cell".
function titleOf(name) {
  const own = name.split("/").at(-1);
  if (own in NETWORKS) return NETWORKS[own];
  const words = own.split("_");
  const titled = words.map((word) => (SHORT.includes(word) ? word.toUpperCase() : word)).join(" ");
  return titled.charAt(0).toUpperCase() + titled.slice(1);
}

export function Begin({ onDone, level = 2 }) {
  const start = useStore(session, (value) => value.start);
  const ended = useStore(session, (value) => value.ended);
  const file = useRef(null);
  const [operators, setOperators] = useState(12);
  const Heading = `h${level}`;
  const then = (action) => async () => {
    onDone?.();
    await action();
  };
  const takeFile = async (event) => {
    const [chosen] = event.target.files;
    if (!chosen) return;
    onDone?.();
    await openFile(chosen);
  };
  if (!start)
    return (
      <p class="empty" role="status">
        {ended ? "No server answers, so nothing can be opened." : "Asking the server what can be opened …"}
      </p>
    );
  return (
    <div class="begin">
      {!onDone && (
        <p class="lead">
          Choose a program, change it step by step with mutations whose effect on the result is known, and see what the
          compiler does differently.
        </p>
      )}
      <section class="begin-actions">
        <div class="card">
          <Heading>Draw a program</Heading>
          <p class="soft">A new random program that eager runs.</p>
          <label class="inline">
            operator calls{" "}
            <input
              type="number"
              min="1"
              max="200"
              value={operators}
              onInput={(event) => setOperators(Number(event.target.value) || 12)}
            />
          </label>
          <Button kind="primary" onClick={then(() => actions.drawAnother(operators))}>
            Draw another
          </Button>
        </div>
        <div class="card">
          <Heading>Open a file</Heading>
          <p class="soft">
            A Python file that defines <code>program</code>, or steps that this page saved. It stays on this machine.
          </p>
          <input ref={file} type="file" accept=".py,.json" hidden onChange={takeFile} aria-label="Program file" />
          <Button onClick={() => file.current.click()}>Choose a file…</Button>
        </div>
        <Recent onDone={onDone} Heading={Heading} />
      </section>
      {KINDS.map(([kind, title, says]) => {
        const rows = start.examples.filter((example) => example.kind === kind);
        if (rows.length === 0) return null;
        return (
          <section key={kind}>
            <Heading>{title}</Heading>
            <p class="soft">{says}</p>
            <ul class="examples">
              {rows.map((example) => (
                <li key={example.name}>
                  <button type="button" class="card example" onClick={then(() => actions.openExample(example.name))}>
                    <strong>{titleOf(example.name)}</strong>
                    <span class="soft">
                      <Sentence text={example.says} />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Recent({ onDone, Heading }) {
  const rows = recent()
    .filter((row) => row.id !== session.get().id)
    .slice(0, 5);
  if (rows.length === 0) return null;
  return (
    <div class="card">
      <Heading>Recent</Heading>
      <ul class="plain">
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              class="link"
              onClick={() => {
                onDone?.();
                actions.openRecent(row.id);
              }}
            >
              {row.name}
            </button>{" "}
            <span class="soft">
              {plural(row.steps, "step")},{" "}
              {new Date(row.at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
