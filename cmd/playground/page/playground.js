const $ = id => document.getElementById(id);
const views = { check: "Findings", compile: "Files", explain: "Explain", report: "Report" };
let files = [];
for (const [name, title] of Object.entries(views)) {
  const b = $("views").appendChild(document.createElement("button"));
  b.textContent = title;
  b.dataset.view = name;
  b.onclick = () => { document.body.dataset.view = name; run(); };
}
function show(text) { const pre = document.createElement("pre"); pre.id = "out"; pre.textContent = text; document.querySelector("main").replaceChildren(pre); }
function run() {
  const view = document.body.dataset.view, began = performance.now();
  for (const b of $("views").children) b.setAttribute("aria-pressed", b.dataset.view === view);
  const got = JSON.parse(roceplan[view]($("text").value, $("what").value.trim()));
  $("status").textContent = Math.round(performance.now() - began) + " ms";
  if (got.error) return show(got.error);
  if (view === "compile") {
    files = got.files;
    $("file").replaceChildren(...files.map((f, i) => new Option(f.name + " · " + f.verdict, i)));
    return show(files.length ? files[0].text : "There are errors: see the findings.");
  }
  if (view === "report") {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.srcdoc = got.page;
    return document.querySelector("main").replaceChildren(frame);
  }
  show(got.text || "No findings.");
}
let timer;
$("text").oninput = () => { clearTimeout(timer); timer = setTimeout(run, 250); };
$("what").onchange = run;
$("file").onchange = () => show(files[$("file").value].text);
$("format").onclick = () => { const got = JSON.parse(roceplan.format($("text").value)); if (!got.errors) $("text").value = got.text; run(); };
(async () => {
  const go = new Go();
  const program = await WebAssembly.instantiateStreaming(fetch("roceplan.wasm"), go.importObject);
  go.run(program.instance);
  $("text").value = await (await fetch("fabric.hcl")).text();
  const first = $("text").value.match(/^switch "([^"[]+)/m);
  $("what").value = first ? first[1] + "01" : "";
  $("text").disabled = false;
  run();
  document.title = "roceplan playground, ready";
})();
