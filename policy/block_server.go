package policy

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Server is one machine with GPUs.
type Server struct {
	Name string
	GPUs int
	NICs []LinkEnd // ports that they are at
	plan.Machine
}

// serverDecl is a server block: machines of one kind.
type serverDecl struct {
	name              string
	at                diag.Range
	switches          Opt[[]string]
	gpus, nics, rails Opt[int]
	nvlink            Opt[units.BitRate]
	nvls              Opt[bool]
	cpu               Opt[string]
	stepLatency       Opt[units.Time]
}

// maxGPUs is of one server: those of a rack that NVLink joins are 72 today.
const maxGPUs = 1024

// leastNVLink is as slow as the slowest port ([portSpeed]): a terabyte, the most of one operation of a trace, then takes
// nine days, and a time holds a hundred. mostNVLink is ten times the fastest port.
const leastNVLink, mostNVLink = 10 * units.Mbps, 100 * units.Tbps

var serverBlock = &block[serverDecl]{
	example: serverExample,
	name:    "server", labels: []string{"NAME"},
	doc: "Machines with GPUs, for `collective` and `sim --workload`. They fill all host ports of the switches. " +
		"Each server uses as many switches as there are rails, and the next free host ports of each; its NIC k is at switch k modulo `rails`. " +
		"With one rail all NICs of a server are at one switch. GPUs are counted server by server.",
	fields: []field[serverDecl]{
		opt("switches", patternsKind(), func(s *serverDecl) *Opt[[]string] { return &s.switches }, "switches of the servers, in the order of the rails: `\"leaf-[01..08]\"`").must(),
		optDefault("gpus", whole(1, maxGPUs), func(s *serverDecl) *Opt[int] { return &s.gpus }, 8, "GPUs of each server"),
		opt("nics", whole(1, maxGPUs), func(s *serverDecl) *Opt[int] { return &s.nics }, "NICs of each server; each serves the same number of GPUs").otherwise("`gpus`"),
		opt("rails", whole(1, maxGPUs), func(s *serverDecl) *Opt[int] { return &s.rails }, "switches to which the NICs of a server connect").otherwise("`nics`"),
		opt("nvlink", between(rateKind(), leastNVLink, mostNVLink), func(s *serverDecl) *Opt[units.BitRate] { return &s.nvlink },
			"rate of each GPU's NVLink in one direction. An H100 has 3600Gbps: 900 GB/s in both directions (NVIDIA H100 datasheet)").otherwise("transfers within a server take no time"),
		optDefault("nvls", boolKind(), func(s *serverDecl) *Opt[bool] { return &s.nvls }, false,
			"NVLink's switches reduce data (NVLink SHARP, from H100 on): NCCL then has `nvls_tree` for an all-reduce over several servers"),
		opt("cpu", oneOf("intel", "amd"), func(s *serverDecl) *Opt[string] { return &s.cpu }, "make of the CPUs, on which NCCL's cost model depends").otherwise("intel"),
		optDefault("step_latency", between(timeKind(), 0, units.Millisecond), func(s *serverDecl) *Opt[units.Time] { return &s.stepLatency }, 0,
			"what these hosts take for each step of a collective over the network in addition to NCCL's cost model, with a `protocol` other than `wire`"),
	},
}

// decodeServers places the servers of all blocks at ports of the fabric.
func decodeServers(d *decoder, f *Fabric, blocks []*hclsyntax.Block, w *wiring) {
	if len(blocks) == 0 {
		return
	}
	hosts, taken := newStations(w), map[LinkEnd]*serverDecl{}
	for _, b := range blocks {
		s := &serverDecl{name: b.Labels[0], at: labelRange(b)}
		serverBlock.decode(d, b.Body, s.at, s)
		derive(&s.nics, s.gpus.Value)
		derive(&s.rails, s.nics.Value)
		if s.goesUp(d) {
			f.Servers = append(f.Servers, s.place(d, hosts, taken)...)
		}
	}
}

// goesUp demands that nothing is left over.
func (s *serverDecl) goesUp(d *decoder) bool {
	if !s.switches.Set {
		return false
	}
	ok := true
	for _, c := range []struct {
		many, few         int
		manyName, fewName string
		at, with          diag.Range
	}{
		{s.gpus.Value, s.nics.Value, "GPUs", "NICs", s.nics.Range, s.gpus.Range},
		{s.nics.Value, s.rails.Value, "NICs", "rails", s.rails.Range, s.nics.Range},
		{len(s.switches.Value), s.rails.Value, "switches", "rails", s.switches.Range, s.rails.Range},
	} {
		if c.many%c.few != 0 || c.many == 0 {
			ok = false
			d.errorf(ServerRails, c.at, "server %s: %d %s are not a multiple of %d %s", s.name, c.many, c.manyName, c.few, c.fewName).
				Fixf("name equally many switches for each rail").Notef(c.with, "the other number is here")
		}
	}
	return ok
}

// place gives each server its ports.
func (s *serverDecl) place(d *decoder, hosts *stations, taken map[LinkEnd]*serverDecl) (out []Server) {
	rails, each := s.rails.Value, s.nics.Value/s.rails.Value
	for first := 0; first < len(s.switches.Value); first += rails {
		ports := make([][]LinkEnd, rails)
		for rail := range ports {
			name := s.switches.Value[first+rail]
			ports[rail] = hosts.at(d, "switches", Opt[string]{name, true, s.switches.Range})
			if ports[rail] == nil || !s.fits(d, name, ports[rail], len(ports[0]), each, taken) {
				return nil
			}
		}
		for n := range len(ports[0]) / each {
			server := Server{Name: fmt.Sprintf("%s-%d", s.name, len(out)+1), GPUs: s.gpus.Value, Machine: plan.Machine{NVLink: s.nvlink.Value, NVLS: s.nvls.Value, AMD: s.cpu.Value == "amd", StepLatency: s.stepLatency.Value}}
			for nic := range s.nics.Value {
				server.NICs = append(server.NICs, ports[nic%rails][n*each+nic/rails])
			}
			out = append(out, server)
		}
	}
	return out
}

// fits looks whether the ports of a switch are those of whole servers, as many as at the first of the rails.
func (s *serverDecl) fits(d *decoder, name string, ports []LinkEnd, first, each int, taken map[LinkEnd]*serverDecl) bool {
	switch other := taken[ports[0]]; {
	case other != nil:
		d.errorf(ServerPorts, s.switches.Range, "server %s: the ports of %s are those of server %s already", s.name, name, other.name).
			Fixf("name each switch once").Notef(other.switches.Range, "the other server is here")
		return false
	case len(ports) != first:
		d.errorf(ServerPorts, s.switches.Range, "server %s: %s has %d ports to hosts, and the first switch of its rails has %d", s.name, name, len(ports), first).
			Fixf("take switches with equally many")
		return false
	case len(ports)%each != 0:
		d.errorf(ServerPorts, s.switches.Range, "server %s: %s has %d ports to hosts, which are not a multiple of the %d of each server", s.name, name, len(ports), each).
			Fixf("change nics or rails")
		return false
	}
	for _, e := range ports {
		taken[e] = s
	}
	return true
}

const serverExample = `
server "gpu" {
  switches = "tor-[01..02]"
  gpus     = 8
  nics     = 4
  rails    = 2
  nvlink   = "3600Gbps"
}
`
