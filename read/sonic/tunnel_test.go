package sonic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/sonic"
)

// A code point is kept in the tunnel from where the map of a port gives it a traffic class beyond
// those of queues. A plan keeps it from all ports or from none, so that a port whose map has it
// otherwise is not modelled.
func TestKeptByPort(t *testing.T) {
	const file = `{
    "DSCP_TO_TC_MAP": {
        "AZURE": {"1": "1", "33": "%s"},
        "AZURE_2": {"1": "1", "2": "1", "33": "%s"},
        "AZURE_TUNNEL": {"1": "1", "33": "8"}
    },
    "TC_TO_QUEUE_MAP": {"AZURE": {"1": "1", "8": "1"}, "AZURE_TUNNEL": {"1": "1", "8": "1"}},
    "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"1": "1", "8": "1"}, "AZURE_TUNNEL": {"1": "1", "8": "1"}},
    "TC_TO_DSCP_MAP": {"AZURE_TUNNEL": {"1": "10", "8": "33"}},
    "PORT": {"Ethernet0": {"lanes": "1", "speed": "100000"}, "Ethernet4": {"lanes": "2", "speed": "100000"}},
    "PORT_QOS_MAP": {
        "Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE", "tc_to_pg_map": "AZURE"},
        "Ethernet4": {"dscp_to_tc_map": "AZURE_2", "tc_to_queue_map": "AZURE", "tc_to_pg_map": "AZURE"}
    },
    "TUNNEL": {"MuxTunnel0": {"decap_dscp_to_tc_map": "AZURE_TUNNEL", "decap_tc_to_pg_map": "AZURE_TUNNEL", "dscp_mode": "pipe", "encap_tc_to_dscp_map": "AZURE_TUNNEL", "encap_tc_to_queue_map": "AZURE_TUNNEL"}}
}`
	for _, c := range []struct {
		main, port string
		want       read.Sort
		kept       int
	}{{"8", "8", read.Modelled, 1}, {"1", "1", read.Modelled, 0}, {"8", "0", read.Modelled, 1}, {"1", "8", read.Unmodelled, 0}, {"8", "1", read.Unmodelled, 1}} {
		r := sonic.Format().Read("f", fmt.Appendf(nil, file, c.main, c.port), read.Options{})
		got := read.Modelled
		for _, s := range r.Ledger.Statements {
			if strings.HasPrefix(s.Text, "DSCP_TO_TC_MAP|AZURE_2") && s.Sort != read.Modelled {
				got = s.Sort
			}
		}
		if tunnel := r.Switch.Tunnel; got != c.want || len(tunnel.Kept) != c.kept {
			t.Errorf("DSCP 33 in traffic class %s, and in %s at a port: %v, kept %v", c.main, c.port, got, tunnel.Kept)
		}
	}
}

// Values below a key that is wrong are not modelled because of the key, not of their field.
func TestValuesBelowAWrongKey(t *testing.T) {
	for table, row := range map[string]string{
		"BUFFER_PG": `{"profile": "p"}`, "BUFFER_QUEUE": `{"profile": "p"}`, "QUEUE": `{"scheduler": "s", "wred_profile": "w"}`,
	} {
		for _, key := range []string{"Ethernet0|3,4", "Ethernet0|4-3", "Ethernet0|5-", "Ethernet0|"} {
			text := `{"PORT": {"Ethernet0": {"lanes": "1", "speed": "100000"}}, "BUFFER_PROFILE": {"p": {}}, "SCHEDULER": {"s": {}}, "WRED_PROFILE": {"w": {}}, "` + table + `": {"` + key + `": ` + row + `}}`
			count := 0
			got := sonic.Format().Read("config_db.json", []byte(text), read.Options{})
			for _, s := range got.Ledger.Unmodelled() {
				if strings.HasPrefix(s.Text, table) {
					count++
					if !strings.HasPrefix(s.Why, "the key of the row") {
						t.Errorf("%s: %s", s.Text, s.Why)
					}
				}
			}
			if count == 0 {
				t.Errorf("%s|%s is accounted for as if it were obeyed", table, key)
			}
		}
	}
}
