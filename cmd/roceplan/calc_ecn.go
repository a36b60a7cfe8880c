package main

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/units"
)

type calcECNCmd struct {
	chipFlags
	Speed          units.BitRate `required:"" placeholder:"RATE" help:"Rate of the port, \"100Gbps\"."`
	ExpectedDelay  units.Time    `required:"" placeholder:"TIME" help:"Queueing delay below which nothing is marked, \"40us\"."`
	TolerableDelay units.Time    `required:"" placeholder:"TIME" help:"Queueing delay above which everything is marked, \"80us\"."`
	QueuePairs     int64         `placeholder:"N" default:"1" help:"Flows that share the port (default: 1)."`
	CNPInterval    units.Time    `name:"cnp-interval" placeholder:"TIME" default:"50us" help:"Least time between two CNPs of a flow (default: 50us)."`
	RoCEMTU        units.Bytes   `name:"roce-mtu" placeholder:"BYTES" default:"1024B" help:"Payload of a RoCE packet (default: 1024B)."`
}

func (calcECNCmd) Help() string {
	return `Kmin and Kmax follow from the delays, Pmax from DCQCN's fixed point and the rate of CNPs:

    roceplan calc ecn --chip trident3 --speed 25Gbps --expected-delay 40us --tolerable-delay 80us`
}

// Run answers with the curve that compile would give such a port.
func (c calcECNCmd) Run(t *terminal) error {
	if c.Chip == "" {
		return misusef("--chip is missing; roceplan chips lists the names")
	}
	text := fmt.Sprintf(`fabric "question" {
  expected_delay = %q
  tolerable_delay = %q
  headroom_method = "ieee8021q"
}
traffic_class "rdma" {
  dscp = [46]
  queue = 5
  pfc = 5
  weight = 60
  queue_pairs = %d
}
nic "host" {
  model = "other"
  cnp_dscp = 0
  cnp_interval = %q
  roce_mtu = %q
}
switch "question" {
  chip = %q
  os = sonic
  port_group "port" {
    ports = "port[1..2]"
    speed = %q
    cable = "1m"
    peer = nic.host
  }
}
`, c.ExpectedDelay, c.TolerableDelay, c.QueuePairs, c.CNPInterval, c.RoCEMTU, c.Chip, c.Speed)
	return c.answerBy(t, text, "port1", func(q quantity) bool {
		name := q.names[0]
		return strings.HasSuffix(name, ".kmin") || strings.HasSuffix(name, ".kmax") || strings.HasSuffix(name, ".pmax")
	})
}
