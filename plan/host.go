package plan

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A Host is the configuration of the NICs of one kind, so that they match the switches.
type Host struct {
	Name  string // of the nic block
	Model string // "connectx-5"
	Range diag.Range
	Trust Trust
	MTU   units.Bytes // largest frame, with header and FCS
	// Classes are all classes of the fabric as the NIC carries them, sorted by priority,
	// then by name.
	Classes []HostClass
	// Priorities is the 802.1p priority of each code point: PFC and the NIC's own queues
	// go by it.
	Priorities [64]uint8
	CNPDSCP    uint8
	CNPPFC     uint8 // 802.1p priority of CNPs
	// AckDSCP is the code point of acknowledgements and NACKs if AcksApart, else they have
	// that of the data.
	AckDSCP   uint8
	AcksApart bool
	// CNPInterval is the least time between two CNPs, zero where it is unknown;
	// CNPPerPort its scope.
	CNPInterval Derived[units.Time]
	CNPPerPort  bool
	// Reaction is DCQCN as these NICs have it.
	Reaction Reaction
	// Factory is the same with factory constants, but for those that the author gives: what NICs do until they are set.
	Factory Reaction `json:"-"`
	// Tunable reports whether the catalogue knows how the constants are set.
	Tunable bool `json:"-"`
	// SendLatency is from the posting of a message until the NIC works on it, ReceiveLatency
	// from a message's last byte until its process knows: the simulator's.
	SendLatency, ReceiveLatency Derived[units.Time]
	RoCEMTU                     units.Bytes // payload of a full RoCE packet
	// Cable and Speed size the host's own receive buffer: the longest cable and the
	// highest speed of the ports that these NICs are connected to. Zero where there are none.
	Cable units.Length
	Speed units.BitRate
	// Buffer is the least receive buffer of each lossless priority. Zero where no formula
	// is known for the model.
	Buffer Derived[units.Bytes]
}

// A HostClass is a traffic class as a NIC sees it.
type HostClass struct {
	Name     string
	DSCPs    []uint8 // sorted
	Priority uint8   // 802.1p; the PFC priority of a lossless class
	Lossless bool
	Strict   bool
	// Share of the rate in whole per cent, 100 in sum over all classes that are not strict.
	Share int64
	// Used is set where the NIC's own RDMA traffic is in this class, CNP where its CNPs are.
	Used, CNP         bool
	CongestionControl string
	ECN               bool // packets carry ECT
	Range             diag.Range
}

// ToS returns the byte that carries the first code point of a class, by which a NIC sends it, with ECT(0)
// where its traffic can be marked (RFC 3168 section 5).
func (c *HostClass) ToS() int {
	t := int(c.DSCPs[0]) << 2
	if c.ECN {
		t |= 2
	}
	return t
}

// RDMA returns the class that the NIC marks its RDMA traffic with where an application
// says nothing: of those that it uses, the first lossless one, else the first. Nil where
// it uses none.
func (h *Host) RDMA() *HostClass {
	var first *HostClass
	for i := range h.Classes {
		c := &h.Classes[i]
		switch {
		case !c.Used || c.CNP || len(c.DSCPs) == 0:
		case c.Lossless:
			return c
		case first == nil:
			first = c
		}
	}
	return first
}

// Lossless returns the priorities that the NIC pauses, as bits.
func (h *Host) Lossless() (bits uint8) {
	for i := range h.Classes {
		if h.Classes[i].Lossless {
			bits |= 1 << (h.Classes[i].Priority & 7)
		}
	}
	return bits
}
