package adopt

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/units"
)

func (s *sketch) writeClos(w writer, c clos) {
	b := w.block("clos", c.name)
	b.side("lower", c.lower.block)
	b.side("upper", c.upper.block)
	b.text("lower_ports", c.lower.name)
	b.text("upper_ports", c.upper.name)
	if c.perPair > 1 {
		b.number("links_per_pair", int64(c.perPair))
	}
}

// side names a block, or its devices where it has no name that can be referred to.
func (w writer) side(name string, b *block) {
	if isName(b.ref()) {
		w.refer(name, "switch", b.ref())
		return
	}
	w.texts(name, fold(b.shape.Names))
}

// writeLinks lets the table of cables drive the links. A row whose length is not filled in
// says where the cable leads, and leaves the length open.
func (s *sketch) writeLinks(w writer) {
	if len(s.rows) == 0 {
		return
	}
	open := slices.ContainsFunc(s.rows, func(c cable) bool { return c.length == 0 })
	w.AppendNewline()
	if open {
		w.comment(fmt.Sprintf("TO FILL IN: lengths that no file gives, in the column metres of %s. The column at_most has the lengths that the present headroom allows.", CablesFile))
	}
	b := writer{w.AppendNewBlock("link", nil).Body()}
	b.raw("for_each", fmt.Sprintf("{ for c in csvdecode(file(%q)) : \"${c.switch}:${c.port}\" => c }", CablesFile))
	b.raw("a", "each.key")
	b.raw("b", `each.value.far != "" ? each.value.far : null`)
	b.raw("cable", `each.value.metres != "" ? "${each.value.metres}m" : null`)
}

// csv returns the table of cables. With fill, unknown lengths are 1 m, for a trial.
func (s *sketch) csv(fill bool) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	row := func(cells ...string) { w.Write(cells) } // a buffer takes all
	row("switch", "port", "far", "metres", "at_most")
	for _, c := range s.rows {
		far := ""
		if c.b.Switch != "" {
			far = c.b.Switch + ":" + c.b.Port
		}
		length := ""
		if c.length > 0 {
			length = strings.TrimSuffix(metres(c.length), "m")
		} else if fill {
			length = "1"
		}
		row(c.a.Switch, c.a.Port, far, length, c.most)
	}
	w.Flush()
	return b.Bytes()
}

// metres writes a length in metres, with three places at the most.
func metres(l units.Length) string {
	whole, rest := l/units.Metre, l%units.Metre
	if rest == 0 {
		return fmt.Sprintf("%dm", int64(whole))
	}
	return strings.TrimRight(fmt.Sprintf("%d.%03d", int64(whole), int64(rest)), "0") + "m"
}
