// The program in CodeMirror: its text, what a step changed, sites beside the lines.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { foldHead, folding, isFolded, isOtherHead } from "./fold.js";
import { showLines, showSites, siteMarks } from "./marks.js";
import { theme } from "./theme.js";

const byPage = Annotation.define();
// What the page puts there is no typing: the editor's own undo takes back what the user typed, and nothing else.
const PUT_BY_PAGE = [byPage.of(true), Transaction.addToHistory.of(false)];

/**
 * `original` (or null) is the text that changes are shown against. `onEdit(text)` is called for what the user types,
 * `onHover(line, element)`, `onLeave()` and `onSites(line, element)` for marks of the gutter. `marks` are lines to
 * colour, `reveal` is {line} to scroll to. Ctrl+. asks for the sites of the cursor's line.
 */
export function Editor({ text, original, counts, marks, reveal, onEdit, onHover, onLeave, onSites }) {
  const element = useRef(null);
  const view = useRef(null);
  const compare = useRef(new Compartment());
  const handlers = useRef({});
  handlers.current = { onEdit, onHover, onLeave, onSites };

  useLayoutEffect(() => {
    const sitesOfCursor = (editor) => {
      const line = editor.state.doc.lineAt(editor.state.selection.main.head).number;
      handlers.current.onSites(line, editor.dom);
      return true;
    };
    view.current = new EditorView({
      parent: element.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          siteMarks({
            hover: (line, mark) => handlers.current.onHover(line, mark),
            leave: () => handlers.current.onLeave(),
            click: (line, mark) => handlers.current.onSites(line, mark),
          }),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of("    "),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          search({ top: true }),
          python(),
          folding,
          theme,
          EditorView.contentAttributes.of({ "aria-label": "Program", tabindex: "0" }),
          keymap.of([
            { key: "Mod-.", run: sitesOfCursor },
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...foldKeymap,
          ]),
          compare.current.of([]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.some((one) => one.annotation(byPage))) return;
            handlers.current.onEdit(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current.dispatch({ effects: foldHead(text) });
    element.current.editor = view.current;
    return () => view.current.destroy();
  }, []);

  // Before the browser paints: the diff is what was asked for.
  useLayoutEffect(() => {
    const editor = view.current;
    const shown = editor.state.doc.toString();
    const changed = shown !== text;
    const folded = isFolded(editor.state);
    editor.dispatch({
      ...(changed ? { changes: { from: 0, to: shown.length, insert: text }, annotations: PUT_BY_PAGE } : {}),
      effects: compare.current.reconfigure(comparison(original, text)),
    });
    if (!changed) return;
    if (folded || isOtherHead(shown, text)) editor.dispatch({ effects: foldHead(text) });
    showFirstChange(editor, original, text);
  }, [text, original]);

  useEffect(() => showSites(view.current, counts), [counts, text]);
  useEffect(() => showLines(view.current, marks), [marks, text]);
  useEffect(() => {
    if (!reveal?.line || reveal.line > view.current.state.doc.lines) return;
    const at = view.current.state.doc.line(reveal.line).from;
    view.current.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }, [reveal]);

  return <div class="editor" ref={element} />;
}

function comparison(original, text) {
  if (original === null || original === text) return [];
  return unifiedMergeView({
    original,
    mergeControls: false,
    gutter: true,
    highlightChanges: true,
    syntaxHighlightDeletions: true,
  });
}

// The first line that differs comes into view.
function showFirstChange(editor, original, text) {
  if (original === null) return;
  let at = 0;
  while (at < text.length && text[at] === original[at]) at++;
  editor.dispatch({ effects: EditorView.scrollIntoView(Math.min(at, editor.state.doc.length), { y: "center" }) });
}
