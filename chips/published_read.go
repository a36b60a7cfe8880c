package chips

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// publication reads
//
//	published "nvidia-roce" {
//	  title  = "NVIDIA, nv set qos roce"
//	  vendor = "NVIDIA"
//	  kmin { … }
//	}
func (r *reader) publication(block *hclsyntax.Block) {
	name, ok := r.label(block)
	if !ok {
		return
	}
	p := &Configuration{Name: strings.ToLower(name), Range: block.LabelRanges[0]}
	r.attributes(block, map[string]func(attribute){
		"title":  func(a attribute) { p.Title = r.nonEmpty(a) },
		"vendor": func(a attribute) { p.Vendor = r.nonEmpty(a) },
	}, "title", "vendor")
	before := len(r.found)
	r.fill(publishedRows(p), p.Name, block.Body.Blocks)
	if first := r.published[p.Name]; first != nil {
		r.errorf(Duplicate, p.Range, "the published configuration %q is defined already", p.Name).Fixf("give one of the two another name").Notef(first.Range, "here")
		return
	}
	if len(r.found) == before {
		r.agreePublished(p)
	}
	if len(r.found) > before {
		return
	}
	if r.base != nil && r.base.published()[p.Name] != nil {
		r.found.Warnf(Replaced, p.Range, "this configuration takes the place of roceplan's own %q", p.Name).Fixf("give it another name to have both")
	}
	r.published[p.Name] = p
}

// A pair is the lower and the upper end of curves.
type pair struct {
	low, high string
	ends      [2]*Fact
	values    [2]int
	falls     bool // one of the curves ends below where it begins
}

func pairOf[T ~int64](low, high *Datum[[]T]) pair {
	p := pair{low: low.name, high: high.name, ends: [2]*Fact{low.fact, high.fact}, values: [2]int{len(low.value), len(high.value)}}
	for i := range min(len(low.value), len(high.value)) {
		p.falls = p.falls || low.value[i] > high.value[i]
	}
	return p
}

// agreePublished demands one curve that rises, with a value for each of its speeds, and chips that there are.
func (r *reader) agreePublished(p *Configuration) {
	forms, before := 0, len(r.found)
	for i, ends := range []pair{pairOf(&p.KMin, &p.KMax), pairOf(&p.KMinCells, &p.KMaxCells), pairOf(&p.KMinFill, &p.KMaxFill), pairOf(&p.KMinAbove, &p.KMaxAbove)} {
		if r.agreeCurve(p, ends) && i < 3 {
			forms++
		}
	}
	if len(r.found) > before {
		return
	}
	if p.PMax.fact == nil || forms != 1 || p.KMinAbove.fact != nil && p.KMin.fact == nil {
		r.errorf(Missing, p.Range, "%s needs pmax, and one curve of kmin with kmax, kmin_cells with kmax_cells, or kmin_fill with kmax_fill; kmin_above and kmax_above go with the first", p.Name).Fixf("give those")
	}
	r.agreeValues(p, p.PMax.fact, "pmax", len(p.PMax.value))
	for _, name := range p.Chips.value {
		if _, ok := r.catalogue.Find(name); !ok {
			r.errorf(Undefined, p.Chips.fact.Range, "there is no chip %q", name).Fixf("`roceplan chips` lists them")
		}
	}
}

// agreeCurve reports whether there is a curve of that kind, and what is wrong with it.
func (r *reader) agreeCurve(p *Configuration, c pair) bool {
	switch {
	case c.ends[0] == nil && c.ends[1] == nil:
		return false
	case c.ends[0] == nil || c.ends[1] == nil:
		r.errorf(Missing, p.Range, "%s has one of %s and %s", p.Name, c.low, c.high).Fixf("give both, or none")
		return true
	case c.falls:
		r.errorf(Contradiction, c.ends[1].Range, "%s of %s is above %s", c.low, p.Name, c.high).Fixf("correct one of the two")
	}
	r.agreeValues(p, c.ends[0], c.low, c.values[0])
	r.agreeValues(p, c.ends[1], c.high, c.values[1])
	return true
}

// agreeValues demands as many values as there are speeds.
func (r *reader) agreeValues(p *Configuration, f *Fact, name string, n int) {
	if want := max(1, len(p.CurveSpeeds.value)); f != nil && n != want {
		r.errorf(Contradiction, f.Range, "%s of %s has %d values, %d are expected", name, p.Name, n, want).Fixf("give one value for each of curve_speeds in turn, or one where there are none")
	}
}

// ownPublished reads the embedded configurations, all at once: they are few.
func ownPublished(c *Catalogue) map[string]*Configuration {
	r := &reader{catalogue: c.clone(), sources: ownDocuments()}
	r.layer(embeddedFolder("published"))
	r.mustBeSound()
	return r.published
}
