// The editor's colours: variables of the page, so that light and dark need one theme.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

export const highlightStyle = HighlightStyle.define([
  {
    tag: [t.keyword, t.controlKeyword, t.operatorKeyword, t.definitionKeyword, t.moduleKeyword],
    color: "var(--code-keyword)",
  },
  { tag: [t.string, t.special(t.string)], color: "var(--code-string)" },
  { tag: [t.number, t.bool, t.null], color: "var(--code-number)" },
  { tag: [t.comment], color: "var(--code-comment)", fontStyle: "italic" },
  {
    tag: [t.function(t.variableName), t.function(t.definition(t.variableName)), t.function(t.propertyName)],
    color: "var(--code-function)",
  },
  { tag: [t.className, t.definition(t.className)], color: "var(--code-function)" },
]);

const look = EditorView.theme({
  "&": { fontSize: "var(--code-size)", backgroundColor: "var(--surface)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--code-font)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selection) !important" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--text-soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--line-active)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line-active)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 4px", minWidth: "28px" },
  ".cm-changedLine": { backgroundColor: "var(--added) !important" },
  ".cm-changedText": { background: "var(--added-strong) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--removed)", paddingLeft: "6px" },
  ".cm-deletedChunk .cm-deletedText": { background: "var(--removed-strong)" },
  ".cm-changeGutter": { width: "3px", paddingLeft: "1px" },
  ".cm-changedLineGutter": { background: "var(--agree)" },
  ".cm-deletedLineGutter": { background: "var(--diverge)" },
  ".cm-tooltip": {
    border: "1px solid var(--border-strong)",
    borderRadius: "8px",
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    boxShadow: "var(--shadow)",
  },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-collapsedLines": { background: "var(--raised)", color: "var(--text-soft)" },
});

export const theme = [look, syntaxHighlighting(highlightStyle)];
