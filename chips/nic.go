package chips

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A NIC is a kind of network card: the constants with which it reacts to congestion, and notifies
// others of it, as it leaves the factory.
//
// NVIDIA's DCQCN has these names, and the others follow its state machine. Every α interval, α ←
// α·G/1024, plus (1024−G)/1024 if a notification came. Every decrease interval in which one came,
// rate ← rate·(1 − α·1024/2^GD), but not below MinDecFac of what it was.
type NIC struct {
	Name    string   // "connectx-7"
	Title   string   // as a person says it: "NVIDIA ConnectX-7"
	Aliases []string // other names in use
	Vendor  string
	Range   diag.Range

	PortSpeeds Datum[[]units.BitRate] // ascending

	// Algorithm is the congestion control that is on from the factory: "dcqcn", "pcc", "none".
	Algorithm Datum[string]

	// Settings is the interface by which an operator sets the constants of the reaction point: "mlx5" by
	// ecn/roce_rp in sysfs or cc_params in debugfs. Unknown: no public means.
	Settings Datum[string]

	// Reaction point.
	ClampTarget      Datum[bool]          // the target becomes the rate at every decrease
	ClampAfterTimer  Datum[bool]          // and otherwise once it has been increased by the timer
	Threshold        Datum[int]           // increases by timer or bytes before the target is raised
	TimeReset        Datum[units.Time]    // between increases
	ByteReset        Datum[units.Bytes]   // the same, by bytes sent
	AIRate           Datum[units.BitRate] // additive increase of the target
	HAIRate          Datum[units.BitRate] // hyper increase
	GD               Datum[int]           // log2 of the divisor of α, which counts to 1024
	MinDecFac        Datum[units.Ratio]   // least part of the rate that a decrease leaves
	MinRate          Datum[units.BitRate]
	G                Datum[int]        // of 1024: what of α is kept in an α interval
	AlphaInterval    Datum[units.Time] // dce_tcp_rtt
	DecreaseInterval Datum[units.Time] // rate_reduce_monitor_period
	InitialAlpha     Datum[int]        // of 1024

	// Notification point.
	CNPInterval Datum[units.Time] // least time between two CNPs, 0: one for each marked packet
	CNPScope    Datum[string]     // the scope of the interval: "flow", "address", "port"
	CNPDSCP     Datum[int]
	CNPPriority Datum[int] // 802.1p

	PauseResponse Datum[units.Time]  // from the last bit of a PFC frame to silence
	Latency       Datum[units.Time]  // from the wire to the memory of the host, one way
	BytesOfRoom   Datum[units.Bytes] // receive buffer of a lossless class
	AckClass      Datum[string]      // in which class acknowledgements travel: "data", "cnp"
	// DirectPlacement reports whether it takes packets out of order by default.
	DirectPlacement Datum[bool]
}

// nicRows returns the data of a NIC in the order in which they are shown.
func nicRows(n *NIC) []*dataRow {
	return []*dataRow{
		rowOf("port_speeds", rates, "rates that its ports can have", &n.PortSpeeds),
		rowOf("algorithm", ccAlgorithm, "congestion control of the factory configuration", &n.Algorithm),
		rowOf("dcqcn_settings", ccSettings, "interface that sets the constants of DCQCN; `mlx5`: ecn/roce_rp in sysfs or cc_params in debugfs", &n.Settings),
		rowOf("clamp_tgt_rate", yesNo, "whether the target becomes the current rate at every decrease", &n.ClampTarget),
		rowOf("clamp_tgt_rate_after_time_inc", yesNo, "whether the target becomes the current rate at a decrease after the timer has increased the rate", &n.ClampAfterTimer),
		rowOf("rpg_threshold", count, "increases by timer or bytes before the target rises", &n.Threshold),
		rowOf("rpg_time_reset", duration, "time between increases", &n.TimeReset),
		rowOf("rpg_byte_reset", amount, "bytes between increases", &n.ByteReset),
		rowOf("rpg_ai_rate", rate, "additive increase of the target", &n.AIRate),
		rowOf("rpg_hai_rate", rate, "hyper increase of the target", &n.HAIRate),
		rowOf("rpg_gd", register, "log2 of the divisor of alpha (0 to 1024) in a decrease: 11 halves the rate at most", &n.GD),
		rowOf("rpg_min_dec_fac", ratio, "least part of the rate that one decrease leaves", &n.MinDecFac),
		rowOf("rpg_min_rate", rate, "least rate", &n.MinRate),
		rowOf("dce_tcp_g", register, "parts of 1024 that alpha keeps in an interval", &n.G),
		rowOf("dce_tcp_rtt", duration, "interval between updates of alpha", &n.AlphaInterval),
		rowOf("rate_reduce_monitor_period", duration, "least time between decreases", &n.DecreaseInterval),
		rowOf("initial_alpha_value", register, "alpha at the first notification, of 1024", &n.InitialAlpha),
		rowOf("min_time_between_cnps", duration, "least time between two CNPs; 0: one for each marked packet", &n.CNPInterval),
		rowOf("cnp_scope", cnpScope, "scope of that time", &n.CNPScope),
		rowOf("cnp_dscp", register, "code point of its CNPs", &n.CNPDSCP),
		rowOf("cnp_802p_prio", register, "802.1p priority of its CNPs", &n.CNPPriority),
		rowOf("pause_response", duration, "time from the last bit of a PFC frame until the card is silent", &n.PauseResponse),
		rowOf("latency", duration, "one-way latency from the wire to the memory of the host", &n.Latency),
		rowOf("receive_buffer", amount, "receive buffer for a lossless class", &n.BytesOfRoom),
		rowOf("ack_class", ackClass, "class of acknowledgements: the class of their data, or of CNPs", &n.AckClass),
		rowOf("direct_placement", yesNo, "whether the card accepts packets out of order by default", &n.DirectPlacement),
	}
}

// register is a small whole number, 0 included.
var (
	register = kind[int]{"a whole number, `11`", "", func(r *reader, e expression) (int, bool) {
		before := len(r.found)
		n := r.between(e, 0, 1024)
		return n, len(r.found) == before
	}, count.text, count.number}
	ccAlgorithm = word("a congestion control", "dcqcn", "pcc", "none")
	ccSettings  = word("a way to set DCQCN", "mlx5")
	cnpScope    = word("a scope of CNPs", "flow", "address", "port")
	ackClass    = word("a class of acknowledgements", "data", "cnp")
)

// Facts returns the known data of the NIC.
func (n *NIC) Facts() []FactRow { return factsOf(nicRows(n)) }

// Unknown returns the names of the data that the catalogue does not have for the NIC.
func (n *NIC) Unknown() []string { return unknownOf(nicRows(n)) }

// Gain is g of the papers: (1024 − G)/1024, the weight of a new sample in alpha.
func (n *NIC) Gain() (units.Ratio, error) {
	g, err := n.G.Get()
	if err != nil {
		return 0, err
	}
	return units.Ratio(units.FloorMulDiv(int64(units.One), int64(1024-g), 1024)), nil
}

// NIC returns the network card of that name or alias; case does not matter.
func (c *Catalogue) NIC(name string) (*NIC, bool) {
	all := c.nics()
	if n := all[strings.ToLower(name)]; n != nil {
		return n, true
	}
	for _, n := range all {
		if slices.ContainsFunc(n.Aliases, func(alias string) bool { return strings.EqualFold(alias, name) }) {
			return n, true
		}
	}
	return nil, false
}

// NICs returns all network cards in the order of their names.
func (c *Catalogue) NICs() []*NIC { return inOrder(c.nics()) }
