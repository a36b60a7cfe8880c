package policy

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// hostLatency is half of UCloud's measurement of 2 B over RC, 1.70 us at 100G, without the wire
// (golden/sim_transports.txt, section 1). It is assumed that the halves are equal, and that other
// vendors' NICs take as long.
const hostLatency = 790 * units.Nanosecond

// responseKind returns the time in which a station obeys a pause: none does so at once, and formulas count with 1 ms
// at most.
func responseKind() kind[units.Time] {
	return between(timeKind(), units.Nanosecond, units.Millisecond)
}

// nicDecl is a nic block while its references are still names.
type nicDecl struct {
	*NIC
	classes Opt[[]reference]
}

var nicBlock = &block[nicDecl]{
	example: nicExample,
	name:    "nic", labels: []string{"NAME"},
	doc: "A kind of network card. Ports refer to it as `nic.NAME`.",
	fields: []field[nicDecl]{
		opt("model", textKind("a model", "connectx-7"), func(n *nicDecl) *Opt[string] { return &n.Model },
			"NIC model, with the defaults of the attributes below; `roceplan nics` lists the models, and `other` has no defaults").must(),
		opt("pause_response", responseKind(), func(n *nicDecl) *Opt[units.Time] { return &n.PauseResponse },
			"time from the last bit of a PFC frame until the NIC is silent; a proof names it as declared").otherwise("the formula's, by speed; for the proof, the limit of IEEE 802.3"),
		opt("cnp_interval", between(timeKind(), units.Nanosecond, units.Second), func(n *nicDecl) *Opt[units.Time] { return &n.CNPInterval },
			"least time between two CNPs").otherwise("4us for ConnectX-5 and later and BlueField-3, 50us for ConnectX-4, else unknown"),
		opt("cnp_scope", either("port", "flow"), func(n *nicDecl) *Opt[bool] { return &n.CNPPerPort }, "scope of the interval").otherwise("flow"),
		opt("cnp_dscp", whole[uint8](0, 63), func(n *nicDecl) *Opt[uint8] { return &n.CNPDSCP }, "code point of its CNPs").
			otherwise("46 for AMD Pollara, else 48"),
		opt("ack_dscp", whole[uint8](0, 63), func(n *nicDecl) *Opt[uint8] { return &n.AckDSCP },
			"code point of its acknowledgements and NACKs, if applications give answering queue pairs another one").
			otherwise("the code point of the data"),
		opt("cnp_pfc", whole[uint8](0, 7), func(n *nicDecl) *Opt[uint8] { return &n.CNPPFC }, "802.1p priority of its CNPs").
			otherwise("6 for NVIDIA, 7 for Broadcom"),
		optDefault("send_latency", between(timeKind(), 0, units.Millisecond), func(n *nicDecl) *Opt[units.Time] { return &n.SendLatency }, hostLatency,
			"time from the posting of a message until the NIC works on it, for `sim`. UCloud measured the sum of both latencies; an equal split is assumed"),
		optDefault("receive_latency", between(timeKind(), 0, units.Millisecond), func(n *nicDecl) *Opt[units.Time] { return &n.ReceiveLatency }, hostLatency,
			"time from a message's last byte at the NIC until the process receives it, for `sim`"),
		opt("mtu", frameKind(), func(n *nicDecl) *Opt[units.Bytes] { return &n.MTU }, "largest frame it sends").otherwise("`mtu` of the fabric"),
		opt("roce_mtu", bytesKind().where(roceMTU), func(n *nicDecl) *Opt[units.Bytes] { return &n.RoCEMTU },
			"payload of a RoCE packet: 256B, 512B, 1024B, 2048B or 4096B").otherwise("the largest whose packets fit the lossless frame and `mtu`, as drivers choose it"),
		optDefault("direct_placement", boolKind(), func(n *nicDecl) *Opt[bool] { return &n.DirectPlacement }, false, "whether the NIC accepts packets out of order"),
		opt("classes", listOf("a list of references, `[traffic_class.rdma]`", referenceTo("a traffic class", "traffic_class")),
			func(n *nicDecl) *Opt[[]reference] { return &n.classes }, "classes of its traffic").otherwise("every lossless class, and the class of its CNPs"),
	},
	nested: []nested[nicDecl]{inner(dcqcnBlock, true, func(d *decoder, n *nicDecl, b *hclsyntax.Block) {
		dcqcnBlock.decode(d, b.Body, b.TypeRange, &n.Reaction)
	})},
}

// roceMTU admits the path MTUs of InfiniBand, IBTA 1.4 section 9.7.
func roceMTU(b units.Bytes) *problem {
	switch b {
	case 256, 512, 1024, 2048, 4096:
		return nil
	}
	return problemf(OutOfRange, "%v is not an InfiniBand MTU", b).fixf("write 256B, 512B, 1024B, 2048B or 4096B")
}

// LargestRoCEMTU returns the largest path MTU of InfiniBand whose packets fit a frame: with Ethernet
// 14, IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4 and FCS 4 (IBTA 1.4, annex A17). At least 256 B.
func LargestRoCEMTU(frame units.Bytes) units.Bytes {
	mtu := units.Bytes(4096)
	for mtu > 256 && mtu+78 > frame {
		mtu /= 2
	}
	return mtu
}

func decodeNIC(d *decoder, b *hclsyntax.Block) *nicDecl {
	n := &nicDecl{NIC: &NIC{Name: b.Labels[0], Range: labelRange(b)}}
	nicBlock.decode(d, b.Body, n.Range, n)
	n.deriveFromModel(d)
	n.checkDerived(d)
	return n
}

// Defaults of NICs whose model has none: NVIDIA's and Broadcom's both mark CNPs with DSCP 48;
// 802.1p 6 is that of internetwork control.
const (
	defaultCNPDSCP     = 48
	defaultCNPPriority = 6
)

// deriveFromModel takes what the block does not say from the catalogue.
func (n *nicDecl) deriveFromModel(d *decoder) {
	model := n.card(d)
	derive(&n.CNPInterval, model.CNPInterval.Or(0))
	derive(&n.CNPDSCP, uint8(model.CNPDSCP.Or(defaultCNPDSCP)))
	derive(&n.CNPPFC, uint8(model.CNPPriority.Or(defaultCNPPriority)))
}

// nicModel finds a model, nil where the fabric names none that is known.
func (d *decoder) nicModel(name Opt[string]) *chips.NIC {
	if d.catalogue == nil || !name.Set || name.Value == "other" {
		return nil
	}
	model, ok := d.catalogue.NIC(name.Value)
	if !ok {
		var known []string
		for _, n := range d.catalogue.NICs() {
			known = append(known, n.Name)
		}
		d.errorf(UnknownValue, name.Range, "model: there is no NIC %q in the catalogue", clip(name.Value)).
			Repaired(diag.RenameModel(name.Value, known, "one of "+strings.Join(known, ", ")+", or other"))
	}
	return model
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
		d.diags.Warnf(CNPLossless, c.PFC.Range, "CNPs of nic %s travel in %s, which is lossless: a pause would delay the CNPs", n.Name, c.Name).
			Fixf("remove pfc: CNPs belong in a lossy strict class")
	}
	if !c.Strict.Value {
		d.diags.Warnf(CNPNotStrict, c.Strict.Range, "CNPs of nic %s travel in %s, which is not strict: they wait behind the traffic that they should slow down", n.Name, c.Name).
			Fixf("give DSCP %d a class with scheduling = strict and a max_rate", n.CNPDSCP.Value)
	}
}

const nicExample = `
nic "cx7" {
  model    = "connectx-7"
  roce_mtu = "4096B"
}
`
