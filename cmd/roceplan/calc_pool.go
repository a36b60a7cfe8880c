package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/units"
)

type calcPoolCmd struct {
	chipFlags
	Ports   int           `placeholder:"N" help:"Ports with a lossless class."`
	Speed   units.BitRate `placeholder:"RATE" help:"Their rate, \"100Gbps\"."`
	Cable   units.Length  `placeholder:"LENGTH" help:"Their cables, \"40m\"."`
	MTU     *units.Bytes  `name:"mtu" placeholder:"BYTES" help:"Largest frame (default: 9216B)."`
	Classes int           `placeholder:"N" default:"1" help:"Lossless classes, 1 to 6 (default: 1)."`
	Method  string        `placeholder:"NAME" help:"Formula of the headroom (default: compile's)."`
	Batch   string        `placeholder:"FILE.json" help:"Answer a list of buffer configurations of Spectrum switches; - is standard input."`
}

func (calcPoolCmd) Help() string {
	return `The shared buffer of a switch with equal ports, with the derivation:

    roceplan calc pool --chip trident3 --ports 32 --speed 100Gbps --cable 40m

A list of configurations of Spectrum switches, as NVIDIA's calculator in SONiC sizes their pools; each comes back with predicted_pools, or with error where something is missing:

    roceplan calc pool --batch configurations.json >sized.json

Each has asic, over_subscribe_ratio, two_ingress_pools, profiles (ingress_lossy_profile, egress_lossless_profile, egress_lossy_profile, q_lossy_profile) and port_groups (ports, lanes, lossless_pgs, and xon_bytes, xoff_bytes, size_bytes or speed_mbps, cable_m). mmu_bytes, cell_size_bytes and pipeline_latency_kib come from the catalogue if absent; filled_in lists these. The exit code is 1 if any has an error.`
}

// Run answers one question, or a file of them.
func (c calcPoolCmd) Run(t *terminal) error {
	if c.Batch != "" {
		return c.batch(t, c.Batch, func(r io.Reader, w io.Writer, catalogue *chips.Catalogue) (int, error) {
			text, err := regular.Stream(r, c.Batch)
			if err != nil {
				return 0, err
			}
			return pool.Batch(bytes.NewReader(text), w, catalogue)
		})
	}
	if c.Chip == "" || c.Ports < 1 || c.Speed == 0 || c.Cable == 0 {
		return misusef("--chip, --ports, --speed and --cable are needed, or --batch; see roceplan calc pool --help")
	}
	if c.Classes < 1 || c.Classes > 6 {
		return misusef("--classes is %d; a switch can have 1 to 6 lossless classes and a lossy one", c.Classes)
	}
	return c.answerBy(t, c.question(), aspect{summary: true, meant: func(q explain.Quantity) bool {
		return strings.HasSuffix(q.Names[0], "_pool.size") || strings.HasSuffix(q.Names[0], "_pool.headroom") || q.Names[0] == "buffer-fits"
	}})
}

// question returns a fabric of one such switch.
func (c calcPoolCmd) question() *question {
	q := newQuestion()
	q.add(`fabric "question" {`)
	if c.MTU != nil {
		q.given("mtu", "--mtu", *c.MTU)
	}
	if c.Method != "" {
		q.given("headroom_method", "--method", c.Method)
	}
	q.add("}\ntraffic_class \"rest\" {\n  dscp = rest\n  queue = 0\n  weight = 40\n}")
	for i := 1; i <= c.Classes; i++ {
		q.add("traffic_class \"rdma%d\" {\n  dscp = [%d]\n  queue = %d\n  pfc = %d\n  weight = %d\n  ecn = off\n  congestion_control = none\n}", i, 40+i, i, i, 60/c.Classes)
	}
	q.add("switch \"the-switch\" {\n  os = sonic")
	q.given("chip", "--chip", c.Chip)
	q.add("  port_group \"ports\" {")
	q.flags[q.lines+1] = fmt.Sprintf("--ports %d", c.Ports)
	q.add("    ports = \"port[1..%d]\"", c.Ports)
	q.given("speed", "--speed", c.Speed)
	q.given("cable", "--cable", c.Cable)
	q.add("  }\n}")
	return q
}
