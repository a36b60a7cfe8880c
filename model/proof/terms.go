package proof

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// figure returns a term that is given. Its name follows from its obligation: see meanings.
//
//go:noinline
func figure[T ~int64 | ~int](symbol string, value T) Term {
	return Term{Symbol: symbol, Value: int64(value)}
}

// named returns a term that is called after a pool or after ports.
func named(symbol, name string, value int64) Term {
	return Term{Symbol: symbol, Name: name, Value: value}
}

// derived returns a term that follows from those before it.
func derived(symbol string, value int64, expr string) Term {
	return Term{Symbol: symbol, Value: value, Expr: expr}
}

// whyAt returns the line of a reason.
func whyAt(why *plan.Why) diag.Range {
	if why == nil {
		return diag.Range{}
	}
	return why.Range
}

// chipTerms returns the cell and what the chip stores with a packet.
func (p *prover) chipTerms() []Term {
	return []Term{
		figure("C", p.config.CellBytes),
		figure("M", p.config.MetadataBytes),
	}
}

// Expressions of what comes in after a pause, with ~ for the suffix of symbols.
const (
	windowExpr = "ceil((A~ + P~) * 80000000000000000, R~ * 9999) + 2*v~*L~ + 2*g~ + i~ + t~"
	bytesExpr  = "floor(w~ * R~ * 10001, 80000000000000000)"
	packedExpr = "packed(W~, C, M, F~)"
	mixedExpr  = "mixed(W~, C, M, F~, s~, e~)"
	wholeExpr  = " + e~ * ceil(F~ + M, C)"
)

// needTerms derive the cells that come in after a pause over a link, symbol N with the suffix.
func (p *prover) needTerms(g *group, l model.Link, suffix string) []Term {
	port := &p.sw.Ports[g.ports[0]]
	declared := p.ctx.declared(port)
	in := func(expr string) string { return rename(expr, suffix) }
	terms := []Term{
		figure("A"+suffix, l.PortFrame+model.InterFrame).from(port.MTURange),
		figure("P"+suffix, model.PauseWire),
		figure("R"+suffix, l.Rate).from(port.Range),
		figure("L"+suffix, l.Cable).from(port.CableRange),
		figure("v"+suffix, int64(model.LightDelay/units.Time(units.Metre))),
		figure("g"+suffix, l.Gearbox).from(port.Range),
		figure("i"+suffix, l.Interface),
		figure("t"+suffix, l.Response).from(whyAt(declared.Response.Why)),
		derived("w"+suffix, int64(l.Window()), in(windowExpr)),
		derived("W"+suffix, int64(l.Bytes()), in(bytesExpr)),
		figure("F"+suffix, l.LosslessFrame).from(whyAt(declared.LosslessFrame.Why)),
	}
	expr := packedExpr
	if l.SmallPackets > 0 {
		terms = append(terms, figure("s"+suffix, l.SmallPackets).from(whyAt(declared.SmallPackets.Why)))
		expr = mixedExpr
	}
	return append(terms,
		figure("e"+suffix, p.whole()),
		derived("N"+suffix, p.need(l), in(expr+wholeExpr)))
}

func rename(expr, suffix string) string { return strings.ReplaceAll(expr, "~", suffix) }

// leavesExpr returns the expression of leaves over bounds that are sorted.
func leavesExpr(limits []bound, rule mmu.Admission, start string) string {
	expr, n := start, 0
	for i, b := range limits {
		if n++; i+1 == len(limits) || limits[i+1] != b {
			expr, n = b.afterExpr(expr, rule, n), 0
		}
	}
	return expr
}

// fillsOf returns the fills of a pool by accounts of bounds that are sorted.
func fillsOf(pool string, limits []bound) (fills []Fill) {
	for i, b := range limits {
		if i == 0 || limits[i-1] != b {
			fill := Fill{Pool: pool, Limits: []CertifiedBound{boundOf(b.limit)}}
			if b.two {
				fill.Limits = append(fill.Limits, boundOf(b.port))
			}
			fills = append(fills, fill)
		}
		fills[len(fills)-1].Accounts++
	}
	return fills
}

// limitExpr returns a limit as two arguments: 1 and the exponent of alpha, or 0 and cells.
func limitExpr(l mmu.Limit) string {
	if l.Dynamic {
		return fmt.Sprintf("1, %d", l.Alpha)
	}
	return fmt.Sprintf("0, %d", l.StaticCells)
}
