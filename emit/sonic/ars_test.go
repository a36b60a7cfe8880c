package sonic_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/emit/sonic"
)

// The tables and words of SONiC doc/ARS/Local_ARS_HLD.md rev 1.4.
func TestARS(t *testing.T) {
	for way, mode := range map[string]string{"flowlet": "per_flowlet_quality", "adaptive": "per_packet_quality"} {
		sw := tor()
		sw.LoadBalancing = way
		files, found := sonic.ARS(sw)
		if len(files) != 1 || len(found) != 1 || found[0].Code != sonic.ARSUnmerged {
			t.Fatalf("%s: %d files, %v", way, len(files), found)
		}
		var doc map[string]map[string]map[string]string
		if err := json.Unmarshal(files[0].Body.AppendFor(nil, "tor-01"), &doc); err != nil {
			t.Fatal(err)
		}
		want := map[string]map[string]map[string]string{
			"ARS_PROFILE": {"roceplan": {
				"algorithm": "ewma", "ars_nhg_path_selector_mode": "interface", "default_ars_object": "roceplan", "ipv4_enable": "true", "ipv6_enable": "true",
			}},
			"ARS_OBJECT":     {"roceplan": {"assign_mode": mode}},
			"ARS_INTERFACES": {},
		}
		for _, p := range sw.Ports {
			if p.QoS != nil {
				want["ARS_INTERFACES"][p.Name] = map[string]string{"ars_obj_name": "roceplan", "scaling_factor": "0"}
			}
		}
		if diff := cmp.Diff(want, doc); diff != "" {
			t.Errorf("%s (-want +got):\n%s", way, diff)
		}
	}
}

// What ARS has no word for is refused.
func TestARSRefuses(t *testing.T) {
	for _, way := range []string{"", "ecmp", "spray", "global"} {
		sw := tor()
		sw.LoadBalancing = way
		if files, found := sonic.ARS(sw); files != nil || !found.HasErrors() || found[0].Code != sonic.ARSRefused {
			t.Errorf("%q: %d files, %v", way, len(files), found)
		}
	}
}
