// Small parts that all views are made of.
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

export function Button({ children, kind = "plain", label, ...rest }) {
  return (
    <button type="button" class={`button ${kind}`} aria-label={label} title={label} {...rest}>
      {children}
    </button>
  );
}

/** A seed that is drawn from; `says` tells what the same seed gives again. */
export function SeedField({ says, value, onChange }) {
  return (
    <label class="field">
      {says}
      <input type="number" min="0" step="1" value={value} onInput={(event) => onChange(event.target.value)} required />
    </label>
  );
}

/** Which mutations may be drawn. */
export function OnlyField({ value, onChange }) {
  return (
    <label class="field">
      Only these mutations (names, separated by commas; empty for all)
      <input class="code" value={value} onInput={(event) => onChange(event.target.value)} />
    </label>
  );
}

/** A titled part of the page. `says` explains it while it is empty. */
export function Panel({ title, tools, children, says, level = 2, class: more = "" }) {
  const id = useId();
  const Heading = `h${level}`;
  return (
    <section class={`panel ${more}`} aria-labelledby={id}>
      <header class="panel-head">
        <Heading id={id}>{title}</Heading>
        <div class="tools">{tools}</div>
      </header>
      {says && <p class="empty">{says}</p>}
      {children}
    </section>
  );
}

/** Tabs after the pattern of the ARIA practices: arrows move, Home and End jump. tabs: [{id, title, badge}] */
export function Tabs({ tabs, chosen, onChoose, label, children }) {
  const base = useId();
  const list = useRef(null);
  const onKeyDown = (event) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    onChoose(tabs[index].id);
    list.current.children[index].focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, title, badge }) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`${base}-${id}`}
            aria-selected={id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {title}
            {badge !== undefined && badge !== "" && <span class="badge">{badge}</span>}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </>
  );
}

/** One of a few values. options: [[value, text, explanation]] */
export function Segments({ label, options, value, onChange }) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([option, text, says]) => (
        <button
          type="button"
          key={option}
          aria-pressed={option === value}
          title={says}
          onClick={() => onChange(option)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function Select({ label, options, value, onChange }) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A modal dialog; Escape closes it. */
export function Dialog({ title, onClose, children, wide = false }) {
  const element = useRef(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? "wide" : ""}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" label="Close" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** A button that copies a text and says so. */
export function Copy({ text, children = "Copy", kind = "plain" }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await putInClipboard(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <Button kind={kind} onClick={copy}>
      <span aria-live="polite">{done ? "Copied" : children}</span>
    </Button>
  );
}

async function putInClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const Tag = ({ kind = "", children, ...rest }) => (
  <span class={`tag ${kind}`} {...rest}>
    {children}
  </span>
);

/** A sentence in which what stands between backticks is code. */
export const Sentence = ({ text }) =>
  String(text ?? "")
    .split("`")
    .map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part));

export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

export function secondsText(seconds) {
  if (!(seconds >= 0)) return "";
  if (seconds < 0.1) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
