package sonic_test

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
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
		must.Do(t, json.Unmarshal(files[0].Body.AppendFor(nil, "tor-01"), &doc))
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
		must.NoDiffIn(t, gocmp.Diff(want, doc), "%s (-want +got):", way)
	}
}

// What ARS has no word for is refused.
func TestARSRefuses(t *testing.T) {
	for _, way := range []string{"", "ecmp", "spray", "global"} {
		sw := tor()
		sw.LoadBalancing = way
		files, found := sonic.ARS(sw)
		if files != nil || !found.HasErrors() || found[0].Code != sonic.ARSRefused {
			t.Errorf("%q: %d files, %v", way, len(files), found)
		}
		if named := cmp.Or(way, "ecmp"); !strings.Contains(found[0].Message, strconv.Quote(named)) {
			t.Errorf("%q: %v", way, found)
		}
		for at, want := range map[diag.Range]diag.Range{{}: line(1), line(3): line(3)} {
			sw.Range, sw.LoadBalancingAt = line(1), at
			if _, found := sonic.ARS(sw); found[0].Subject != want {
				t.Errorf("%q at %v: told at %v", way, at, found[0].Subject)
			}
		}
	}
}
