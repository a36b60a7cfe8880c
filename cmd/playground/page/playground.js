// The page: an editor with the language server in one worker, and what commands say of the text from another.
import { basicSetup } from "codemirror";
import { EditorView, keymap } from "@codemirror/view";
import { EditorState } from "@codemirror/state";
import { indentWithTab } from "@codemirror/commands";
import { startServer } from "./editor.js";
import { hcl, look } from "./hcl.js";
import { Program } from "./program.js";
import { shared, linkTo } from "./share.js";

const $ = id => document.getElementById(id);
const views = { text: "Text", findings: "Findings", files: "Files", explain: "Explain", verify: "Verify", simulate: "Simulate", report: "Report" };
const main = document.querySelector("main");
let view, tools, files = [];

function add(to, name, text, kind) {
  const e = to.appendChild(document.createElement(name));
  if (text !== undefined) e.textContent = text;
  if (kind) e.className = kind;
  return e;
}
const text = () => view.state.doc.toString();

// replace puts another text into the editor; undo takes it back.
function replace(by) {
  const old = text();
  let from = 0, tail = 0;
  while (from < old.length && old[from] === by[from]) from++;
  while (tail < Math.min(old.length, by.length) - from && old[old.length - 1 - tail] === by[by.length - 1 - tail]) tail++;
  view.dispatch({ changes: { from, to: old.length - tail, insert: by.slice(from, by.length - tail) }, userEvent: "input.edit", scrollIntoView: true });
}

// apply adds a button that makes an edit which the program has tried on the text as it was.
function apply(to, edited, label) {
  const on = text(), button = add(to, "button", label);
  button.onclick = () => { if (text() === on) replace(edited); };
}

function list(title, lines, to) {
  if (!lines?.length) return;
  add(to, "p", title);
  const ul = add(to, "ul");
  for (const line of lines) add(ul, "li", line);
}

// Each view asks the program and draws what it says. It may ask and draw again.
const draw = {
  async findings(ask) {
    const show = found => {
      if (!found.list.length) add(main, "p", "No findings.");
      for (const f of found.list) {
        const div = add(main, "div", undefined, f.severity);
        // Lines of the fabric do not wrap: the caret is below what it points at.
        for (const [part, source] of f.text.matchAll(/((?:^ *\d* \|.*\n?)+)|(?:^(?! *\d* \|).*\n?)+/gm)) add(div, "pre", part, source && "source");
        if (f.edited) apply(div, f.edited, "Apply the edit");
      }
    };
    const found = await ask("findings");
    show(found);
    if (!found.list.length) return;
    const repaired = await ask("repairs");
    main.replaceChildren();
    show(repaired);
  },
  async files(ask) {
    files = (await ask("files")).list;
    const was = $("file").selectedOptions[0]?.text;
    $("file").replaceChildren(...files.map((f, i) => new Option(f.name + (f.verdict ? " · " + f.verdict : ""), i)));
    $("file").selectedIndex = Math.max(0, [...$("file").options].findIndex(o => o.text === was));
    showFile();
  },
  async explain(ask) {
    const got = await ask("explain", $("what").value.trim());
    if ($("what") !== document.activeElement || !$("what").value) $("what").value = got.asked;
    $("choices").replaceChildren(...got.choices.slice(0, 300).map(c => new Option(c)));
    add(main, "pre", got.text);
  },
  async verify(ask) {
    const got = await ask("verify");
    for (const s of got.list) {
      const h = add(main, "h2", s.switches + ": ");
      add(h, "span", s.verdict, s.verdict.replace(" ", "-"));
      add(main, "p", s.coverage, "dim");
      list("Because:", s.because, main);
      list("It holds if:", s.conditions, main);
      list("It rests on what was declared:", s.declared, main);
      if (s.findings) add(main, "pre", s.findings);
    }
    if (!got.list.some(s => s.conditions?.length)) return;
    const wait = add(main, "p", "Edits that prove it are being tried…", "dim"), { list: offers } = await ask("offers");
    wait.textContent = "What makes conditions needless:";
    for (const o of offers) {
      add(main, "h2", o.condition);
      if (o.why) add(main, "p", o.why);
      for (const w of o.ways) { const p = add(main, "p", w.text + " "); apply(p, w.edited, "Apply"); }
    }
  },
  async simulate(ask) {
    const { list: known } = await ask("scenarios"), was = $("scenario").value;
    $("scenario").replaceChildren(...known.map(s => new Option(s.name)));
    $("scenario").value = known.some(s => s.name === was) ? was : known.some(s => s.name === "incast-8") ? "incast-8" : known[0]?.name;
    add(main, "p", known.find(s => s.name === $("scenario").value)?.doc ?? "");
    add(main, "p", "Run sends its packets through the fabric, in this page.", "dim");
  },
  async run(ask) {
    const got = await ask("simulate", $("scenario").value);
    const h = add(main, "h2", $("scenario").value + ": ");
    add(h, "span", got.missed?.length ? "missed " + got.missed.join(", ") : "goals met", got.missed?.length ? "missed" : "proved");
    add(main, "p", got.doc);
    add(main, "p", got.facts);
    if (got.plot) add(main, "figure").innerHTML = got.plot;
    list("Notes:", got.notes, main);
  },
  async report(ask) {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.srcdoc = (await ask("report")).page;
    main.replaceChildren(frame);
  },
};

