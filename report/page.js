const store = JSON.parse(document.getElementById("store").textContent);
const heads = {
  checks: ["inequality", "where", "left", "right", "slack", "used"],
  obligations: ["obligation", "where", "left", "right", "verdict"],
  margins: ["port group", "longest cable", "largest fan-in", "largest MTU", "most lossless classes"],
};
function add(to, name, text) { const e = to.appendChild(document.createElement(name)); if (text !== undefined) e.textContent = text; return e; }
function unfold(d) {
  if (d.children.length > 1) return;
  const kind = d.dataset.kind, rows = store.tables[d.dataset.table].map(r => r.map(i => store.texts[i]));
  const wide = add(d, kind === "picture" ? "figure" : "div");
  if (kind === "picture") { wide.innerHTML = rows[0][0]; return; }
  const table = add(wide, "table");
  wide.className = "wide";
  const head = add(table, "tr");
  for (const h of heads[kind]) add(head, "th", h);
  for (const row of rows) {
    const tr = add(table, "tr");
    heads[kind].forEach((h, i) => {
      if (h === "used") { const bar = add(add(tr, "td"), "span"); bar.className = "use"; add(bar, "i").style.width = row[i] + "%"; }
      else add(tr, "td", row[i]);
    });
    if (kind === "obligations") tr.title = row[5];
    if (kind === "checks" && row[6]) tr.className = "fails";
  }
}
const folded = [...document.querySelectorAll("details[data-kind]")];
for (const d of folded) d.addEventListener("toggle", () => unfold(d));
// On paper nothing can be unfolded; of more shapes than anybody reads on paper, tables stay folded.
addEventListener("beforeprint", () => {
  const shown = folded.filter(d => !d.closest("section").hidden);
  if (shown.length <= 200) shown.forEach(d => { unfold(d); d.open = true; });
});
const filter = document.getElementById("filter"), shown = document.getElementById("shown"), all = [...document.querySelectorAll("section.shape")];
if (filter) filter.addEventListener("input", () => {
  let n = 0;
  for (const s of all) { const on = s.dataset.names.includes(filter.value.trim()); s.hidden = !on; n += on; }
  shown.textContent = filter.value ? n + " of " + all.length + " shapes" : "";
});
