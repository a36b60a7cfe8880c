package chips_test

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

func TestNICsHaveSourcesAndNames(t *testing.T) {
	c := own(t)
	owner := map[string]string{}
	for _, n := range c.NICs() {
		for _, name := range append([]string{n.Name}, n.Aliases...) {
			if before := owner[name]; before != "" {
				t.Errorf("%s is a name of %s and of %s", name, before, n.Name)
			}
			owner[name] = n.Name
			if found, ok := c.NIC(name); !ok || found.Name != n.Name {
				t.Errorf("NIC(%q) = %v", name, found)
			}
		}
		for _, f := range n.Facts() {
			if len(f.Source) < 8 || f.Text == "" {
				t.Errorf("%s.%s: value %q, source %q", n.Name, f.Name, f.Text, f.Source)
			}
		}
	}
	for _, name := range []string{"connectx-5", "connectx-6", "connectx-7", "connectx-8", "bluefield-3", "pollara-400", "thor2", "thor-ultra", "e810"} {
		if _, ok := c.NIC(name); !ok {
			t.Errorf("no nic %s", name)
		}
	}
	if n, ok := c.NIC("connectx-9"); ok {
		t.Errorf("connectx-9 is %s", n.Name)
	}
}

// mlxconfig of a ConnectX-5 prints DCE_TCP_G 1019, CLAMP_TGT_RATE 0 and RPG_GD 11: alpha
// weighs a sample by 5/1024, and one decrease takes alpha/2.
func TestConstantsOfConnectX(t *testing.T) {
	n, _ := own(t).NIC("cx5")
	gain, err := n.Gain()
	if want := units.Ratio(4_882_812); err != nil || gain != want { // 5/1024 = 0.0048828125
		t.Errorf("gain %v, %v; want %v", gain, err, want)
	}
	clamp, err1 := n.ClampTarget.Get()
	after, err2 := n.ClampAfterTimer.Get()
	if err1 != nil || err2 != nil || clamp || !after || n.GD.Or(0) != 11 || n.CNPInterval.Or(0) != 4*units.Microsecond {
		t.Errorf("clamp %v %v, gd %v, interval %v", clamp, after, n.GD.Or(0), n.CNPInterval.Or(0))
	}
	thor, _ := own(t).NIC("thor2")
	if _, err := thor.AIRate.Get(); err == nil || err.Error() != "the chip catalogue has no rpg_ai_rate for thor2" {
		t.Errorf("AIRate of thor2: %v", err)
	}
	if !slices.Contains(thor.Unknown(), "rpg_ai_rate") {
		t.Error("rpg_ai_rate of thor2 is not unknown")
	}
}

func TestNICFilesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		`nic "a" { extends = "none" }`: "chip-undefined",
		`nic "connectx-7" {
			title = "x"
			vendor = "y"
		}`: "chip-replaced",
		`nic "a" {
			title = "x"
		}`: "chip-missing",
		`nic "a" {
			extends = "cx7"
			rpg_gd {
				value = 1025
				confidence = "assumed"
				source = "a guess"
			}
		}`: "chip-value",
		`nic "a" {
			extends = "cx7"
		}
		nic "A" {
			extends = "cx7"
		}`: "chip-duplicate",
	} {
		if _, found := chips.Load(chips.Source{Name: "x.hcl", Text: []byte(text)}); len(found) != 1 || string(found[0].Code) != want {
			t.Errorf("%s\n%+v, want %s", text, found, want)
		}
	}
}
