package sonic_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/sonic"
)

// A dump of Redis says what the tables of config_db.json say: one object of rows, as
// sonic-db-dump prints it without its option -y, and with that option each row below "value" beside
// what Redis knows of the key. Nothing that harms is lost on the way.
func TestDumps(t *testing.T) {
	everything := must.Get(os.ReadFile("testdata/everything.json"))(t)
	for name, text := range map[string]string{
		"every statement":  string(everything),
		"a bundle's MTU":   `{"PORT": {"Ethernet0": {"lanes": "1", "speed": "100000"}}, "PORTCHANNEL": {"PortChannel1": {"mtu": "4000"}}, "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}}}`,
		"no swss":          `{"FEATURE": {"swss": {"state": "disabled"}, "lldp": {"state": "disabled"}}}`,
		"a small VLAN":     `{"VLAN": {"Vlan5": {"mtu": "1500"}}}`,
		"labels":           `{"INTERFACE": {"Ethernet0": {"mpls": "enable"}}}`,
		"a rule for TCP":   `{"ACL_TABLE": {"A": {"type": "L3"}}, "ACL_RULE": {"A|1": {"IP_PROTOCOL": "6", "PACKET_ACTION": "DROP"}}}`,
		"a rule that cuts": `{"ACL_TABLE": {"A": {"type": "L3", "ports": ["Ethernet0"]}}, "PORT": {"Ethernet0": {"lanes": "1"}}, "ACL_RULE": {"A|1": {"DSCP": "26", "PACKET_ACTION": "DROP"}}}`,
		"initialized":      `{"PORT": {"Ethernet0": {"lanes": "1"}}, "CONFIG_DB_INITIALIZED": "1"}`,
	} {
		var doc map[string]any
		must.Do(t, json.Unmarshal([]byte(text), &doc))
		flat, dumped := map[string]any{}, map[string]any{}
		for table, of := range doc {
			rows, _ := of.(map[string]any)
			for key, row := range rows {
				flat[table+"|"+key] = row
				dumped[table+"|"+key] = map[string]any{"expireat": 1745928000.5, "ttl": -0.001, "type": "hash", "value": row}
			}
			if rows == nil {
				flat[table], dumped[table] = of, map[string]any{"type": "string", "value": of}
			}
		}
		want := sonic.Format().Read("x", []byte(text), read.Options{})
		for form, doc := range map[string]any{"rows": flat, "redis-dump": dumped} {
			text := must.Get(json.Marshal(doc))(t)
			got := sonic.Format().Read("x", text, read.Options{})
			if !readtest.Same(want.Switch, got.Switch) || len(want.Found) != len(got.Found) {
				t.Errorf("%s as %s is another switch:\n%s\n%v, want %v", name, form, text, got.Found, want.Found)
			}
			if a, b := judged(want), judged(got); !slices.Equal(a, b) {
				t.Errorf("%s as %s: the ledger has\n%q, want\n%q", name, form, b, a)
			}
		}
	}
}

// judged returns the entries of the ledger, without places.
func judged(r read.Result) (all []string) {
	for _, s := range r.Ledger.Statements {
		all = append(all, fmt.Sprint(s.Text, s.Sort, s.Rule, s.Why, s.Touches))
	}
	slices.Sort(all)
	return all
}

// A table may stand in both forms, and a row of it in both of them.
func TestMixedDump(t *testing.T) {
	r := sonic.Format().Read("x", []byte(`{"PORT|Ethernet0": {"lanes": "1", "mtu": "4000"}, "PORT": {"Ethernet4": {"lanes": "2", "mtu": "5000"}, "Ethernet0": {"mtu": "6000"}}, "PORT|Ethernet8": {"lanes": "3", "mtu": "7000"}}`), read.Options{})
	var mtus []int64
	for _, p := range r.Switch.Ports {
		mtus = append(mtus, int64(p.MTU))
	}
	// 22 B around each: Ethernet, a VLAN tag and the FCS. Of two rows the last counts.
	if !slices.Equal(mtus, []int64{6022, 5022, 7022}) {
		t.Errorf("MTUs %v", mtus)
	}
	if len(r.Found) == 0 || r.Found[0].Code != sonic.DuplicateKey {
		t.Errorf("found %v, want a row that occurs twice", r.Found)
	}
}
