package main

import (
	_ "embed"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// What comes in after a pause, ~ being the number of a part. A port sends its pause behind the frame that it has
// begun, with a clock 100 ppm slow: 8·10^12 ps for a byte at 1 bit/s, times 10000/9999. Then come cable and gearboxes
// there and back, its own layers, and the response of the peer. What the peer sends in that time, with a
// clock 100 ppm fast, are packets of the sizes that fill cells fastest, and whole frames beside them.
const (
	windowOf = "ceil((A~ + P~) * 80000000000000000, R~ * 9999) + 2*v~*L~ + 2*g~ + i~ + t~" // ps
	bytesOf  = "floor(w~ * R~ * 10001, 80000000000000000)"                                 // B
	anyMix   = "packed(W~, C, M, F~) + e~ * ceil(F~ + M, C)"                               // cells
	fewSmall = "mixed(W~, C, M, F~, s~, e~) + e~ * ceil(F~ + M, C)"                        // cells
)

//go:embed obligations.txt
var obligationsText string

// A meaning is what an obligation of an ID says: left ≤ right, in a unit, by a source.
type meaning struct {
	title, left, right, unit, source string
	lossless                         bool
	terms                            map[string]word
}

// A word is what a term is called, and its unit.
type word struct{ name, unit string }

// meanings are those of obligations.txt, by ID.
var meanings = readMeanings(obligationsText)

func readMeanings(text string) map[string]meaning {
	blocks, all := map[string]map[string]word{}, map[string]meaning{}
	for _, block := range strings.Split(strings.TrimSpace(text), "\n\n")[1:] {
		lines := strings.Split(block, "\n")
		name, rest, _ := strings.Cut(strings.TrimPrefix(lines[0], "["), "]")
		terms := maps.Clone(blocks[strings.TrimSpace(rest)])
		if terms == nil {
			terms = map[string]word{}
		}
		m := meaning{terms: terms}
		if lines = lines[1:]; !strings.HasPrefix(block, "[") {
			name, m.title, _ = strings.Cut(name, ": ")
			sides, unit, _ := strings.Cut(lines[0], ", "+unitIn(lines[0])+", ")
			m.left, m.right, _ = strings.Cut(sides, " ≤ ")
			m.unit, m.lossless, m.source = strings.Trim(unitIn(lines[0]), "1"), unit == "lossless", lines[1]
			lines = lines[2:]
		}
		for _, line := range lines {
			if strings.HasPrefix(line, "[") {
				maps.Copy(terms, blocks[strings.Trim(line, "[]")])
				continue
			}
			figure, called, _ := strings.Cut(line, ": ")
			symbol, unit, _ := strings.Cut(figure, " ")
			terms[symbol] = word{called, strings.Trim(unit, "1")}
		}
		if blocks[name] = terms; m.title != "" {
			all[name] = m
		}
	}
	return all
}

// unitIn is the unit in a line of an inequality: the last but one between commas.
func unitIn(line string) string {
	parts := strings.Split(line, ", ")
	return parts[len(parts)-2]
}

const atOnce = ", held at once"

// meaning of an obligation: of memory there is one on what is held at once too, and a counterexample has its own.
func (o *obligation) meaning() (meaning, bool) {
	id := o.ID
	if id == "memory" && strings.HasPrefix(o.Left.Expr, "r + h") {
		id += atOnce
	}
	m, known := meanings[id]
	if o.refuted() {
		m.unit, m.source = "cells", o.Source
		m.terms = map[string]word{"x": {"cells that it holds", "cells"}, "p": {"cells of the packet that comes", "cells"}, "l": {"cells that it may hold", "cells"}}
	}
	return m, known
}

// refuted: it fails by a counterexample.
func (o *obligation) refuted() bool {
	return o.Verdict == fails && strings.HasPrefix(o.Source, "counterexample: ")
}

// evaluated: what cannot be judged may have no sides.
func (o *obligation) evaluated() bool { return o.Verdict != unjudged || o.Left.Expr != "" }

// arithmetic checks derived terms, both sides and the verdict.
func (o *obligation) arithmetic() (wrong problems) {
	if !o.evaluated() {
		return nil
	}
	wrong = o.inequality.arithmetic()
	if fits := o.Left.Value <= o.Right.Value; fits && o.Verdict == fails || !fits && o.Verdict == holds {
		wrong.addf("%d ≤ %d, and the verdict is %q", o.Left.Value, o.Right.Value, o.Verdict)
	}
	if o.Verdict == conditional {
		wrong = append(wrong, o.underConditions()...)
	}
	return wrong
}

// arithmetic of an inequality: each derived term, and both sides, have the values of their expressions.
func (q inequality) arithmetic() problems {
	left, right, wrong := q.evaluate(nil)
	if left.Cmp(big.NewInt(q.Left.Value)) != 0 || right.Cmp(big.NewInt(q.Right.Value)) != 0 {
		wrong.addf("the sides are %v and %v, and not %d and %d", left, right, q.Left.Value, q.Right.Value)
	}
	return wrong
}

// evaluate computes both sides, with changed terms in place of its own. If none is changed every derived term must have the
// value that it names, else those that are changed.
func (q inequality) evaluate(changed map[string]term) (left, right *big.Int, wrong problems) {
	terms := map[string]*big.Int{}
	for symbol, t := range changed {
		terms[symbol] = big.NewInt(t.Value)
	}
	value := func(expr string) *big.Int {
		got, err := evaluate(expr, terms)
		if err != nil {
			wrong.addf("%v", err)
			return new(big.Int)
		}
		return got
	}
	for _, t := range q.Terms {
		if terms[t.Symbol] != nil && changed == nil {
			wrong.addf("the term %s is given twice", t.Symbol)
		}
		other, is := changed[t.Symbol]
		if is {
			t = other
		}
		number := big.NewInt(t.Value)
		if t.Expr != "" {
			if number = value(t.Expr); (is || changed == nil) && number.Cmp(big.NewInt(t.Value)) != 0 {
				wrong.addf("%s = %s is %v, and not %d", t.Symbol, t.Expr, number, t.Value)
			}
		}
		terms[t.Symbol] = number
	}
	return value(q.Left.Expr), value(q.Right.Expr), wrong
}

// underConditions checks that left ≤ right under the conditions of an obligation. The page, "Conditions".
func (o *obligation) underConditions() (wrong problems) {
	if len(o.Conditions) == 0 {
		wrong.addf("it is conditional, and has no condition")
	}
	if o.Under == nil {
		changed := map[string]term{}
		for _, c := range o.Conditions {
			for _, t := range c.Terms {
				changed[t.Symbol] = t
			}
		}
		left, right, more := o.inequality.evaluate(changed)
		if left.Cmp(right) > 0 {
			more.addf("under its conditions %v ≤ %v", left, right)
		}
		return append(wrong, more...)
	}
	wrong = append(wrong, o.Under.arithmetic()...)
	if o.Under.Left.Value > o.Under.Right.Value {
		wrong.addf("under its conditions %d ≤ %d", o.Under.Left.Value, o.Under.Right.Value)
	}
	for _, t := range o.Under.Terms {
		was := func(w term) bool {
			return w.Symbol == t.Symbol && w.Expr == t.Expr && (w.Value == t.Value || t.Expr != "")
		}
		changes := func(c condition) bool {
			if c.ID == "assumed-datum" {
				return t.Symbol == "V"
			}
			return slices.Contains([]string{"h", "Q", "k", "o"}, t.Symbol)
		}
		if !slices.ContainsFunc(o.Terms, was) && !slices.ContainsFunc(o.Conditions, changes) {
			wrong.addf("under its conditions %s is %d, and none changes that", t.Symbol, t.Value)
		}
	}
	return wrong
}

// has reports whether an obligation has a condition of a kind.
func (o *obligation) has(id string) bool {
	return slices.ContainsFunc(o.Conditions, func(c condition) bool { return c.ID == id })
}
