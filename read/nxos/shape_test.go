package nxos_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/nxos"
	"github.com/roceplan/roceplan/units"
)

// A shaper bounds its queue, in any unit of bits; fec is the error correction of a port.
func TestShapesAndFEC(t *testing.T) {
	const file = `hostname a
policy-map type network-qos N
  class type network-qos c-8q-nq3
    pause pfc-cos 3
policy-map type queuing OUT
  class type queuing c-out-8q-q7
    priority level 1
    SHAPE
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
system qos
  service-policy type network-qos N
  service-policy type queuing output OUT
interface Ethernet1/1
  priority-flow-control mode on
  FEC
`
	for _, c := range []struct {
		shape, fec string
		rate       units.BitRate
		says       string
		unread     string // the line that is not modelled
	}{
		{"shape min 0 gbps max 2 gbps", "fec rs-544-2xN", 2 * units.Gbps, "rs", ""},
		{"shape min 10 mbps max 500 mbps", "fec fc-fec", 500 * units.Mbps, "fc", ""},
		{"shape max 1000000 kbps", "fec off", units.Gbps, "none", ""},
		{"shape min 0 bps max 1000000000 bps", "fec auto", units.Gbps, "", ""},
		{"no shape min 0 gbps max 2 gbps", "no fec rs-fec", 0, "", ""},
		{"shape min 0 pps max 1000 pps", "fec rs-fec", 0, "rs", "shape min 0 pps max 1000 pps"},
		{"shape min 0 gbps max 99999999999 gbps", "fec rs-fec", 0, "rs", "shape min 0 gbps max 99999999999 gbps"},
		{"shape max 1 gbps", "fec magic", units.Gbps, "", "fec magic"},
	} {
		text := strings.NewReplacer("SHAPE", c.shape, "FEC", c.fec).Replace(file)
		sw, _ := readtest.Switch(nxos.Format(), "a.cfg", []byte(text))
		queues := sw.Ports[0].QoS.Queues
		if q := queues[len(queues)-1]; q.ID != 7 || q.Scheduler.MaxRate.Value != c.rate || sw.Ports[0].FEC != c.says {
			t.Errorf("%s, %s: queue %d at %v, FEC %q", c.shape, c.fec, q.ID, q.Scheduler.MaxRate.Value, sw.Ports[0].FEC)
		}
		var unread []string
		for _, s := range nxos.Format().Read("a.cfg", []byte(text), read.Options{}).Ledger.Statements {
			if s.Sort == read.Unmodelled {
				unread = append(unread, s.Text)
			}
		}
		if got := strings.Join(unread, "; "); got != c.unread {
			t.Errorf("%s, %s: not modelled are %q", c.shape, c.fec, got)
		}
	}
}
