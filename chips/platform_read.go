package chips

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/units"
)

// platform reads
//
//	platform "sn5600" {
//	  title  = "NVIDIA SN5600"
//	  chip   = "spectrum4"
//	  names  = ["x86_64-nvidia_sn5600-r0"]
//	  hwskus = ["ACS-SN5600"]
//	  cages "osfp" { … }
//	}
//
// With `extends = "NAME"` it starts from that platform of the layer below; cages of an
// equal label are replaced.
func (r *reader) platform(block *hclsyntax.Block) {
	name, ok := r.label(block)
	if !ok {
		return
	}
	p := &Platform{Name: strings.ToLower(name), Range: block.LabelRanges[0]}
	required := []string{"title", "chip"}
	if a := block.Body.Attributes["extends"]; a != nil {
		required = nil
		r.extendsPlatform(p, a)
	}
	r.attributes(block, map[string]func(attribute){
		"extends": func(attribute) {},
		"title":   func(a attribute) { p.Title = r.nonEmpty(a) },
		"chip":    func(a attribute) { p.Chip = r.chipOf(a) },
		"names":   func(a attribute) { p.Names = r.texts(a.Expr, "names") },
		"hwskus":  func(a attribute) { p.HwSKUs = r.texts(a.Expr, "names") },
	}, required...)
	for _, inner := range block.Body.Blocks {
		if inner.Type != "cages" {
			r.unknown("block", inner.Type, inner.TypeRange, []string{"cages"})
			continue
		}
		r.cages(p, inner)
	}
	if len(block.Body.Blocks) == 0 && len(p.Cages) == 0 && required != nil {
		r.errorf(Missing, p.Range, "the platform %q has no cages", name).Fixf(`add cages "…" { … }`)
	}
	r.registerPlatform(p, block)
}

func (r *reader) extendsPlatform(p *Platform, a attribute) {
	name, ok := r.str(a.Expr, "the name of a platform")
	if !ok {
		return
	}
	if r.base != nil {
		if base := r.base.platforms()[strings.ToLower(name)]; base != nil {
			own, at := p.Name, p.Range
			*p = *base
			p.Name, p.Range, p.Cages, p.own = own, at, slices.Clone(base.Cages), false
			if own != base.Name {
				p.Names, p.HwSKUs = nil, nil // they are the other's
			}
			return
		}
	}
	r.errorf(Undefined, a.Expr.Range(), "roceplan's own catalogue has no platform %q to extend", name).
		Fixf("`roceplan platforms` lists them")
}

func (r *reader) chipOf(a attribute) string {
	name := r.nonEmpty(a)
	canonical, ok := r.catalogue.byName[strings.ToLower(name)]
	if name != "" && !ok {
		r.errorf(Undefined, a.Expr.Range(), "the catalogue has no chip %q", name).Fixf("one of %s", strings.Join(r.catalogue.Names(), ", "))
	}
	return canonical
}

func (r *reader) registerPlatform(p *Platform, block *hclsyntax.Block) {
	if first := r.platforms[p.Name]; first != nil {
		r.errorf(Duplicate, p.Range, "the platform %q is defined already", p.Name).Fixf("give one of the two another name").Notef(first.Range, "here")
		return
	}
	if r.base != nil && r.base.platforms()[p.Name] != nil && block.Body.Attributes["extends"] == nil {
		r.found.Warnf(Replaced, p.Range, "this platform takes the place of roceplan's own %q", p.Name).
			Fixf("say extends = %q to change only what is given here", p.Name)
	}
	r.platforms[p.Name] = p
}

