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

func given[T ~int64 | ~int](symbol, name string, value T, unit string) Term {
	return Term{Symbol: symbol, Name: name, Value: int64(value), Unit: unit}
}

func step(symbol, name string, value int64, unit, expr string) Term {
	return Term{Symbol: symbol, Name: name, Value: value, Unit: unit, Expr: expr}
}

// whyAt is the line of a reason.
func whyAt(why *plan.Why) diag.Range {
	if why == nil {
		return diag.Range{}
	}
	return why.Range
}

// chipTerms are the cell and what the chip stores with a packet.
func (p *prover) chipTerms() []Term {
	return []Term{
		given("C", "cell", p.config.CellBytes, InBytes),
		given("M", "metadata of a packet", p.config.MetadataBytes, InBytes),
	}
}

// wholeNames tell of the frames beside those of the window.
var wholeNames = [...]string{
	mmu.AtStart: "whole frames beside them: the last one",
	mmu.AtEnd:   "whole frames beside them: the last one, and the one that decides with its last byte",
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
		given("A"+suffix, "frame that the pause waits behind, with preamble and gap", l.PortFrame+model.InterFrame, InBytes).from(port.MTURange),
		given("P"+suffix, "pause frame, with preamble and gap", model.PauseWire, InBytes),
		given("R"+suffix, "rate; the port's clock may be 100 ppm slow, the peer's 100 ppm fast", l.Rate, InRate).from(port.Range),
		given("L"+suffix, "cable", l.Cable, inMM).from(port.CableRange),
		given("v"+suffix, "delay of a millimetre of cable", int64(model.LightDelay/units.Time(units.Metre)), InTime),
		given("g"+suffix, "one passage through gearboxes", l.Gearbox, InTime).from(port.Range),
		given("i"+suffix, "the port's own layers, out and in", l.Interface, InTime),
		given("t"+suffix, "response of the peer", l.Response, InTime).from(whyAt(declared.Response.Why)),
		step("w"+suffix, "time until the last frame begins", int64(l.Window()), InTime, in(windowExpr)),
		step("W"+suffix, "bytes that come in until then", int64(l.Bytes()), InBytes, in(bytesExpr)),
		given("F"+suffix, "largest lossless frame", l.LosslessFrame, InBytes).from(whyAt(declared.LosslessFrame.Why)),
	}
	expr := packedExpr
	if l.SmallPackets > 0 {
		terms = append(terms, given("s"+suffix, "share of smallest packets, the others being largest", l.SmallPackets, inPPB).from(whyAt(declared.SmallPackets.Why)))
		expr = mixedExpr
	}
	return append(terms,
		given("e"+suffix, wholeNames[p.config.Rules.Decided], p.whole(), inOnes),
		step("N"+suffix, "cells that come in after the pause", p.need(l), InCells, in(expr+wholeExpr)))
}

func rename(expr, suffix string) string { return strings.ReplaceAll(expr, "~", suffix) }

// leavesExpr is the expression of leaves over bounds that are sorted.
func leavesExpr(limits []bound, rule mmu.Admission, start string) string {
	expr, n := start, 0
	for i, b := range limits {
		if n++; i+1 == len(limits) || limits[i+1] != b {
			expr, n = b.afterExpr(expr, rule, n), 0
		}
	}
	return expr
}

// limitExpr is a limit as two arguments: 1 and the exponent of alpha, or 0 and cells.
func limitExpr(l mmu.Limit) string {
	if l.Dynamic {
		return fmt.Sprintf("1, %d", l.Alpha)
	}
	return fmt.Sprintf("0, %d", l.StaticCells)
}
