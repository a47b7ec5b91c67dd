// Program text that is only read, with the editor's colours.
import { highlightCode, tagHighlighter, tags as t } from "@lezer/highlight";
import { parser } from "@lezer/python";
import { useMemo } from "preact/hooks";

const HIGHLIGHTED = 60000; // characters; longer texts stay plain

const classes = tagHighlighter([
  { tag: [t.keyword, t.controlKeyword, t.operatorKeyword, t.definitionKeyword, t.moduleKeyword], class: "c-keyword" },
  { tag: [t.string, t.special(t.string)], class: "c-string" },
  { tag: [t.number, t.bool, t.null], class: "c-number" },
  { tag: [t.comment], class: "c-comment" },
  {
    tag: [t.function(t.variableName), t.function(t.definition(t.variableName)), t.function(t.propertyName)],
    class: "c-function",
  },
]);

/** A text as lines of spans. */
export function highlighted(text) {
  if (text.length > HIGHLIGHTED) return text.split("\n").map((line) => [line]);
  const lines = [[]];
  const put = (piece, kind) => lines.at(-1).push(kind ? <span class={kind}>{piece}</span> : piece);
  highlightCode(text, parser.parse(text), classes, put, () => lines.push([]));
  return lines;
}

export function Code({ text, label, marked = new Set() }) {
  const lines = useMemo(() => highlighted(text.trimEnd()), [text]);
  return (
    <pre class="code-block" tabIndex={0} role="group" aria-label={label}>
      {lines.map((line, i) => (
        <span key={i} class={`code-line ${marked.has(i + 1) ? "marked" : ""}`}>
          <span class="code-number" aria-hidden="true">
            {i + 1}
          </span>
          {line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
