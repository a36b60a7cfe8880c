package main

import (
	"strings"

	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/units"
)

type calcECNCmd struct {
	Chip           string        `complete:"chip" required:"" placeholder:"NAME" help:"Chip, under any of its names; see roceplan chips."`
	Chips          []string      `placeholder:"DIR" sep:"none" help:"Folder with chips of your own (*.hcl); may be repeated."`
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
	q := newQuestion()
	q.add(`fabric "question" {`)
	q.given("expected_delay", "--expected-delay", c.ExpectedDelay)
	q.given("tolerable_delay", "--tolerable-delay", c.TolerableDelay)
	q.add("  headroom_method = \"ieee8021q\"\n}\n" +
		"traffic_class \"rdma\" {\n  dscp = [46]\n  queue = 5\n  pfc = 5\n  weight = 60")
	q.given("queue_pairs", "--queue-pairs", c.QueuePairs)
	q.add("}\nnic \"host\" {\n  model = \"other\"\n  cnp_dscp = 48")
	q.given("cnp_interval", "--cnp-interval", c.CNPInterval)
	q.given("roce_mtu", "--roce-mtu", c.RoCEMTU)
	q.add("}\nswitch \"the-switch\" {\n  os = sonic")
	q.given("chip", "--chip", c.Chip)
	q.add("  port_group \"port\" {\n  ports = \"port[1..2]\"")
	q.given("speed", "--speed", c.Speed)
	q.add("    cable = \"1m\"\n    peer = nic.host\n  }\n}")
	return chipFlags{c.Chip, c.Chips}.answerBy(t, q, aspect{port: "port1", meant: func(q explain.Quantity) bool {
		name := q.Names[0]
		return strings.HasSuffix(name, ".kmin") || strings.HasSuffix(name, ".kmax") || strings.HasSuffix(name, ".pmax")
	}})
}
