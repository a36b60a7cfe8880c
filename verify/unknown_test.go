package verify

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/adversary"
)

// Ports of which a figure is missing, or cannot be meant, are not judged, say which figure
// it is, and stop neither the proof nor the attack on the others.
func TestUnknownPorts(t *testing.T) {
	const first = `"Ethernet0": {"lanes": "1,2,3,4", "speed": "100000", "mtu": "9100"},`
	for _, tt := range []struct{ name, old, new, because string }{
		{"no speed", first, `"Ethernet0": {"lanes": "1,2,3,4", "mtu": "9100"},`, "the speed of Ethernet0 is not known"},
		{"a speed of 0", first, `"Ethernet0": {"lanes": "1,2,3,4", "speed": "0", "mtu": "9100"},`, "the speed of Ethernet0 is not known"},
		{"the highest speed that YANG has", first, `"Ethernet0": {"lanes": "1,2,3,4", "speed": "1600000000", "mtu": "9100"},`, ""},
		{"a speed beyond all bounds", first, `"Ethernet0": {"lanes": "1,2,3,4", "speed": "9223372036854775807", "mtu": "9100"},`, ""},
		{"no cable", `{"Ethernet0": "100m", "Ethernet4": "100m"}`, `{"Ethernet4": "100m"}`, "the length of the cable of Ethernet0 is not known"},
		{"no cables", `"CABLE_LENGTH": {"AZURE": {"Ethernet0": "100m", "Ethernet4": "100m"}},`, ``, "the length of the cable of Ethernet0 is not known"},
		{"a cable around the world", `{"Ethernet0": "100m", "Ethernet4": "100m"}`, `{"Ethernet0": "400000000m", "Ethernet4": "100m"}`, ""},
		{"no ports", first + "\n        " + `"Ethernet4": {"lanes": "5,6,7,8", "speed": "100000", "mtu": "9100"}`, ``, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(string(sample(t)), tt.old, tt.new, 1)
			if text == string(sample(t)) {
				t.Fatal("the edit touches nothing")
			}
			for _, text := range []string{text, strings.ReplaceAll(text, `"xoff": "250112"`, `"xoff": "2540"`)} { // and with headroom that is lost
				r := judge(t, trident3(t), Text("config_db.json", []byte(text)))
				if r.Verdict() == Proved || r.Verdict() == Conditional {
					t.Errorf("the verdict is %v", r.Verdict())
				}
				for _, s := range r.Switches {
					if tt.because != "" && !strings.Contains(reasons(s), tt.because) {
						t.Errorf("the reasons are %s, want %s", reasons(s), tt.because)
					}
					if s.Proof == nil || s.Proof.Model == nil {
						continue
					}
					if _, err := s.Attack(adversary.Options{Seed: 1}); err != nil {
						t.Error(err)
					}
					if _, err := adversary.Search(s.Proof.Model, adversary.Options{Seed: 1, Packets: 50_000}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}

func reasons(s *Switch) string {
	var all []string
	for _, b := range s.Because {
		all = append(all, b.Message)
	}
	return strings.Join(all, "; ")
}
