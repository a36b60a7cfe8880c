// The language server in the editor: findings with their edits, completion, what a value is and where it comes from,
// names, layout.
import { keymap, ViewPlugin } from "@codemirror/view";
import { StateEffect } from "@codemirror/state";
import { setDiagnostics } from "@codemirror/lint";
import { LSPClient, LSPPlugin, serverCompletion, hoverTooltips, signatureHelp, formatKeymap, renameKeymap, jumpToDefinitionKeymap, findReferencesKeymap } from "@codemirror/lsp-client";
import { hcl } from "./hcl.js";

const uri = "file:///fabric.hcl";

// plain keeps the elements of a text's HTML that Markdown makes: a shared fabric is another author's text.
const kept = new Set(["P", "PRE", "CODE", "UL", "OL", "LI", "B", "STRONG", "EM", "SPAN", "DIV", "BR", "HR", "H1", "H2", "H3", "H4", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD"]);
function plain(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const e of [...body.querySelectorAll("*")]) {
    for (const a of [...e.attributes]) if (a.name !== "class") e.removeAttribute(a.name);
    if (!kept.has(e.tagName)) e.replaceWith(document.createTextNode(e.textContent));
  }
  return body.innerHTML;
}

// findings shows what the server finds, and then the edits that it has tried.
const findings = {
  notificationHandlers: {
    "textDocument/publishDiagnostics": (client, { uri: of, version, diagnostics }) => {
      const file = client.workspace.getFile(of), view = file?.getView(), plugin = view && LSPPlugin.get(view);
      if (!plugin || version != null && version !== file.version) return true;
      const at = p => plugin.unsyncedChanges.mapPos(plugin.fromPosition(p, plugin.syncedDoc));
      const shown = diagnostics.map(d => ({ from: at(d.range.start), to: at(d.range.end), severity: d.severity === 1 ? "error" : "warning", source: d.code, message: d.message }));
      view.dispatch(setDiagnostics(view.state, shown));
      if (!diagnostics.length) return true;
      const doc = plugin.syncedDoc;
      // An open panel draws a finding once: with its edits it must be another object.
      Promise.all(diagnostics.map(async (d, i) => {
        const offered = await client.request("textDocument/codeAction", { textDocument: { uri }, range: d.range, context: { diagnostics: [d] } });
        const actions = (offered ?? []).filter(a => a.kind === "quickfix").map(action => {
          const changes = action.edit.changes[uri].map(e => ({ from: plugin.fromPosition(e.range.start, doc), to: plugin.fromPosition(e.range.end, doc), insert: e.newText }));
          return { name: action.title, apply: view => view.state.doc.eq(doc) && view.dispatch({ changes, userEvent: "input.edit" }) };
        });
        return { ...shown[i], actions };
      })).then(edits => { if (view.state.doc.eq(doc)) view.dispatch(setDiagnostics(view.state, edits)); }, () => { /* the text has changed */ });
      return true;
    },
  },
  // The server hears of a change when the typist pauses.
  editorExtension: ViewPlugin.fromClass(class {
    update(u) {
      if (!u.docChanged) return;
      clearTimeout(this.pending);
      this.pending = setTimeout(() => LSPPlugin.get(u.view)?.client.sync(), 100);
    }
    destroy() { clearTimeout(this.pending); }
  }),
};

// startServer connects an editor with a program.
export function startServer(view, program) {
  const handlers = new Set();
  program.heard = text => handlers.forEach(h => h(text));
  const client = new LSPClient({
    rootUri: "file:///", timeout: 30000, sanitizeHTML: plain, highlightLanguage: () => hcl,
    extensions: [findings, serverCompletion(), hoverTooltips(), signatureHelp(), keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap])],
  });
  client.connect({ send: text => program.worker.postMessage({ lsp: text }), subscribe: h => handlers.add(h), unsubscribe: h => handlers.delete(h) });
  view.dispatch({ effects: StateEffect.appendConfig.of(client.plugin(uri, "roceplan")) });
}
