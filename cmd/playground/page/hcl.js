// How a fabric is coloured and indented.
import { StreamLanguage, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const hcl = StreamLanguage.define({
  name: "roceplan",
  startState: () => ({ comment: false, depth: 0 }),
  copyState: s => ({ ...s }),
  token(stream, state) {
    if (state.comment || stream.match("/*")) {
      state.comment = !stream.match(/^.*?\*\//);
      if (state.comment) stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^(#|\/\/).*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^\d[\d.]*/)) return "number";
    if (stream.match(/^(true|false|null|for|in|if)\b/)) return "keyword";
    if (stream.match(/^[a-z_][\w-]*(?=\s*("[^"]*"\s*)*\{)/)) return "typeName";
    if (stream.match(/^[a-z_][\w-]*(?=\s*=[^=])/)) return "propertyName";
    if (stream.match(/^[a-zA-Z_][\w-]*/)) return "variableName";
    const c = stream.next();
    if ("{[(".includes(c)) state.depth++;
    if ("}])".includes(c)) state.depth = Math.max(0, state.depth - 1);
    return null;
  },
  indent: (state, after, cx) => Math.max(0, state.depth - /^\s*[}\])]/.test(after)) * cx.unit,
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] }, indentOnInput: /^\s*[}\])]$/ },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--comment)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.keyword], color: "var(--number)" },
  { tag: tags.typeName, color: "var(--block)", fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--name)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--fg)", backgroundColor: "var(--bg)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace" },
  ".cm-content": { caretColor: "var(--fg)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "#8881" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--mark) !important" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--card)", color: "var(--fg)", border: "1px solid var(--line)" },
  ".cm-tooltip": { maxWidth: "min(600px, 95vw)", maxHeight: "60vh", overflow: "auto" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--mark)", color: "var(--fg)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { backgroundColor: "var(--mark)", color: "var(--fg)", border: "1px solid var(--line)", fontSize: "12px" },
});

// look is the editor in the colours of the page.
export const look = () => [theme, syntaxHighlighting(colours), EditorView.darkTheme.of(matchMedia("(prefers-color-scheme: dark)").matches)];
