package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// Times on the wire of leafSpine, ps.
const (
	wireData, wireAck, wireCable = 1048 * 80, 60 * 80, 1_000_000
	smallWay                     = 2*wireAck + 2*wireCable // of a packet of 60 B over one switch
)

// A message on an initiator that is not connected waits for both ends' halves and the round
// trip of the request; the next one to the same host in time does not, nor one that is there
// already; one to another host waits for the initiator to disconnect.
func TestInitiatorConnects(t *testing.T) {
	const connect, disconnect = 400 * units.Nanosecond, 900 * units.Nanosecond
	handshake := 2*int(connect) + 2*smallWay
	message := 2*wireData + 2*wireCable
	for _, c := range []struct {
		name   string
		dst    int        // of the second message
		gap    units.Time // after the first one's completion
		linger units.Time
		want   int // delivery of the second message after its start
	}{
		{"connected", 1, units.Microsecond, 2 * units.Microsecond, message},
		{"disconnected", 1, 5 * units.Microsecond, 2 * units.Microsecond, handshake + message},
		{"disconnecting", 1, 100 * units.Nanosecond, 0, int(disconnect) - 100_000 + handshake + message},
		{"elsewhere", 2, units.Microsecond, 2 * units.Microsecond, int(disconnect) + handshake + message},
	} {
		sc := leafSpine(1, 3, 0)
		sc.Transport.Service = DC
		sc.Transport.Host = HostTimes{Connect: connect, Disconnect: disconnect, Linger: c.linger}
		sc.flow(0, 1, 1000, 0)
		sc.flow(0, c.dst, 1000, 0)
		sc.Flows[0].QueuePair, sc.Flows[1].QueuePair = 1, 1
		sc.Flows[1].After, sc.Flows[1].Delay = []int32{0}, c.gap
		flows := run(t, sc)
		if got, want := ps(flows[0].DeliveredUS), handshake+message; got != want {
			t.Errorf("%s: first message after %d ps, want %d", c.name, got, want)
		}
		if got := ps(flows[1].DeliveredUS); got != c.want {
			t.Errorf("%s: second message after %d ps, want %d", c.name, got, c.want)
		}
	}
}

// Targets refuse initiators beyond their limit, which come again until all are served.
func TestTargetsRefuse(t *testing.T) {
	sc := leafSpine(1, 9, 0)
	sc.Transport.Service = DC
	sc.Transport.Host = HostTimes{Targets: 2, Busy: 10 * units.Microsecond}
	patterns["incast"](sc, 100*units.KB)
	s := must.Get(newEngine(sc))(t)
	most := 0
	for s.step(never) {
		audit(t, s)
		most = max(most, s.nics[s.ports[0].nic].connected)
	}
	if s.finished != len(s.messages) || most != 2 || s.refused < 6 {
		t.Errorf("%d of %d finished, %d connected at most, %d refused", s.finished, len(s.messages), most, s.refused)
	}
}

// An initiator serves one destination at a time, whatever is waiting; with a congestion
// control that forgets, it comes back at line rate.
func TestInitiatorForgets(t *testing.T) {
	for _, keep := range []bool{false, true} {
		sc := scenario(leafSpine(1, 9, 0), "incast", "dcqcn", 500*units.KB)
		sc.Transport.Service, sc.Transport.Host.KeepRate = DC, keep
		for src := 1; src <= 8; src++ {
			sc.Flows[src-1].QueuePair = 1
			for _, dst := range []int{src%8 + 1, 0} { // elsewhere, and back
				sc.flow(src, dst, 1000, 0)
				f := &sc.Flows[len(sc.Flows)-1]
				f.After, f.QueuePair = []int32{int32(src - 1)}, 1
			}
		}
		s := must.Get(newEngine(sc))(t)
		for s.step(never) {
			for i := range s.initiators {
				busy := 0
				for pair := range s.flows {
					if f := &s.flows[pair]; int(f.initiator) == i && !f.done() {
						busy++
					}
				}
				if busy > 1 {
					t.Fatalf("initiator %d serves %d destinations", i, busy)
				}
			}
		}
		if f := &s.flows[0]; f.rate < f.lineRate/2 != keep || s.finished != len(s.messages) {
			t.Errorf("keep %v: rate %d when back, %d of %d messages finished", keep, f.rate, s.finished, len(s.messages))
		}
	}
}
