package proof

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// A watchdog takes a queue for stuck that was paused for its detection time, and throws
// its packets away. One pause frame stops a queue for up to 65,535 quanta of 512 bits, and
// healthy peers renew it while they are congested: the watchdog has to wait for many.
const (
	quantumBits  = 512   // IEEE 802.3 31B.2
	longestPause = 65535 // IEEE 802.3 31B.2, pause_time
	manyPauses   = 10
)

func (p *prover) watchdog() {
	w := p.sw.Watchdog
	if w == nil {
		return
	}
	var slowest units.BitRate
	for i := range p.sw.Ports {
		if port := &p.sw.Ports[i]; port.QoS != nil && port.QoS.PFC != 0 && port.Speed > 0 && (slowest == 0 || port.Speed < slowest) {
			slowest = port.Speed
		}
	}
	if slowest == 0 {
		p.unjudged(WatchdogPause, "whole switch", "no port with PFC has a known speed", p.sw.Range)
	} else {
		value := units.CeilMulDiv(manyPauses*longestPause*quantumBits, int64(units.Second), int64(slowest))
		p.add(Obligation{
			ID: WatchdogPause, Where: fmt.Sprintf("ports at %v", slowest),
			Terms: []Term{
				figure("n", manyPauses), figure("q", longestPause),
				figure("R", slowest), figure("D", w.Detection.Value).from(whyAt(w.Detection.Why)),
			},
			Left: Side{"ceil(n * q * 512 * 1000000000000, R)", value}, Right: Side{"D", int64(w.Detection.Value)},
			Range: p.placeOf(w.Detection.Why),
		})
	}
	shorter := min(w.Detection.Value, w.Restoration.Value)
	p.add(Obligation{
		ID: WatchdogPoll, Where: "whole switch",
		Terms: []Term{
			figure("p", w.Poll.Value).from(whyAt(w.Poll.Why)), figure("D", w.Detection.Value).from(whyAt(w.Detection.Why)),
			figure("r", w.Restoration.Value).from(whyAt(w.Restoration.Why)),
		},
		Left: Side{"p", int64(w.Poll.Value)}, Right: Side{"min(D, r)", int64(shorter)},
		Range: p.placeOf(w.Poll.Why, w.Detection.Why),
	})
}