function showFile() {
  const file = files[$("file").value];
  main.replaceChildren();
  add(main, "pre", file ? file.text : "");
}

let turn = 0;
// show draws a view of the text as it is. What an older call is still waiting for is not drawn.
async function show(name) {
  const mine = ++turn, began = performance.now();
  const ask = async (call, ...args) => {
    const got = await tools.ask(call, text(), ...args);
    if (mine !== turn) throw "old";
    if (got.error) throw got.error;
    return got;
  };
  $("status").dataset.on = "";
  $("status").textContent = "working…";
  const slow = setTimeout(() => { $("stop").hidden = mine !== turn; }, 2000);
  let cleared = false;
  const first = async (call, ...args) => {
    const got = await ask(call, ...args);
    if (!cleared) main.replaceChildren();
    cleared = true;
    return got;
  };
  main.dataset.view = name;
  let failed = "";
  try { await draw[name](first); } catch (why) { failed = why; }
  clearTimeout(slow);
  if (mine !== turn) return;
  if (failed) { main.replaceChildren(); add(main, "pre", String(failed)); }
  $("stop").hidden = true;
  delete $("status").dataset.on;
  $("status").textContent = Math.round(performance.now() - began) + " ms";
}

function turnTo(name) {
  document.body.dataset.view = name;
  for (const b of $("views").children) b.setAttribute("aria-pressed", b.dataset.view === name);
  if (name !== "text") show(name);
}

function changed() {
  try { localStorage.setItem("fabric", text()); } catch { /* a private window keeps nothing */ }
  $("shared").hidden = true;
  if (document.body.dataset.view !== "text") show(document.body.dataset.view);
}

function buttons() {
  for (const [name, title] of Object.entries(views)) {
    const b = add($("views"), "button", title);
    b.dataset.view = name;
    if (name === "text") b.id = "textview";
    b.onclick = () => turnTo(name);
  }
  $("what").onchange = () => show("explain");
  $("file").onchange = showFile;
  $("scenario").onchange = () => show("simulate");
  $("run").onclick = () => show("run");
  $("format").onclick = async () => { const got = await tools.ask("format", text()); if (!got.errors) replace(got.text); };
  $("share").onclick = async () => {
    $("link").value = await linkTo(text());
    $("shared").hidden = false;
    $("link").select();
    try { await navigator.clipboard.writeText($("link").value); $("status").textContent = "the link is in the clipboard"; } catch { $("status").textContent = "copy the link"; }
  };
  $("stop").onclick = () => { turn++; tools.restart(); $("stop").hidden = true; delete $("status").dataset.on; $("status").textContent = "stopped"; };
}

async function examples() {
  for (const name of (await (await fetch("examples/index.txt")).text()).trim().split("\n")) $("examples").append(new Option(name));
  $("examples").onchange = async () => {
    if ($("examples").value) replace(await (await fetch("examples/" + $("examples").value)).text());
    $("examples").value = "";
  };
}

async function start() {
  const first = matchMedia("(max-width: 700px)").matches ? "text" : "findings";
  document.body.dataset.view = first;
  buttons();
  const kept = (() => { try { return localStorage.getItem("fabric"); } catch { return null; } })();
  const begin = await shared(location.hash) ?? kept ?? await (await fetch("fabric.hcl")).text();
  let later;
  view = new EditorView({
    parent: $("editor"),
    state: EditorState.create({ doc: begin, extensions: [basicSetup, keymap.of([indentWithTab]), hcl, look(),
      EditorView.contentAttributes.of({ "aria-label": "Fabric" }),
      EditorView.updateListener.of(u => { if (u.docChanged) { clearTimeout(later); later = setTimeout(changed, 300); } })] }),
  });
  // No server packs or unpacks a file of this name on the way.
  const packed = (await fetch("roceplan.wasm.packed")).body.pipeThrough(new DecompressionStream("gzip"));
  const module = await WebAssembly.compileStreaming(new Response(packed, { headers: { "Content-Type": "application/wasm" } }));
  tools = new Program(module);
  await tools.ready;
  turnTo(first);
  document.title = "roceplan playground, ready";
  const server = new Program(module);
  await server.ready;
  startServer(view, server);
  examples();
  window.playground = { view, text, replace, ask: (name, ...args) => tools.ask(name, text(), ...args) }; // for the console, and for tests
}
start().catch(why => { $("status").textContent = String(why); });
