package pattern

import "github.com/roceplan/roceplan/model/sim"

// processes lets the processes of each host send and receive messages in turn, and says on which queue pair of its hosts
// each message is: [sim.Service.QueuePair]. The zero value gives each message one of its own.
type processes struct {
	each       int // of a host
	initiators int // of each process, with DC
	service    sim.Service
	sent, came map[int]int // messages, by host
}

// processesOf returns the processes of the hosts of a scenario on a network.
func processesOf(s *Scenario, service sim.Service) *processes {
	p := &processes{each: s.Processes, initiators: 1, service: service, sent: map[int]int{}, came: map[int]int{}}
	if s.DC != nil && service == sim.DC {
		p.each, p.initiators = max(1, s.Processes), s.DC.Initiators
	}
	return p
}

// firstShared is beyond the numbers of queue pairs that collectives keep.
const firstShared = 1 << 40

// number says which queue pairs the parts of the next message are on; they stay 0 where each has one of its own.
func (p *processes) number(parts []int, src, dst int, class uint8) {
	if p.each == 0 {
		return
	}
	from, to := p.sent[src], p.came[dst]
	p.sent[src]++
	p.came[dst]++
	number := p.service.QueuePair(from%(p.each*p.initiators), to%p.each, p.each)
	for k := range parts {
		parts[k] = firstShared + int(class)<<34 + number*maxQueuePairs + k
	}
}