// cages reads
//
//	cages "osfp" {
//	  lanes       = 8
//	  first_port  = 0
//	  step        = 8     # default: lanes
//	  first_index = 1
//	  first_lanes { value = ["0..504/8"] … }
//	  breakouts   { value = ["1x800G[400G]", "2x400G"] … }
//	  alias       { value = "etp{cage}" … }
//	  part_alias  { value = "etp{cage}{letter}" … }
//	}
func (r *reader) cages(p *Platform, block *hclsyntax.Block) {
	name, ok := r.label(block)
	if !ok {
		return
	}
	c := &Cages{Name: name, FirstIndex: 1, Range: block.LabelRanges[0]}
	number := func(into *int, least int) func(attribute) {
		return func(a attribute) { *into = r.between(a.Expr, least, 1<<16) }
	}
	r.attributes(block, map[string]func(attribute){
		"lanes": number(&c.Lanes, 1), "first_port": number(&c.FirstPort, 0), "step": number(&c.Step, 1), "first_index": number(&c.FirstIndex, 0),
	}, "lanes", "first_port")
	if c.Step == 0 {
		c.Step = max(c.Lanes, 1)
	}
	c.Lanes = max(c.Lanes, 1)
	r.fill(cageRows(c), p.Name, block.Body.Blocks)
	if c.FirstLanes.Fact() == nil {
		if !slices.ContainsFunc(block.Body.Blocks, func(b *hclsyntax.Block) bool { return b.Type == "first_lanes" }) {
			r.errorf(Missing, c.Range, "the cages %q have no first_lanes", name).Fixf("add first_lanes { value = … }")
		}
		return
	}
	r.checkBreakouts(c)
	if i := slices.IndexFunc(p.Cages, func(other *Cages) bool { return other.Name == name }); i >= 0 {
		p.Cages[i] = c
		return
	}
	p.Cages = append(p.Cages, c)
}

// checkBreakouts demands that the lanes of a cage can be dealt out, and forgets modes of
// which they cannot.
func (r *reader) checkBreakouts(c *Cages) {
	var sound []Breakout
	for _, b := range c.Breakouts.Or(nil) {
		lanes := c.Lanes
		if b.Lanes != 0 {
			lanes = b.Lanes
		}
		if lanes > c.Lanes || lanes%b.Ports != 0 {
			r.errorf(Contradiction, c.Breakouts.Fact().Range, "%s does not fit into a cage of %d lanes", b.Text, c.Lanes).Fixf("give the cage at least the lanes of the mode, or leave the mode out")
			continue
		}
		sound = append(sound, b)
	}
	c.Breakouts.value = sound
}

func cageRows(c *Cages) []*dataRow {
	return []*dataRow{
		rowOf("first_lanes", laneNumbers, "required. Number of the first lane of each cage in turn, as SONiC's port_config.ini has it; `A..B/S` is every S-th from A to B", &c.FirstLanes),
		rowOf("breakouts", breakouts, "breakout modes of a cage, as SONiC's platform.json spells them", &c.Breakouts),
		rowOf("alias", label, "label of a cage that is not split; `{cage}` is its index", &c.Alias),
		rowOf("part_alias", label, "label of a part: `{cage}`, `{part}` from 1 on, `{letter}` the same as a letter, `{lane}` its first lane in the cage from 1 on", &c.PartAlias),
	}
}

// between reads a whole number within bounds.
func (r *reader) between(e expression, least, most int) int {
	value, ok := r.literal(e)
	if !ok {
		return least
	}
	if value.Type() == cty.Number {
		if n, accuracy := value.AsBigFloat().Int64(); accuracy == 0 && n >= int64(least) && n <= int64(most) {
			return int(n)
		}
	}
	r.errorf(BadValue, e.Range(), "%s is not a whole number from %d to %d", spelling(value), least, most).Fixf("write a whole number from %d to %d", least, most)
	return least
}

var (
	laneNumbers = kind[[]int]{"a list of numbers and ranges, `[\"0..504/8\"]`", "", readLanes,
		func(v []int) string { return foldLanes(v) }, func(v []int) any { return v }}
	breakouts = kind[[]Breakout]{"a list of modes, `[\"2x400G[200G]\"]`", "", readBreakouts,
		func(v []Breakout) string { return strings.Join(modeTexts(v), " ") }, func(v []Breakout) any { return modeTexts(v) }}
	label = kind[string]{"a text, `\"etp{cage}\"`", "",
		func(r *reader, e expression) (string, bool) { return r.str(e, "a label") },
		func(v string) string { return v }, func(v string) any { return v }}
)

func modeTexts(all []Breakout) []string {
	texts := make([]string, len(all))
	for i, b := range all {
		texts[i] = b.Text
	}
	return texts
}

