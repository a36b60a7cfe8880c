package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// A Visit is a page to measure in a window of so many pixels, after a script has used it. The script is the body of
// an asynchronous function of its window, its document, and a function that measures the page as it is then; in the end
// it is measured anyway.
type Visit struct {
	Path  string `json:"path"`
	Width int    `json:"width"`
	Do    string `json:"do"`
}

// A Screen has the texts of a page that a reader could not read.
type Screen struct {
	Failed string   `json:"failed"` // why the script did not end
	Said   string   `json:"said"`   // what the script returned
	Wide   []string `json:"wide"`   // elements that make the page scroll sideways
	Small  []string `json:"small"`  // texts below 12 pixels, with their size
	Faint  []string `json:"faint"`  // texts whose contrast with what is behind them is below 4.5
}

// measuring shows each page in a frame as wide as its window would be, where media queries take the frame for the
// window. The contrast is that of WCAG 2.2, section 1.4.3.
const measuring = `<!doctype html><meta charset="utf-8"><body style="margin:0"><script>
const visits = VISITS, night = NIGHT;
const small = 11.99, faint = 4.5;
const rgb = c => c.match(/[\d.]+/g).map(Number);
const shade = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => { const [low, high] = [shade(a), shade(b)].sort((x, y) => x - y); return (high + 0.05) / (low + 0.05); };
function behind(e, view, dark) {
  for (; e; e = e.parentElement) {
    const c = rgb(view.getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0.5) return c;
  }
  return dark ? [18, 18, 18] : [255, 255, 255];
}
function measure(view, doc) {
  const out = {wide: [], small: [], faint: []}, root = doc.documentElement;
  const dark = view.matchMedia("(prefers-color-scheme: dark)").matches;
  if (dark !== night) throw new Error("the page has another colour scheme");
  const named = (e, what) => (e.localName + (e.className.length ? "." + e.className : "") + ": " + e.textContent.trim().slice(0, 60) + " " + what);
  const scrolls = e => { for (let p = e.parentElement; p && p !== doc.body; p = p.parentElement) if (/auto|scroll|hidden|clip/.test(view.getComputedStyle(p).overflowX)) return true; return false; };
  if (root.scrollWidth > root.clientWidth) {
    out.wide.push("the page: " + root.scrollWidth + " of " + root.clientWidth);
    for (const e of doc.body.querySelectorAll("*")) if (e.getBoundingClientRect().right > root.clientWidth + 1 && !scrolls(e)) out.wide.push(named(e, e.getBoundingClientRect().right));
  }
  for (const e of doc.body.querySelectorAll("*")) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || /^(script|style|title|option)$/.test(e.localName)) continue;
    const box = e.getBoundingClientRect(), style = view.getComputedStyle(e);
    if (box.width === 0 || box.height === 0 || style.visibility !== "visible" || !e.checkVisibility({contentVisibilityAuto: false})) continue;
    const matrix = e.ownerSVGElement ? e.getScreenCTM() : null, size = parseFloat(style.fontSize) * (matrix ? Math.hypot(matrix.c, matrix.d) : 1);
    if (size < small) out.small.push(named(e, size + "px"));
    const ratio = contrast(rgb(matrix ? style.fill : style.color), behind(e, view, dark));
    if (ratio < faint) out.faint.push(named(e, (matrix ? style.fill : style.color) + " " + ratio.toFixed(2)));
  }
  for (const kind in out) out[kind] = out[kind].slice(0, 8);
  return out;
}
(async () => {
  const screens = [];
  for (const v of visits) {
    const frame = document.createElement("iframe");
    frame.style = "border:0;height:900px;width:" + v.width + "px";
    frame.src = v.path;
    await new Promise(loaded => { frame.onload = loaded; document.body.replaceChildren(frame); });
    const view = frame.contentWindow, doc = frame.contentDocument;
    const screen = {failed: "", said: "", wide: [], small: [], faint: []};
    const look = () => { for (const [kind, list] of Object.entries(measure(view, doc))) screen[kind].push(...list); };
    try {
      screen.said = String(await new (Object.getPrototypeOf(async () => {}).constructor)("window", "document", "look", v.do)(view, doc, look) ?? "");
      look();
    } catch (why) { screen.failed = String(why.stack ?? why); }
    screens.push(screen);
  }
  fetch("/told", {method: "POST", body: JSON.stringify(screens)});
})();
</script>`

// Measure opens pages of a handler in Chromium, in the light or the dark that a reader chose, and measures them.
func Measure(t testing.TB, handler http.Handler, dark bool, visits []Visit) (screens []Screen) {
	t.Helper()
	list, err := json.Marshal(visits)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc("GET /measuring", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.NewReplacer("VISITS", string(list), "NIGHT", strconv.FormatBool(dark)).Replace(measuring))
	})
	scheme := 1
	if dark {
		scheme = 0
	}
	told := Ask(t, mux, "/measuring", fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme))
	if err := json.Unmarshal([]byte(told), &screens); err != nil || len(screens) != len(visits) {
		t.Fatalf("the browser says %.300s: %v", told, err)
	}
	return screens
}

// Legible fails a test for each text of pages that is too small or too faint, and each page that scrolls sideways, at
// 1,280 and at 400 pixels, in light and in dark. It returns the results of the scripts.
func Legible(t testing.TB, handler http.Handler, pages ...Visit) (said []string) {
	t.Helper()
	var visits []Visit
	for _, v := range pages {
		for _, v.Width = range []int{1280, 400} {
			visits = append(visits, v)
		}
	}
	for _, dark := range []bool{false, true} {
		for i, s := range Measure(t, handler, dark, visits) {
			said = append(said, s.Said)
			for what, list := range map[string][]string{"fails": {s.Failed}, "scrolls sideways": s.Wide, "has small text": s.Small, "has faint text": s.Faint} {
				for _, one := range list {
					if one != "" {
						t.Errorf("%s at %d pixels, dark %v: it %s: %s", visits[i].Path, visits[i].Width, dark, what, one)
					}
				}
			}
		}
	}
	return said
}
