package proof

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/units"
)

// atOnce ends the place of an obligation on the cells held in a slice at once.
const atOnce = ", held at once"

// memory: the chip has the memory that the configuration distributes. The egress side counts the
// same cells a second time, so the ingress side decides. Where what the ports could really hold at
// once exceeds the memory, lossless packets are lost; otherwise the chip's driver may still refuse
// the configuration.
func (p *prover) memory(slice int) {
	var shared, pools, reserves, own units.Cells
	for _, pool := range p.config.IngressPools {
		shared += pool.SharedCells
		pools += pool.HeadroomCells
	}
	part := &p.slices[slice]
	for _, list := range [][]account{part.lossless, part.lossy} {
		for _, a := range list {
			reserves += a.pg.ReservedCells
			if !a.pg.HeadroomPooled {
				own += a.pg.HeadroomCells
			}
		}
	}
	where, at := fmt.Sprintf("slice %d", slice), p.memoryPlace(part, own > shared+pools)
	if p.config.SliceCells == 0 {
		p.unjudged(Memory, where, "the catalogue does not know the packet buffer of the chip", at)
		return
	}
	sum := int64(shared + pools + reserves + own)
	all := p.sum(part.lossless, part.lossy)
	reachable, capacity := all.side.Value, int64(p.config.SliceCells)
	p.report.heldAtOnce = append(p.report.heldAtOnce, inWords(Obligation{
		ID: Memory, Where: where,
		Terms: append(slices.Clone(all.terms), figure("V", p.config.SliceCells)), Left: all.side, Right: Side{"V", capacity}, fills: all.fills,
	}))
	certain := reachable
	if reachable > capacity {
		lossy := min(part.lossySurely, p.sum(nil, part.sure).surely)
		certain = min(reachable, p.lossyFirst(slice, ofKnownPorts(part.lossless), lossy))
	}
	loses := certain-p.perhapsTwice(len(part.lossless)) > capacity
	o := p.add(Obligation{
		ID: Memory, Where: where, Lossless: loses,
		Terms: []Term{
			figure("B", shared), figure("S", pools),
			figure("r", reserves), figure("h", own),
			figure("V", p.config.SliceCells),
		},
		Left: Side{"B + S + r + h", sum}, Right: Side{"V", int64(p.config.SliceCells)},
		Range: at,
	})
	if o.Verdict == Fails {
		o.Note = fmt.Sprintf("at most %d cells can be held at once", reachable)
	}
	because := ""
	switch {
	case loses:
	case certain > capacity:
		because = singleCells
	case reachable > capacity:
		because = together
	case reachable+all.afterResume > capacity:
		because = afterResumeText(all.afterResume)
	}
	// That it does not fit stays so; whether a packet is lost by it is another question.
	switch {
	case because != "":
		p.add(Obligation{ID: Memory, Where: where, Lossless: true, Verdict: Unjudged, Because: because, open: true, Range: at})
	case sum > capacity && !loses:
		held := p.report.heldAtOnce[len(p.report.heldAtOnce)-1]
		held.Where, held.Lossless, held.Range = where+atOnce, true, at
		p.add(held)
	}
}
