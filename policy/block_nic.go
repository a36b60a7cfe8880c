package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/units"
)

// A nicModel holds the factory settings of a NIC that the fabric depends on.
type nicModel struct {
	name        string
	cnpInterval units.Time // zero: no source states one
	cnpPFC      uint8
}

// nicModels are the NICs that are known by name.
//
// NVIDIA: `mlxconfig -q` of ConnectX-5 and later prints MIN_TIME_BETWEEN_CNPS 4 (us),
// CNP_802P_PRIO 6 and CNP_DSCP 48. ConnectX-4 prints 0, which is no interval; for it
// stands the 50 us of Zhu et al., "Congestion Control for Large-Scale RDMA
// Deployments", SIGCOMM 2015, section 3 (assumed).
//
// Broadcom: bnxt_setupcc.sh 236.1.155.0 sends CNPs with DSCP 48 at priority 7; an
// interval is not published.
//
// Acknowledgements and NACKs of all of them have the code point of the responder's own queue
// pair (for ConnectX openucx/ucx pull request 7132, which sets it for DC's targets; of the
// others it is assumed), and whatever connects queue pairs gives both ends the same one: that
// of the data.
var nicModels = []nicModel{
	{"connectx-4", 50 * units.Microsecond, 6},
	{"connectx-5", 4 * units.Microsecond, 6},
	{"connectx-6", 4 * units.Microsecond, 6},
	{"connectx-7", 4 * units.Microsecond, 6},
	{"bluefield-3", 4 * units.Microsecond, 6},
	{"thor", 0, 7},
	{"thor2", 0, 7},
	{"other", 0, 6},
}

// hostLatency is one half of what 2 B over RC leave beside the wire in UCloud's measurement of
// 1.70 us at 100G (golden/sim_transports.txt, section 1); that the halves are equal is assumed,
// and so it is of NICs that are not NVIDIA's.
const hostLatency = 790 * units.Nanosecond

func nicModelNames() []string {
	var names []string
	for _, m := range nicModels {
		names = append(names, m.name)
	}
	return names
}

// nicDecl is a nic block while its references are still names.
type nicDecl struct {
	*NIC
	classes Opt[[]reference]
}

var nicBlock = &block[nicDecl]{
	example: nicExample,
	name:    "nic", labels: []string{"NAME"},
	doc: "A kind of network card, referred to as `nic.NAME`.",
	fields: []field[nicDecl]{
		opt("model", oneOf(nicModelNames()...), func(n *nicDecl) *Opt[string] { return &n.Model }, "decides the defaults below; `other` has none").must(),
		opt("pause_response", timeKind(), func(n *nicDecl) *Opt[units.Time] { return &n.PauseResponse },
			"from the last bit of a PFC frame until it is silent").otherwise("the formula's, by speed"),
		opt("cnp_interval", between(timeKind(), units.Nanosecond, units.Second), func(n *nicDecl) *Opt[units.Time] { return &n.CNPInterval },
			"least time between two CNPs").otherwise("4us for ConnectX-5 and later and BlueField-3, 50us for ConnectX-4, else unknown"),
		opt("cnp_scope", either("port", "flow"), func(n *nicDecl) *Opt[bool] { return &n.CNPPerPort }, "what the interval counts for").otherwise("flow"),
		optDefault("cnp_dscp", whole[uint8](0, 63), func(n *nicDecl) *Opt[uint8] { return &n.CNPDSCP }, 48, "code point of its CNPs"),
		opt("ack_dscp", whole[uint8](0, 63), func(n *nicDecl) *Opt[uint8] { return &n.AckDSCP },
			"code point of its acknowledgements and NACKs, where applications give the queue pairs that answer another than those that ask").
			otherwise("that of the data that they answer"),
		opt("cnp_pfc", whole[uint8](0, 7), func(n *nicDecl) *Opt[uint8] { return &n.CNPPFC }, "802.1p priority of its CNPs").
			otherwise("6 for NVIDIA, 7 for Broadcom"),
		optDefault("send_latency", between(timeKind(), 0, units.Millisecond), func(n *nicDecl) *Opt[units.Time] { return &n.SendLatency }, hostLatency,
			"from the posting of a message until the NIC works on it, for `sim`; the default is fitted to UCloud's measurement, its half assumed"),
		optDefault("receive_latency", between(timeKind(), 0, units.Millisecond), func(n *nicDecl) *Opt[units.Time] { return &n.ReceiveLatency }, hostLatency,
			"from a message's last byte at the NIC until the process knows of it, for `sim`"),
		opt("mtu", frameKind(), func(n *nicDecl) *Opt[units.Bytes] { return &n.MTU }, "largest frame it sends").otherwise("`mtu` of the fabric"),
		optDefault("roce_mtu", bytesKind().where(roceMTU), func(n *nicDecl) *Opt[units.Bytes] { return &n.RoCEMTU }, 1024,
			"payload of a RoCE packet: 256B, 512B, 1024B, 2048B or 4096B"),
		optDefault("direct_placement", boolKind(), func(n *nicDecl) *Opt[bool] { return &n.DirectPlacement }, false, "accepts packets out of order"),
		opt("classes", listOf("a list of references, `[traffic_class.rdma]`", referenceTo("a traffic class", "traffic_class")),
			func(n *nicDecl) *Opt[[]reference] { return &n.classes }, "classes that its traffic uses").otherwise("every lossless class, and that of its CNPs"),
	},
}

