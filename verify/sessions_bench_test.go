package verify

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// BenchmarkSessions compares the BGP sessions of both ends of all links: each pair of switches has 64 links with a
// neighbour, an address and a password on each.
func BenchmarkSessions(b *testing.B) {
	for _, switches := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(switches), func(b *testing.B) {
			p, says, files := pairsOfSpeakers(switches, 64)
			for b.Loop() {
				speakers := speakersOf(p, says)
				for _, link := range p.Links {
					if found := sessions(speakers[link.A], speakers[link.B], files); len(found) > 0 {
						b.Fatal(found[0])
					}
				}
			}
		})
	}
}

func pairsOfSpeakers(switches, links int) (*plan.Plan, map[plan.LinkEnd]ending, map[string]diag.Range) {
	p, says, files := &plan.Plan{}, map[plan.LinkEnd]ending{}, map[string]diag.Range{}
	for i := range switches {
		name := fmt.Sprint("s", i)
		files[name] = diag.Range{}
		own := ending{read.OwnAS: {{Value: fmt.Sprint(65000 + i%2)}}}
		for port := range links {
			// Both ends of a link are in a /31, of a block of addresses of the pair.
			address := func(side int) string { return fmt.Sprintf("10.%d.%d.%d", i/2/256, i/2%256, 2*port+side) }
			end := plan.LinkEnd{Switch: name, Port: fmt.Sprint("Ethernet", port)}
			says[end] = ending{read.Addressed: {{Port: end.Port, Value: address(i%2) + "/31"}}}
			own[read.Addressed] = says[end][read.Addressed]
			own[read.PeerAS] = append(own[read.PeerAS], &read.Way{Bundle: address(1 - i%2), Value: fmt.Sprint(65001 - i%2), Why: read.PeerAS})
			own[read.Secured] = append(own[read.Secured], &read.Way{Bundle: address(1 - i%2), Why: read.Secured})
			if i%2 == 1 {
				p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: fmt.Sprint("s", i-1), Port: end.Port}, B: end})
			}
		}
		says[plan.LinkEnd{Switch: name}] = own
	}
	return p, says, files
}
