package repair

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

// A candidate is an edit that may help; cost is how much it changes, in slips of a typist.
type candidate struct {
	edits []diag.Edit
	cost  int
	far   int // of two numbers with one unit their difference; unrelated for all other values
}

// unrelated is the distance of values that are no numbers with one unit.
const unrelated = math.MaxInt

// The costs of edits in addition to what they change, by how far they are from the likely mistake.
const (
	costMeant  = 0
	costSyntax = 1
	costValue  = 2
	costInsert = 6
	costOther  = 6 // at another place than the finding's
	costBound  = 8 // the least or the most that is allowed is seldom what was meant
	costPorts  = 6 // fewer ports are another fabric
	costRemove = 14
	costBlock  = 24
	costMove   = 40 // a line that is not needed elsewhere is rather one too many
)

// candidates are edits for a finding, those that change least first, each once.
func (f *finder) candidates(d diag.Diagnostic) []candidate {
	b := &builder{finder: f, d: d}
	if d.Subject.Filename != "" && f.texts[d.Subject.Filename] == nil {
		return nil // a trace or a table of another program: another file is no repair of it
	} else if d.Subject.Filename == "" {
		b.related(0)
	} else if d.Code == diag.Syntax {
		b.syntax()
	} else {
		b.meant()
		b.advised()
		b.grow()
		b.names()
		b.values(d.Subject, 0)
		b.insertions()
		b.exchanges()
		b.apart()
		b.related(costOther)
		b.mentioned()
		if d.Severity == diag.Error || strings.Contains(d.Fix, "remove ") {
			b.removals()
		}
	}
	stable.Sort(b.list, func(x, y candidate) int { return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.far, y.far)) })
	return b.list
}

// A builder collects candidates for a finding.
type builder struct {
	*finder
	d      diag.Diagnostic
	list   []candidate
	seen   map[diag.Edit]int // by its place in list
	parsed int               // bytes that were parsed to try signs
	pieces diag.Pieces       // of the file that does not parse
}

// add notes an edit that changes something.
func (b *builder) add(at diag.Range, text string, cost int) {
	e := diag.Edit{Range: at, Text: text}
	was := b.text(at)
	if was == text {
		return
	}
	cost += min(levenshtein.Distance(was, text, nil), 20)
	if i, ok := b.seen[e]; ok {
		b.list[i].cost = min(b.list[i].cost, cost)
		return
	}
	if b.seen == nil {
		b.seen = map[diag.Edit]int{}
	}
	b.seen[e] = len(b.list)
	b.list = append(b.list, candidate{[]diag.Edit{e}, cost, distance(was, text)})
}

// distance returns the difference of two numbers with one unit.
func distance(was, text string) int {
	x, y := quantity.FindStringSubmatch(was), quantity.FindStringSubmatch(text)
	if x == nil || y == nil || x[2] != y[2] {
		return unrelated
	}
	from, err := strconv.Atoi(x[1])
	to, err2 := strconv.Atoi(y[1])
	if err != nil || err2 != nil {
		return unrelated
	}
	return max(from-to, to-from)
}

func (b *builder) text(r diag.Range) string {
	text := b.texts[r.Filename]
	if r.Start.Byte > r.End.Byte || r.End.Byte > len(text) {
		return ""
	}
	return string(text[r.Start.Byte:r.End.Byte])
}

// places returns the place of the finding and those that belong to it.
func (b *builder) places() []diag.Range {
	all := []diag.Range{b.d.Subject}
	for _, n := range b.d.Related {
		if b.texts[n.Range.Filename] != nil {
			all = append(all, n.Range)
		}
	}
	return all
}