var laneRun = regexp.MustCompile(`^([0-9]{1,5})\.\.([0-9]{1,5})/([1-9][0-9]{0,3})$`)

// readLanes reads numbers and runs of them.
func readLanes(r *reader, e expression) ([]int, bool) {
	elements, diags := hcl.ExprList(e)
	if diags.HasErrors() || len(elements) == 0 {
		r.errorf(BadValue, e.Range(), "this must be a list of lane numbers, in brackets").Fixf("write the lanes in brackets, such as [1, 2, 3, 4]")
		return nil, false
	}
	var all []int
	for _, element := range elements {
		value, ok := r.literal(element.(expression))
		if !ok {
			return nil, false
		}
		if value.Type() == cty.String {
			if run := laneRun.FindStringSubmatch(value.AsString()); run != nil {
				from, _ := strconv.Atoi(run[1])
				to, _ := strconv.Atoi(run[2])
				step, _ := strconv.Atoi(run[3])
				if from > to {
					r.errorf(BadValue, element.Range(), "%d comes after %d", from, to).Fixf("write the smaller lane first")
					return nil, false
				}
				for lane := from; lane <= to; lane += step {
					all = append(all, lane)
				}
				continue
			}
			r.errorf(BadValue, element.Range(), "%s is not a run of lane numbers", spelling(value)).Fixf(`write it like "0..504/8"`)
			return nil, false
		}
		all = append(all, r.between(element.(expression), 0, 1<<16))
	}
	return all, len(all) > 0
}

// foldLanes prints numbers, runs of three and more as such.
func foldLanes(v []int) string {
	var out []string
	for i := 0; i < len(v); {
		n := 1
		for i+n < len(v) && i+1 < len(v) && v[i+n]-v[i+n-1] == v[i+1]-v[i] && v[i+1] > v[i] {
			n++
		}
		if n < 3 {
			out = append(out, strconv.Itoa(v[i]))
			i++
			continue
		}
		out = append(out, strconv.Itoa(v[i])+".."+strconv.Itoa(v[i+n-1])+"/"+strconv.Itoa(v[i+1]-v[i]))
		i += n
	}
	return strings.Join(out, " ")
}

// breakoutText is a mode of platform.json; the number of lanes comes before or after
// the other speeds, both are found there.
var breakoutText = regexp.MustCompile(`^([1-9])x([1-9][0-9]{0,3})G(?:\(([1-9])\))?(?:\[((?:[1-9][0-9]{0,3}G,?)*)\])?(?:\(([1-9])\))?$`)

func readBreakouts(r *reader, e expression) ([]Breakout, bool) {
	elements, diags := hcl.ExprList(e)
	if diags.HasErrors() || len(elements) == 0 {
		r.errorf(BadValue, e.Range(), "a list of breakout modes is expected, in brackets").Fixf("write the modes in brackets, such as [\"1x400G\", \"4x100G\"]")
		return nil, false
	}
	var all []Breakout
	for _, element := range elements {
		text, ok := r.str(element.(expression), "a breakout mode")
		if !ok {
			return nil, false
		}
		b, ok := parseBreakout(text)
		if !ok {
			r.errorf(BadValue, element.Range(), "%q is not a breakout mode", text).Fixf(`write it like "2x400G[200G]" or "4x25G(4)"`)
			return nil, false
		}
		all = append(all, b)
	}
	return all, true
}

// parseBreakout reads a mode of platform.json.
func parseBreakout(text string) (b Breakout, ok bool) {
	m := breakoutText.FindStringSubmatch(strings.ReplaceAll(text, " ", ""))
	if m == nil {
		return b, false
	}
	b.Text = text
	b.Ports, _ = strconv.Atoi(m[1])
	b.Lanes, _ = strconv.Atoi(m[3] + m[5])
	for _, speed := range strings.Split(m[2]+"G,"+m[4], ",") {
		if gbps, err := strconv.Atoi(strings.TrimSuffix(speed, "G")); err == nil {
			b.Speeds = append(b.Speeds, units.BitRate(gbps)*units.Gbps)
		}
	}
	return b, true
}
