package junos_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/junos"
	"github.com/roceplan/roceplan/units"
)

// Which box a file may be of, by Juniper's datasheets: the QFX5240 has cages of 800 Gb/s, 66 of them;
// the others have cages of 400, 66 on the QFX5230, 130 on the QFX5220, 50 on the QFX5130.
func TestChipsOf(t *testing.T) {
	const th3, th4, th5, td4 = "tomahawk3", "tomahawk4", "tomahawk5", "trident4-x11"
	for _, c := range []struct {
		names string
		speed units.BitRate
		want  []string
	}{
		{"et-0/0/0", 400 * units.Gbps, []string{td4, th3, th4, th5}},
		{"et-0/0/49", 400 * units.Gbps, []string{td4, th3, th4, th5}},
		{"et-0/0/50", 400 * units.Gbps, []string{th3, th4, th5}},
		{"et-0/0/65", 0, []string{th3, th4, th5}},
		{"et-0/0/66", 0, []string{th3}},
		{"et-0/0/129 et-0/0/1", 0, []string{th3}},
		{"et-0/0/130", 0, nil},
		{"et-0/0/1", 800 * units.Gbps, []string{th5}},
		{"et-0/0/1", 1600 * units.Gbps, nil},
		{"et-0/0/1:0 et-0/0/1:1", 400 * units.Gbps, []string{th5}},
		{"et-0/0/1:0 et-0/0/1:1", 200 * units.Gbps, []string{td4, th3, th4, th5}},
		{"et-0/0/1:7", 100 * units.Gbps, []string{th5}}, // of 8 channels
		{"et-0/0/1:3", 100 * units.Gbps, []string{td4, th3, th4, th5}},
		{"xe-0/0/200 em0", 1600 * units.Gbps, []string{td4, th3, th4, th5}}, // cages of another speed are not counted
	} {
		sw := &plan.Switch{}
		for name := range strings.FieldsSeq(c.names) {
			sw.Ports = append(sw.Ports, plan.Port{Name: name, Speed: c.speed})
		}
		got := junos.Format().Chips(sw)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s at %v: %v, want %v", c.names, c.speed, got, c.want)
		}
	}
}

// What a box decides is told as an assumption, once for all ports, and of a box that Juniper
// does not build nothing is known.
func TestWhatTheBoxDecides(t *testing.T) {
	text := "set interfaces et-0/0/0 mtu 9000\nset interfaces et-0/0/1:1 mtu 9000\nset interfaces xe-0/0/2 mtu 9000\nset interfaces et-0/0/3 speed 100g\n"
	for chip, want := range map[string]struct {
		shared bool // more than one figure is known of its shared buffer
		speeds []units.BitRate
	}{
		"tomahawk4": {false, []units.BitRate{400 * units.Gbps, 200 * units.Gbps, 100 * units.Gbps, 0}},
		"tomahawk5": {true, []units.BitRate{800 * units.Gbps, 400 * units.Gbps, 100 * units.Gbps, 0}},
	} {
		sw := junos.Read("x", []byte(text), read.Options{}).Switch
		taken := must.Get(junos.Complete(sw, chip))(t)
		var speeds []units.BitRate
		for _, p := range sw.Ports {
			speeds = append(speeds, p.Speed)
		}
		if !slices.Equal(speeds, want.speeds) {
			t.Errorf("%s: speeds %v, want %v", chip, speeds, want.speeds)
		}
		last := taken[len(taken)-1]
		if shared := len(taken) == 2; shared != want.shared || last.Declare != "speed of the interfaces" || !strings.Contains(last.Assumes, "2 ports without a speed") {
			t.Errorf("%s: assumed %+v", chip, taken)
		}
	}
	sw := junos.Read("x", []byte("set interfaces et-0/0/3 speed 100g mtu 9000\n"), read.Options{}).Switch
	if taken, err := junos.Complete(sw, "tomahawk3"); err != nil || len(taken) != 0 {
		t.Errorf("of a file that says all and a box of which one figure is known: %+v, %v", taken, err)
	}
	if _, err := junos.Complete(sw, "spectrum4"); err == nil || !strings.Contains(err.Error(), "is not known for a box with the chip spectrum4") {
		t.Errorf("Juniper builds no box with a Spectrum-4: %v", err)
	}
}