// roceMTU admits the path MTUs of InfiniBand, IBTA 1.4 section 9.7.
func roceMTU(b units.Bytes) *problem {
	switch b {
	case 256, 512, 1024, 2048, 4096:
		return nil
	}
	return problemf(OutOfRange, "%v is no InfiniBand MTU", b).fixf("write 256B, 512B, 1024B, 2048B or 4096B")
}

func decodeNIC(d *decoder, b *hclsyntax.Block) *nicDecl {
	n := &nicDecl{NIC: &NIC{Name: b.Labels[0], Range: labelRange(b)}}
	nicBlock.decode(d, b.Body, n.Range, n)
	for _, m := range nicModels {
		if m.name == n.Model.Value {
			derive(&n.CNPInterval, m.cnpInterval)
			derive(&n.CNPPFC, m.cnpPFC)
		}
	}
	return n
}

// resolveClasses points a NIC to the classes that it uses, and marks the one that
// carries its CNPs.
func (n *nicDecl) resolveClasses(classes []*Class) {
	for _, c := range classes {
		cnp := slices.Contains(c.DSCPs.Value, n.CNPDSCP.Value)
		c.CNP = c.CNP || cnp
		acks := n.AckDSCP.Set && slices.Contains(c.DSCPs.Value, n.AckDSCP.Value)
		used := c.PFC.Set || cnp || acks
		if n.classes.Set {
			used = slices.ContainsFunc(n.classes.Value, func(r reference) bool { return r.name == c.Name })
		}
		if used {
			n.Classes = append(n.Classes, c)
		}
	}
}

// checkCNPs marks the class that carries CNPs and looks whether it can: in time, and
// without being stopped by the congestion that they report.
func checkCNPs(d *decoder, f *Fabric) {
	if dcqcn := slices.ContainsFunc(f.Classes, func(c *Class) bool { return c.CongestionControl.Value == "dcqcn" }); !dcqcn {
		return
	}
	for _, n := range f.NICs {
		c := cnpClass(f, n)
		if cnpPlace(f, n) != nil {
			continue // checkCNPPlace says so, and where they belong
		}
		if c == nil {
			d.diags.Warnf(CNPNotStrict, n.CNPDSCP.Range, "CNPs of nic %s have DSCP %d, which no traffic class takes", n.Name, n.CNPDSCP.Value).
				Fixf("give DSCP %d a class with scheduling = strict and a max_rate", n.CNPDSCP.Value)
			continue
		}
		checkCNPClass(d, c, n)
	}
}

func checkCNPClass(d *decoder, c *Class, n *NIC) {
	if c.PFC.Set {
		d.diags.Warnf(CNPLossless, c.PFC.Range, "CNPs of nic %s travel in %s, which is lossless: a pause would hold back the cure", n.Name, c.Name).
			Fixf("carry CNPs in a lossy strict class")
	}
	if !c.Strict.Value {
		d.diags.Warnf(CNPNotStrict, c.Strict.Range, "CNPs of nic %s travel in %s, which is not strict: they wait behind the traffic that they shall slow down", n.Name, c.Name).
			Fixf("give DSCP %d a class with scheduling = strict and a max_rate", n.CNPDSCP.Value)
	}
}

const nicExample = `
nic "cx7" {
  model    = "connectx-7"
  roce_mtu = "4096B"
}
`
