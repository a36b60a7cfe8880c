// Command markingstudy runs what docs/marking-study.md is about and prints its table:
//
//	go run ./internal/testing/markingstudy >docs/marking-study.csv
//
// It takes some minutes. N servers send to one through a switch, with each card, speed, cable
// and marking curve. The order of lines and all figures are the same in each run.
package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/units"
)

// A curve begins at so many full packets on the wire, and ends so many microseconds of the port
// above that, with a probability in per cent.
type curve struct {
	packets, above int
	pmax           int
}

// A place is a scenario that the curve has to serve.
type place struct {
	card    string
	speed   units.BitRate
	cable   units.Length
	mtu     units.Bytes
	senders int
}

func main() {
	if err := study(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func study() error {
	out := csv.NewWriter(os.Stdout)
	if err := out.Write([]string{"card", "speed", "cable", "roce_mtu", "senders", "kmin_packets", "kmin_bytes", "kmax_bytes", "pmax_percent", "sent_percent", "delay_p50_us", "delay_p90_us", "delay_p99_us", "delay_max_us"}); err != nil {
		return err
	}
	for _, p := range places() {
		for _, c := range curves() {
			row, err := p.run(c)
			if err != nil {
				return err
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
		out.Flush()
	}
	return out.Error()
}

func places() (all []place) {
	for _, card := range []string{"connectx-7", "e810"} {
		for _, speed := range []units.BitRate{25 * units.Gbps, 100 * units.Gbps, 400 * units.Gbps} {
			if card == "e810" && speed > 100*units.Gbps {
				continue // it has no such port
			}
			for _, cable := range []units.Length{3 * units.Metre, 300 * units.Metre} {
				for _, mtu := range []units.Bytes{1024, 4096} {
					for _, senders := range []int{2, 8, 16} {
						all = append(all, place{card, speed, cable, mtu, senders})
					}
				}
			}
		}
	}
	return all
}

func curves() (all []curve) {
	for _, packets := range []int{1, 2, 3, 4, 8, 16} {
		all = append(all, curve{packets, 0, 100}, curve{packets, 8, 5}, curve{packets, 8, 100})
	}
	return all
}

// headers are around a RoCE payload in the simulator: Ethernet 14, IPv4 20, UDP 8, BTH 12,
// RETH 16, ICRC 4, FCS 4.
const headers units.Bytes = 78

// run measures the last 10 ms, after senders have begun one after another, 250 us apart: it is
// the steady state that is studied. A start of all at once fills the queue before the first
// notification can come, whatever the curve is.
func (p place) run(c curve) ([]string, error) {
	kmin := units.Bytes(c.packets) * (p.mtu + headers)
	kmax := kmin + p.speed.FloorBytes(units.Time(c.above)*units.Microsecond)
	text := fmt.Sprintf(fabricText, p.card, kmin, kmax, c.pmax, p.speed, p.cable, p.mtu, p.mtu+2*headers)
	f := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "study.hcl", Text: []byte(text)}}})
	made, found := f.Plan()
	if found.HasErrors() {
		return nil, fmt.Errorf("%v: %v", p, found)
	}
	net, err := fabric.New(made, f.Catalogue.Find, fabric.Options{Size: fabric.Size{Edges: 1, HostsPerEdge: 33}})
	if err != nil {
		return nil, err
	}
	sc := &net.Scenario
	const apart, measured = 250 * units.Microsecond, 10 * units.Millisecond
	from := units.Time(p.senders)*apart + 20*units.Millisecond
	for i := range p.senders {
		sc.Flows = append(sc.Flows, sim.Flow{Src: i + 1, Class: net.RDMA, SrcPort: uint16(i + 1), DstPort: 4791, Bytes: 1 << 40, Start: units.Time(i) * apart})
	}
	sc.Stop, sc.Seed = from+measured, 1
	seen := &samples{from: from}
	sc.Observe = &sim.Observation{Series: []*sim.Series{{Period: units.Microsecond, Select: []string{"tx:33.1", "queue:33.1.*"},
		Begin: seen.begin, Sampled: seen.take}}}
	if _, err := sim.Run(context.Background(), sc); err != nil {
		return nil, err
	}
	rate := float64(net.Hosts[0].Rate)
	slices.Sort(seen.queue)
	delay := func(share float64) string {
		return strconv.FormatFloat(float64(seen.queue[int(share*float64(len(seen.queue)-1))])*8e6/rate, 'f', 1, 64)
	}
	return []string{
		p.card, p.speed.String(), p.cable.String(), strconv.Itoa(int(p.mtu)), strconv.Itoa(p.senders),
		strconv.Itoa(c.packets), strconv.Itoa(int(kmin)), strconv.Itoa(int(kmax)), strconv.Itoa(c.pmax),
		strconv.FormatFloat(100*seen.sent/float64(len(seen.queue))/rate, 'f', 1, 64), delay(0.5), delay(0.9), delay(0.99), delay(1),
	}, nil
}

// samples are the data that the port to the receiver sends, and all that waits there.
type samples struct {
	from  units.Time
	names []string
	sent  float64 // sum of bit/s
	queue []int64
}

func (s *samples) begin(names []string) error {
	s.names = names
	return nil
}

func (s *samples) take(at units.Time, values []int64) error {
	if at < s.from {
		return nil
	}
	var waits int64
	for i, name := range s.names {
		if strings.HasPrefix(name, "tx:") {
			s.sent += float64(values[i])
		} else {
			waits += values[i]
		}
	}
	s.queue = append(s.queue, waits)
	return nil
}

const fabricText = `
fabric "study" {
  mtu             = "%[8]v"
  expected_delay  = "1ms"
  tolerable_delay = "2ms"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "1Gbps"
}
traffic_class "rdma" {
  dscp               = [46]
  queue              = 5
  pfc                = 5
  weight             = 60
  congestion_control = dcqcn
  ecn {
    kmin = "%[2]v"
    kmax = "%[3]v"
    pmax = "%[4]d%%"
  }
}
traffic_class "rest" {
  dscp   = rest
  queue  = 2
  weight = 40
}
nic "card" {
  model    = "%[1]s"
  roce_mtu = "%[7]v"
  dcqcn {
    constants = model
  }
}
switch "leaf" {
  chip = "spectrum4"
  os   = sonic
  port_group "servers" {
    ports = "Ethernet[0..32]"
    speed = "%[5]v"
    cable = "%[6]v"
    peer  = nic.card
  }
}
`