// What follows from a box is of its documents: pools and the headroom in them say so.
func TestWhatPoolsAreOf(t *testing.T) {
	sw := junos.Read("x", []byte("set interfaces et-0/0/0 speed 100g\n"), read.Options{}).Switch
	if _, err := junos.Complete(sw, "tomahawk3"); err != nil || len(sw.Pools) == 0 {
		t.Fatal(err)
	}
	for _, p := range sw.Pools {
		if why := p.Size.Why; why == nil || why.Kind != plan.Standard || why.Name != "partition" || why.ID == "" {
			t.Errorf("%s: %+v", p.Name, why)
		}
		if why := p.Headroom.Why; (why != nil) != (p.Direction == plan.Ingress) || why != nil && (why.Kind != plan.Standard || why.Name != "headroom partition") {
			t.Errorf("headroom of %s: %+v", p.Name, why)
		}
	}
}

// Each MTU of a port that the file leaves out is Junos' default of 1,514 B and an FCS of 4.
func TestDefaultMTU(t *testing.T) {
	sw := junos.Read("x", []byte("set interfaces et-0/0/0 speed 100g\n"), read.Options{}).Switch
	if _, err := junos.Complete(sw, "tomahawk3"); err != nil || sw.Ports[0].MTU != 1518 {
		t.Errorf("MTU %v, %v", sw.Ports[0].MTU, err)
	}
	sw = junos.Read("x", []byte("set interfaces et-0/0/0 speed 100g\n"), read.Options{}).Switch
	sw.MTU.Value = 9000
	if _, err := junos.Complete(sw, "tomahawk3"); err != nil || sw.Ports[0].MTU != 0 {
		t.Errorf("the switch has an MTU, and the port one of %v: %v", sw.Ports[0].MTU, err)
	}
}

// Tunnels of several instances are one assumption, at the first of their lines.
func TestRoutedTunnelsAreAssumedOnce(t *testing.T) {
	r := junos.Read("x", []byte("set system host-name a\nset routing-instances r protocols evpn ip-prefix-routes encapsulation vxlan\nset routing-instances s protocols evpn ip-prefix-routes encapsulation vxlan\n"), read.Options{})
	if len(r.Assumed) != 1 || r.Assumed[0].Where != "line 2, VXLAN" || r.Ledger.Count(read.Modelled) != 3 {
		t.Errorf("assumed %+v, ledger %+v", r.Assumed, r.Ledger)
	}
}

// Comments end where the text does, and a list may be of one value.
func TestTextEndsInAComment(t *testing.T) {
	for _, text := range []string{"system { host-name a; } # end", "system { host-name a; } /**/", "/* first */ system { host-name a; }", "set system host-name a # end", "set system host-name [ a ]"} {
		r := junos.Read("x", []byte(text), read.Options{})
		if !slices.Equal(r.Switch.Names, []string{"a"}) || len(r.Found) != 0 || len(r.Ledger.Statements) != 1 {
			t.Errorf("%q: names %q, found %v, ledger %+v", text, r.Switch.Names, r.Found, r.Ledger)
		}
	}
}

// A range of up to 513 ports is one, by the bound of [between].
func TestLongRange(t *testing.T) {
	for last, ports := range map[string]int{"512": 513, "513": 0} {
		r := junos.Read("x", []byte("set interfaces interface-range r member-range et-0/0/0 to et-0/0/"+last+"\nset interfaces interface-range r mtu 9000\n"), read.Options{})
		must.Equalf(t, len(r.Switch.Ports), ports, "to %s: ports:", last)
	}
}
