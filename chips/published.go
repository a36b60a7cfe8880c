package chips

import (
	"errors"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A Configuration is a published one for RoCE: a vendor's default or guide, a template that ships,
// a paper. A value that its source lacks is unknown.
type Configuration struct {
	Name   string // "nvidia-roce"
	Title  string // as a person says it
	Vendor string // the publisher
	Range  diag.Range

	Speeds Datum[[]units.BitRate] // of servers' ports that it is for; unknown: any
	Chips  Datum[[]string]        // names of the catalogue that it is for; unknown: any

	// The curve of lossless queues: in bytes, in cells of the chip, or as a share of what a queue may hold.
	// Each list has a value for all ports, or one for each of CurveSpeeds.
	CurveSpeeds Datum[[]units.BitRate]
	ScalesFrom  Datum[units.BitRate] // the speed that all amounts and rates are for; they grow with that of a port
	KMin, KMax  Datum[[]units.Bytes]
	// Of switches that no server is at; unknown: as the others.
	KMinAbove, KMaxAbove Datum[[]units.Bytes]
	KMinCells, KMaxCells Datum[[]units.Cells]
	KMinFill, KMaxFill   Datum[[]units.Ratio]
	PMax                 Datum[[]units.Ratio]

	Alpha Datum[units.Alpha] // of lossless priority groups

	// DCQCN of the NICs, named as in [NIC].
	ClampTarget      Datum[bool]
	Threshold        Datum[int]
	TimeReset        Datum[units.Time]
	ByteReset        Datum[units.Bytes]
	AIRate, HAIRate  Datum[units.BitRate]
	MinRate          Datum[units.BitRate]
	G                Datum[int]
	AlphaInterval    Datum[units.Time]
	DecreaseInterval Datum[units.Time]
	CNPInterval      Datum[units.Time]

	// Settings that do not affect completion.
	DataDSCP, DataPriority, CNPDSCP, CNPPriority             Datum[int]
	DataShare                                                Datum[units.Ratio] // of a port's rate, under load
	WatchdogDetection, WatchdogRestoration, WatchdogInterval Datum[units.Time]
}

// publishedRows returns the data of a configuration in the order in which they are shown.
func publishedRows(p *Configuration) []*dataRow {
	return []*dataRow{
		rowOf("for_speeds", rates, "speeds of servers' ports, if its source names some", &p.Speeds),
		rowOf("for_chips", chipNames, "chips, if its source names some", &p.Chips),
		rowOf("curve_speeds", rates, "port speeds of the values of kmin, kmax and pmax in turn; absent: one value for all", &p.CurveSpeeds),
		rowOf("scales_from", rate, "port speed of the amounts and rates, if they grow in proportion to it", &p.ScalesFrom),
		rowOf("kmin", amounts, "queue length where marking begins", &p.KMin),
		rowOf("kmax", amounts, "queue length above which every packet is marked", &p.KMax),
		rowOf("kmin_above", amounts, "kmin of switches without servers; absent: that of the others", &p.KMinAbove),
		rowOf("kmax_above", amounts, "kmax of switches without servers; absent: that of the others", &p.KMaxAbove),
		rowOf("kmin_cells", cellCounts, "kmin in cells of the chip", &p.KMinCells),
		rowOf("kmax_cells", cellCounts, "kmax in cells of the chip", &p.KMaxCells),
		rowOf("kmin_fill", shares, "kmin as a share of the queue's limit", &p.KMinFill),
		rowOf("kmax_fill", shares, "kmax as a share of the queue's limit", &p.KMaxFill),
		rowOf("pmax", shares, "share of packets marked at kmax", &p.PMax),
		rowOf("alpha", oneAlpha, "dynamic threshold of lossless priority groups", &p.Alpha),
		rowOf("clamp_tgt_rate", yesNo, "DCQCN: whether the target becomes the current rate at every decrease", &p.ClampTarget),
		rowOf("rpg_threshold", count, "DCQCN: increases before the target rises", &p.Threshold),
		rowOf("rpg_time_reset", duration, "DCQCN: time between increases", &p.TimeReset),
		rowOf("rpg_byte_reset", amount, "DCQCN: bytes between increases", &p.ByteReset),
		rowOf("rpg_ai_rate", rate, "DCQCN: additive increase", &p.AIRate),
		rowOf("rpg_hai_rate", rate, "DCQCN: hyper increase", &p.HAIRate),
		rowOf("rpg_min_rate", rate, "DCQCN: least rate", &p.MinRate),
		rowOf("dce_tcp_g", register, "DCQCN: parts of 1024 that alpha keeps in an interval", &p.G),
		rowOf("dce_tcp_rtt", duration, "DCQCN: interval between updates of alpha", &p.AlphaInterval),
		rowOf("rate_reduce_monitor_period", duration, "DCQCN: least time between decreases", &p.DecreaseInterval),
		rowOf("min_time_between_cnps", duration, "DCQCN: least time between two CNPs", &p.CNPInterval),
		rowOf("data_dscp", register, "code point of RDMA", &p.DataDSCP),
		rowOf("data_priority", register, "PFC priority of RDMA", &p.DataPriority),
		rowOf("data_share", ratio, "share of a port for RDMA", &p.DataShare),
		rowOf("cnp_dscp", register, "code point of CNPs", &p.CNPDSCP),
		rowOf("cnp_priority", register, "priority of CNPs", &p.CNPPriority),
		rowOf("watchdog_detection", duration, "PFC watchdog: a queue that is paused for this time is stuck", &p.WatchdogDetection),
		rowOf("watchdog_restoration", duration, "PFC watchdog: a stuck queue without pauses for this time is healthy", &p.WatchdogRestoration),
		rowOf("watchdog_interval", duration, "PFC watchdog: interval at which counters are read", &p.WatchdogInterval),
	}
}

var (
	amounts   = listing("a list of amounts of bytes", "B", false, units.ParseBytes)
	shares    = listing("a list of shares", "ppb", false, units.ParseRatio)
	chipNames = kind[[]string]{"a list of chips, `[\"tomahawk5\"]`", "",
		func(r *reader, e expression) ([]string, bool) {
			names := r.texts(e, "names of chips")
			return names, len(names) > 0
		},
		func(v []string) string { return strings.Join(v, ", ") }, func(v []string) any { return v }}
	oneAlpha = kind[units.Alpha]{"an alpha, `\"1/8\"`", "log2",
		func(r *reader, e expression) (units.Alpha, bool) { return scalar(r, e, "an alpha", units.ParseAlpha) },
		units.Alpha.String, func(v units.Alpha) any { return int64(v) }}
)

// Facts returns what is known of the configuration.
func (p *Configuration) Facts() []FactRow { return factsOf(publishedRows(p)) }

// A Curve marks nothing below KMin, PMax of all packets at KMax, and all above.
type Curve struct {
	KMin, KMax units.Bytes
	PMax       units.Ratio
}

// ErrNoCurve says that a configuration has none for a port.
var ErrNoCurve = errors.New("its source gives no curve for ports of this speed")

// Curve returns the curve of ports of a speed, with cells of a size, whose queue may hold so much alone. above is
// set on switches that no server is at.
func (p *Configuration) Curve(speed units.BitRate, above bool, cell, most units.Bytes) (Curve, error) {
	at := 0
	if speeds := p.CurveSpeeds.Or(nil); speeds != nil {
		if at = slices.Index(speeds, speed); at < 0 {
			return Curve{}, ErrNoCurve
		}
	}
	low, high := p.KMin.Or(nil), p.KMax.Or(nil)
	if above && p.KMinAbove.Or(nil) != nil {
		low, high = p.KMinAbove.value, p.KMaxAbove.value
	}
	c := Curve{PMax: p.PMax.value[at]}
	switch {
	case low != nil:
		c.KMin, c.KMax = low[at], high[at]
	case p.KMinCells.Or(nil) != nil:
		c.KMin, c.KMax = units.Bytes(p.KMinCells.value[at])*cell, units.Bytes(p.KMaxCells.value[at])*cell
	default:
		c.KMin, c.KMax = share(most, p.KMinFill.value[at]), share(most, p.KMaxFill.value[at])
	}
	if from := p.ScalesFrom.Or(0); from > 0 {
		c.KMin, c.KMax = Scaled(c.KMin, speed, from), Scaled(c.KMax, speed, from)
	}
	return c, nil
}

func share(of units.Bytes, part units.Ratio) units.Bytes {
	return units.Bytes(units.FloorMulDiv(int64(of), int64(part), int64(units.One)))
}

// Scaled converts an amount or a rate for ports of one speed to another speed, in proportion.
func Scaled[T ~int64](amount T, to, from units.BitRate) T {
	return T(units.FloorMulDiv(int64(amount), int64(to), int64(from)))
}

// Configuration returns the published configuration of that name; case does not matter.
func (c *Catalogue) Configuration(name string) (*Configuration, bool) {
	p := c.published()[strings.ToLower(name)]
	return p, p != nil
}

// Configurations returns all published configurations in the order of their names.
func (c *Catalogue) Configurations() []*Configuration { return inOrder(c.published()) }
