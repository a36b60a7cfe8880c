package proof

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// scheduling: strict queues are served before all others, so without a cap on each they
// starve them. Together their caps leave what the others are promised.
func (p *prover) scheduling() {
	seen := map[*plan.PortQoS]map[units.BitRate]bool{}
	for i := range p.sw.Ports {
		port := &p.sw.Ports[i]
		if port.QoS == nil || seen[port.QoS][port.Speed] {
			continue
		}
		if seen[port.QoS] == nil {
			seen[port.QoS] = map[units.BitRate]bool{}
		}
		seen[port.QoS][port.Speed] = true
		p.starvation(i)
	}
}

func (p *prover) starvation(i int) {
	port := &p.sw.Ports[i]
	var sum units.BitRate
	var at diag.Range
	strict, others := 0, 0
	uncapped := ""
	for _, queue := range port.QoS.Queues {
		if !queue.Scheduler.Strict {
			others++
			continue
		}
		strict++
		rate := queue.Scheduler.MaxRate.Value
		if rate == 0 {
			rate, uncapped = port.Speed, fmt.Sprintf("queue %d has no cap", queue.ID)
		}
		sum += rate
		if at.Filename == "" {
			at = p.place(i, queue.Scheduler.MaxRate.Why)
		}
	}
	if strict == 0 || others == 0 {
		return
	}
	where := fmt.Sprintf("%s at %v", portOrGroup(port), port.Speed)
	if port.Speed <= 0 {
		p.unjudged(Starvation, where, "the speed of the port is not known", at)
		return
	}
	share := p.ctx.Throughput
	if share == 0 {
		share = units.One / 2
	}
	share = min(share, units.One)
	left := (units.One - share).FloorOf(int64(port.Speed))
	p.add(Obligation{
		ID: Starvation, Where: where, Note: uncapped,
		Terms: []Term{
			figure("caps", sum).from(at),
			figure("R", port.Speed), figure("g", share),
		},
		Left: Side{"caps", int64(sum)}, Right: Side{"floor((1000000000 - g) * R, 1000000000)", left},
		Range: at,
	})
}

func portOrGroup(port *plan.Port) string {
	if port.Group != "" {
		return port.Group
	}
	return port.Name
}
