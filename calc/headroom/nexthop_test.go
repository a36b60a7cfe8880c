package headroom_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

// Two vendors of boxes with Qumran3D ship different headroom, and neither publishes a formula: Arista for the 7280R4, to which the
// chip's constants are fitted, and Nexthop for the NH-5010, by its own tests (sonic-buildimage#27186). What is planned, the larger
// of the worst case and the fit, covers each row of the NH-5010.
func TestNexthop5010(t *testing.T) {
	worst, fit := bind(t, "qumran3d", "worst-case"), bind(t, "qumran3d", "xgs")
	shipped := map[string]int64{}
	for _, r := range readCSV(t, oracle.Figures(t, "nexthop_5010_pg.csv")) {
		in := headroom.Defaults()
		in.Speed, in.Cable, in.LosslessMTU = units.BitRate(r.number(t, "speed_mbps"))*units.Mbps, units.Length(r.number(t, "cable_m"))*units.Metre, in.PortMTU
		if in.Speed > 400*units.Gbps { // no response is published there
			in.PeerResponse = 1_158_400 * units.Picosecond
		}
		a, b := must.Get(worst.Compute(in))(t), must.Get(fit.Compute(in))(t)
		xoff := r.number(t, "xoff_bytes")
		shipped[fmt.Sprintf("%s %v %v", r["hwsku"], in.Speed, in.Cable)] = xoff
		if ours := max(a.XOff, b.XOff); int64(ours) < xoff {
			t.Errorf("%s %v %v: %v, and the box has %d", r["hwsku"], in.Speed, in.Cable, ours, xoff)
		}
	}
	// A metre of cable holds 400 Gb/s for 10 ns there and back, 500 B on the wire. Packets of L bytes take L + 48 bytes of buffer
	// for L + 20 on the wire: 64 B take 667 B a metre, which Arista's 665 are for; the 518 of the NH-5010 are for L = 750.
	perMetre := func(near, far int64) int64 { return (far - near) / 118_000 }
	nexthop := perMetre(shipped["NH-5010-F-O64 400Gbps 2km"], shipped["NH-5010-F-O64 400Gbps 120km"])
	must.Equal(t, nexthop, 518)
	must.Equal(t, 500*(750+48)/(750+20), nexthop)
	must.Equal(t, perMetre(1_441_792, 79_900_672), 664) // sonic_pg_profiles.csv, Arista-7280R4-32QF-32DF-64O
	must.Equal(t, 500*(64+48)/(64+20), 666)
}
