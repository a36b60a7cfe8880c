package chips

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Parts says which ports write to which part (ITM or XPE) of a buffer that is divided, and
// which read from it. A packet is stored in a part that both its ingress and its egress
// pipe are connected to; so a PG, or a queue, can have packets in several.
type Parts struct {
	Pipes     Datum[int]     // ingress pipes of the chip, as many egress pipes
	PipeLanes Datum[int]     // serdes lanes of each pipe; lane 1 is the first of pipe 0
	Ingress   Datum[[]Pipes] // ingress pipes of each part in turn; absent: all
	Egress    Datum[[]Pipes] // egress pipes of each part in turn; absent: all
}

// Pipes are numbers of pipes, from 0, ascending.
type Pipes []int

func (p Pipes) String() string {
	var out []string
	for i := 0; i < len(p); {
		end := i
		for end+1 < len(p) && p[end+1] == p[end]+1 {
			end++
		}
		text := strconv.Itoa(p[i])
		if end > i {
			text += "-" + strconv.Itoa(p[end])
		}
		out = append(out, text)
		i = end + 1
	}
	return strings.Join(out, ",")
}

// PipeOf returns the pipe of a serdes lane, counted from 1 as in the lanes of SONiC's
// ports. ok is false where the catalogue does not know the chip's pipes, or the lane is
// none of theirs: a management port.
func (c *Chip) PipeOf(lane int) (pipe int, ok bool) {
	pipes, each := c.Parts.Pipes.Or(0), c.Parts.PipeLanes.Or(0)
	if lane < 1 || lane > pipes*each {
		return 0, false
	}
	return (lane - 1) / each, true
}

// IngressParts returns the parts of the buffer that packets which come in at the lane can be in,
// from 0, and EgressParts those of packets that leave there. Without a division, or where only part
// 0 exists, that is part 0. ok is false where it is not known.
func (c *Chip) IngressParts(lane int) (parts []int, ok bool) {
	return c.partsOf(lane, c.Parts.Ingress)
}

// EgressParts returns the parts of the buffer that packets which leave at the lane can be in: see
// IngressParts.
func (c *Chip) EgressParts(lane int) (parts []int, ok bool) {
	return c.partsOf(lane, c.Parts.Egress)
}

func (c *Chip) partsOf(lane int, connected Datum[[]Pipes]) ([]int, bool) {
	count, err := c.Slices.Get()
	if err != nil {
		return nil, false
	}
	if count == 1 {
		return []int{0}, true
	}
	pipe, ok := c.PipeOf(lane)
	if !ok || c.Parts.Ingress.Fact() == nil {
		return nil, false
	}
	var parts []int
	for part := range count {
		if of, err := connected.Get(); err != nil || slices.Contains(of[part], pipe) {
			parts = append(parts, part)
		}
	}
	return parts, true
}

var pipeSets = kind[[]Pipes]{"a list of pipes for each part, `[\"0,1,6,7\", \"2-5\"]`", "", readPipes,
	func(all []Pipes) string { return strings.Join(pipeTexts(all), "; ") }, func(all []Pipes) any { return pipeTexts(all) }}

func pipeTexts(all []Pipes) []string {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = p.String()
	}
	return texts
}

func readPipes(r *reader, e expression) ([]Pipes, bool) {
	elements, diags := hcl.ExprList(e)
	if diags.HasErrors() || len(elements) == 0 {
		r.errorf(BadValue, e.Range(), "this must be a list of pipes, in brackets").Fixf("write the pipes in brackets")
		return nil, false
	}
	var all []Pipes
	for _, element := range elements {
		text, ok := r.str(element.(expression), "the pipes of a part")
		if !ok {
			return nil, false
		}
		pipes, ok := parsePipes(text)
		if !ok {
			r.errorf(BadValue, element.Range(), "%q is not a list of ascending pipes from 0 to %d", text, maxPipe).Fixf(`write it like "0,1,6,7" or "2-5"`)
			return nil, false
		}
		all = append(all, pipes)
	}
	return all, true
}

// maxPipe bounds the numbers of pipes: chips have 1 to 16.
const maxPipe = 255

func parsePipes(text string) (all Pipes, ok bool) {
	for run := range strings.SplitSeq(text, ",") {
		from, to, isRun := strings.Cut(strings.TrimSpace(run), "-")
		if !isRun {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 0 || last > maxPipe || first > last || len(all) > 0 && first <= all[len(all)-1] {
			return nil, false
		}
		for pipe := first; pipe <= last; pipe++ {
			all = append(all, pipe)
		}
	}
	return all, true
}
