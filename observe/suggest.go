package observe

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// An Edit is one attribute of a fabric file that makes the plan true again.
type Edit struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Block     string `json:"block"`
	Attribute string `json:"attribute"`     // "cable", "pause_response"
	Was       string `json:"was,omitempty"` // empty where the attribute is new
	Value     string `json:"value"`
	Why       string `json:"why"`

	at   diag.Range // what is replaced; where lead is not empty, the end of the line before
	lead string     // of a new line, the text before its value
	size int64      // of edits to the same attribute the largest counts
}

// Suggest gives the lines that make the plan true of the links that were refuted: a longer cable,
// or a response that was measured. The texts are those of the fabric's files. A measurement is a
// lower bound, so apply, compile, and observe again.
func (r *Report) Suggest(texts diag.Sources) []Edit {
	var edits []Edit
	for i := range r.Conclusions {
		k := &r.Conclusions[i]
		if k.Bound == nil || k.site == nil {
			continue
		}
		if e, ok := r.pod.edit(k, texts); ok {
			edits = joinEdit(edits, e)
		}
	}
	stable.Sort(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.at.Start.Byte, b.at.Start.Byte), cmp.Compare(a.Attribute, b.Attribute))
	})
	return edits
}

func joinEdit(edits []Edit, e Edit) []Edit {
	i := slices.IndexFunc(edits, func(have Edit) bool { return have.at == e.at && have.Attribute == e.Attribute })
	switch {
	case i < 0:
		return append(edits, e)
	case e.size > edits[i].size:
		edits[i] = e
	}
	return edits
}

// edit chooses what to change: the cable where both ends saw it; else a declared response is the
// weaker assumption, and one that IEEE 802.3 allows the stronger.
func (d *pod) edit(k *Conclusion, texts diag.Sources) (Edit, bool) {
	told := calc.PeerResponse(k.site.group)
	if k.Assumption != AssumesLink || !told.Set {
		metres := units.Length(units.CeilMulDiv(int64(k.Bound.Cable), 1, int64(units.Metre))) * units.Metre
		cable := k.site.group.Cable
		if own, ok := k.site.group.Cables[k.site.end.Port]; ok {
			cable = own
		}
		if e, ok := replace(k, texts, "cable", cable.Range, metres.String(), int64(metres)); ok {
			return e, true
		}
	}
	value := k.Bound.Response
	if own := k.site.group.PauseResponse; own.Set {
		return replace(k, texts, "pause_response", own.Range, value.String(), int64(value))
	}
	return addLine(k, texts, "pause_response", value.String(), int64(value))
}

// replace changes the value of an attribute that is written out; one that is computed elsewhere
// cannot be.
func replace(k *Conclusion, texts diag.Sources, attribute string, at diag.Range, value string, size int64) (Edit, bool) {
	was, ok := textAt(texts, at)
	if !ok || len(was) < 2 || was[0] != '"' || strings.Contains(was, "${") {
		return Edit{}, false
	}
	e := k.edited(attribute, at, value, size)
	e.Was = was
	return e, true
}

// addLine puts an attribute below the speed of the group, which each has.
func addLine(k *Conclusion, texts diag.Sources, attribute, value string, size int64) (Edit, bool) {
	at := k.site.group.Speed.Range
	src := texts[at.Filename]
	if at.Filename == "" || at.End.Byte > len(src) {
		return Edit{}, false
	}
	end := bytes.IndexByte(src[at.End.Byte:], '\n')
	if end < 0 {
		return Edit{}, false
	}
	begin := 1 + bytes.LastIndexByte(src[:at.Start.Byte], '\n')
	left := string(src[begin:at.Start.Byte]) // such as: "    speed  = "
	name := strings.TrimLeft(left, " \t")
	if !strings.HasPrefix(name, "speed") || strings.TrimSpace(strings.TrimPrefix(name, "speed")) != "=" {
		return Edit{}, false
	}
	indent := left[:len(left)-len(name)]
	line := at.Start.Line
	at.Start.Byte = at.End.Byte + end
	at.End = at.Start
	e := k.edited(attribute, at, value, size)
	e.Line, e.lead = line+1, indent+pad(attribute, strings.IndexByte(name, '='))
	return e, true
}

// pad aligns with the equals sign of the line before.
func pad(attribute string, column int) string {
	return attribute + strings.Repeat(" ", max(1, column-len(attribute))) + "= "
}

func (k *Conclusion) edited(attribute string, at diag.Range, value string, size int64) Edit {
	return Edit{File: at.Filename, Line: at.Start.Line, Attribute: attribute, Value: fmt.Sprintf("%q", value), Why: k.Message, at: at, size: size,
		Block: fmt.Sprintf("switch %q port_group %q", k.site.shape.Label, k.site.group.Name)}
}

func textAt(texts diag.Sources, at diag.Range) (string, bool) {
	src := texts[at.Filename]
	if at.Filename == "" || at.End.Byte > len(src) || at.Start.Byte >= at.End.Byte {
		return "", false
	}
	return string(src[at.Start.Byte:at.End.Byte]), true
}

// Apply makes the edits of one file in its text.
func Apply(file string, text []byte, edits []Edit) []byte {
	own := stable.Delete(slices.Clone(edits), func(e Edit) bool { return e.File != file })
	stable.Sort(own, func(a, b Edit) int { return cmp.Compare(b.at.Start.Byte, a.at.Start.Byte) })
	for _, e := range own {
		value := e.Value
		if e.lead != "" {
			value = "\n" + e.lead + e.Value
		}
		text = slices.Concat(text[:e.at.Start.Byte], []byte(value), text[e.at.End.Byte:])
	}
	return text
}
