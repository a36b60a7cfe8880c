package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A part is a share of the buffer with its purpose.
type part struct {
	name  string
	bytes units.Bytes
	class string // of the style
}

// partsOf divides the buffer of a switch as the inequality buffer-fits does: reserves, headroom,
// and what is left for all to share.
func partsOf(sw *plan.Switch) (parts []part, total units.Bytes) {
	i := slices.IndexFunc(sw.Checks, func(c plan.Check) bool { return c.ID == "buffer-fits" })
	if i < 0 {
		return nil, 0
	}
	total, _ = sw.Checks[i].Right.Value.(units.Bytes)
	left := total
	for _, t := range sw.Checks[i].Left.Terms {
		amount, ok := t.Why.Value.(units.Bytes)
		if !ok || t.Symbol == "least_shared" { // the least remainder is not a use of its own
			continue
		}
		parts = append(parts, part{cmp.Or(t.Why.Name, t.Symbol), amount, t.Symbol})
		left -= amount
	}
	return append(parts, part{"shared by all", left, "shared"}), total
}

// bufferPicture draws the buffer to scale, and below it how much of the shared part a single
// priority group may take before it pauses.
func bufferPicture(sw *plan.Switch) template.HTML {
	parts, total := partsOf(sw)
	if total <= 0 {
		return ""
	}
	const width, bar = 940.0, 46
	thresholds := thresholdsOf(sw)
	var out bytes.Buffer
	height := bar + 14 + 20*len(parts) + 22*len(thresholds)
	fmt.Fprintf(&out, `<svg viewBox="0 0 960 %d" width="960" role="img"><title>buffer of %s, to scale</title>`, height, template.HTMLEscapeString(total.String()))
	x, shared := 10.0, 10.0
	for i, p := range parts {
		w := width * float64(max(0, p.bytes)) / float64(total)
		fmt.Fprintf(&out, `<rect class="part %s" x="%.1f" y="4" width="%.1f" height="%d"><title>%s: %v</title></rect>`, p.class, x, w, bar, template.HTMLEscapeString(p.name), p.bytes)
		fmt.Fprintf(&out, `<rect class="part %s" x="%d" y="%d" width="12" height="12"/><text x="%d" y="%d">%s: %s, %.1f %%</text>`,
			p.class, 10, bar+14+20*i, 28, bar+25+20*i, template.HTMLEscapeString(p.name), mebibytes(p.bytes), 100*float64(p.bytes)/float64(total))
		if p.class == "shared" {
			shared = x
		}
		x += w
	}
	y := bar + 14 + 20*len(parts)
	for _, t := range thresholds {
		end := shared + width*float64(t.bytes)/float64(total)
		fmt.Fprintf(&out, `<path class="xoff" d="M%.1f %dV%dH%.1fV%d"/><text x="%.1f" y="%d">%s</text>`, shared, y, y+8, end, y, min(end+6, 640), y+10,
			template.HTMLEscapeString(fmt.Sprintf("%s: alone it pauses at %s", t.name, mebibytes(t.bytes))))
		y += 22
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

// thresholdsOf says what a lossless priority group may hold of the shared part where no other
// takes any: α/(1+α) of that of its slice, or its static limit.
func thresholdsOf(sw *plan.Switch) (out []part) {
	free := sliceShared(sw)
	if free <= 0 {
		return nil
	}
	for _, class := range sw.Classes {
		if !class.Lossless || len(out) == 4 {
			continue
		}
		for _, port := range sw.Ports {
			pg := port.QoS.PG(class.PG)
			if pg == nil || !pg.Lossless {
				continue
			}
			limit := pg.Limit.Value
			held := min(limit.Static, free)
			if limit.Dynamic {
				alpha := 1.0
				for range max(limit.Alpha, -limit.Alpha) {
					alpha *= 2
				}
				if limit.Alpha < 0 {
					alpha = 1 / alpha
				}
				held = units.Bytes(float64(free) * alpha / (1 + alpha))
			}
			out = append(out, part{name: fmt.Sprintf("a priority group of %s, %s", class.Name, limit), bytes: held})
			break
		}
	}
	return out
}

// sliceShared returns the shared part of a slice of the buffer, as the inequalities have it: a port
// takes from its own slice alone.
func sliceShared(sw *plan.Switch) (shared units.Bytes) {
	var find func(w *plan.Why)
	find = func(w *plan.Why) {
		if w == nil || shared > 0 {
			return
		}
		if w.ID == "shared-buffer" {
			shared, _ = w.Value.(units.Bytes)
		}
		for _, t := range w.Terms {
			find(t.Why)
		}
	}
	for _, c := range sw.Checks {
		find(c.Right)
	}
	return shared
}

// mebibytes writes an amount for the eye.
func mebibytes(b units.Bytes) string { return fmt.Sprintf("%.2f MiB", float64(b)/float64(units.MiB)) }
