package sonic_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/sonic"
)

// TestEveryLeafIsAccountedFor: in our own files and in those of others, each value deleted
// or changed and each row deleted or doubled changes the plan, gives a finding, or is
// neutral or not modelled by the ledger. golden/ledger/sonic.txt says which.
func TestEveryLeafIsAccountedFor(t *testing.T) {
	report := readtest.JSONReport{}
	files := configs(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		j := &readtest.JSON{
			Read:  func(text []byte) read.Result { return sonic.Format().Read(file, text, read.Options{}) },
			Class: class, Default: isDefault,
		}
		j.Edit(t, name, shrink(t, text), report)
	}
	var b strings.Builder
	b.WriteString(report.String())
	named := report.Rules()
	b.WriteString("\nneutral rules\n")
	for _, rule := range sonic.Format().Neutral {
		mark := ""
		if !named[rule.ID] {
			mark = " (of no file here)"
		}
		fmt.Fprintf(&b, "    %s%s: %s [%s]\n", rule.ID, mark, rule.Reason, rule.Evidence)
	}
	compare(t, filepath.Join("..", "..", "golden", "ledger", "sonic.txt"), b.String())
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), got), "%s differs (-golden +now):", path)
}

// configs are ConfigDBs by name: one of each shape of ours, and those of others.
func configs(t *testing.T) map[string][]byte {
	all := make(map[string][]byte)
	add := func(pattern string) {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			text := must.Get(os.ReadFile(path))(t)
			if bytes.Contains(text, []byte(`"PORT"`)) {
				all[filepath.ToSlash(path)] = text
			}
		}
	}
	add("../../golden/*/*/config_db.json")
	shared := oracle.Data(t, "shipped_sonic")
	add(filepath.Join(shared, "*.json"))
	add(oracle.Data(t, "roce_sample_config_db.json"))
	all["foreign.json"] = []byte(foreign)
	seen := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := all[name]
		small := string(shrink(t, text))
		if i := strings.Index(small, `"hostname"`); i >= 0 {
			end := strings.IndexByte(small[i:], '\n')
			small = small[:i] + small[i+end:]
		}
		// Two rows of aurora-750 claim one group, which is an error of its own, and nothing
		// is read of what the second one refers to.
		if seen[small] || strings.Contains(name, "aurora-750") {
			delete(all, name)
		}
		seen[small] = true
	}
	return all
}

// foreign has tables that none of the files has.
const foreign = `{
    "ACL_TABLE": {"DATA": {"type": "L3", "stage": "ingress", "ports": "Ethernet0"}},
    "ACL_RULE": {
        "DATA|deny": {"PRIORITY": "10", "PACKET_ACTION": "DROP", "DSCP": "26"},
        "DATA|permit": {"PRIORITY": "9", "PACKET_ACTION": "FORWARD", "IP_PROTOCOL": "17"}
    },
    "BGP_NEIGHBOR": {"10.0.0.1": {"asn": "65000", "rrclient": "0"}},
    "CRM": {"Config": {"polling_interval": "300"}},
    "DEVICE_METADATA": {"localhost": {"hostname": "x", "mac": "00:11:22:33:44:55", "bgp_asn": "65100", "switch_type": "npu", "docker_routing_config_mode": "separated"}},
    "FEATURE": {"bgp": {"state": "enabled"}},
    "FLEX_COUNTER_TABLE": {"PFCWD": {"FLEX_COUNTER_STATUS": "enable"}, "QUEUE": {"FLEX_COUNTER_STATUS": "enable"}},
    "INTERFACE": {"Ethernet0|10.0.0.0/31": {}},
    "MIRROR_SESSION": {"s": {"dst_ip": "10.1.1.1", "queue": "0"}},
    "NTP_SERVER": {"10.0.0.9": {"iburst": "on"}},
    "PORT": {
        "Ethernet0": {"lanes": "1,2", "speed": "100000", "mtu": "9100", "autoneg": "on", "admin_status": "up", "pfc_asym": "off", "link_training": "off", "macsec": "p"},
        "Ethernet4": {"lanes": "3,4", "speed": "100000", "mtu": "9100"}
    },
    "PORTCHANNEL": {"PortChannel1": {"mtu": "9100", "min_links": "1", "admin_status": "up"}},
    "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet4": {}},
    "PORT_STORM_CONTROL": {"Ethernet0|unknown-unicast": {"kbps": "1000"}},
    "SWITCH_TRIMMING": {"GLOBAL": {"size": "256", "dscp_value": "48"}},
    "SYSTEM_DEFAULTS": {"tunnel_qos_remap": {"status": "enabled"}, "swss_zmq": {"status": "enabled"}},
    "TUNNEL": {"MuxTunnel0": {"dscp_mode": "uniform"}},
    "VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "tagged"}},
    "SOMETHING_NEW": {"row": {"field": "value"}}
}`

type db = map[string]map[string]map[string]any

// shrink keeps few ports of a file: the first, the last, and the first of each that
// PORT_QOS_MAP and BUFFER_PG tell something else.
func shrink(t *testing.T, text []byte) []byte {
	t.Helper()
	var all db
	must.Do(t, json.Unmarshal(text, &all))
	keep, seen := map[string]bool{}, map[string]bool{}
	var last string
	for name := range all["PORT"] {
		if last == "" || natural.Compare(name, last) > 0 {
			last = name
		}
	}
	keep[last] = true
	for _, name := range slices.SortedFunc(maps.Keys(all["PORT"]), natural.Compare) {
		row := all["PORT"][name]
		kind := fmt.Sprint(row["speed"], all["PORT_QOS_MAP"][name], all["BUFFER_PG"][name+"|3-4"], len(keep) == 0)
		if !seen[kind] && len(keep) < 3 {
			seen[kind], keep[name] = true, true
		}
	}
	drop := map[string]bool{}
	for name := range all["PORT"] {
		drop[name] = !keep[name]
	}
	for _, rows := range all {
		for key, fields := range rows {
			port, _, _ := strings.Cut(key, "|")
			if drop[port] {
				delete(rows, key)
			}
			for field := range fields {
				if drop[field] {
					delete(fields, field)
				}
			}
		}
	}
	small := must.Get(json.MarshalIndent(all, "", "    "))(t)
	return small
}

// class returns the table and the field, of tables whose fields are code points or ports the
// table alone.
func class(path []string) string {
	switch len(path) {
	case 2:
		return path[0]
	case 3:
		if _, err := strconv.Atoi(path[2]); err == nil || path[0] == "CABLE_LENGTH" {
			return path[0] + " entry"
		}
		return path[0] + " " + path[2]
	}
	return ""
}

// isDefault knows what SONiC does without a line: an absent map entry is 0, a port has an
// mtu of 9100 (cfgmgr/portmgr.h), a size, an offset and a probability have the defaults of
// their YANG models, and the traditional manager runs (cfgmgr/buffermgrd.cpp).
func isDefault(class, value string) bool {
	switch class {
	case "PORT mtu":
		return value == "9100"
	case "DEVICE_METADATA buffer_model":
		return value == "traditional"
	case "DSCP_TO_TC_MAP entry", "TC_TO_PRIORITY_GROUP_MAP entry", "TC_TO_QUEUE_MAP entry",
		"BUFFER_POOL xoff", "BUFFER_PROFILE size", "BUFFER_PROFILE xon_offset", "BUFFER_PROFILE xon", "PORT subport", "PORT index":
		return value == "0"
	case "MAP_PFC_PRIORITY_TO_QUEUE entry", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP entry":
		return value == "0" // of priority 0: the identity
	case "MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "PORT_QOS_MAP pfc_to_pg_map", "PORT_QOS_MAP pfc_to_queue_map":
		return value == "" || value == "AZURE" || value == "DEFAULT" // the identity, else it is a finding
	case "PORT_QOS_MAP dscp_to_tc_map":
		return value == "AZURE" // as the chip's own map, else it is a finding
	case "PORT_QOS_MAP pfc_enable":
		return value == "" // nothing is paused
	case "CABLE_LENGTH entry", "CABLE_LENGTH":
		return value == "0m" || value == ""
	case "PORTCHANNEL mtu", "PORTCHANNEL":
		return value == "9100" || value == ""
	case "WRED_PROFILE green_drop_probability":
		return value == "100"
	case "SCHEDULER weight":
		return value == "1"
	case "SCHEDULER type":
		return value == "DWRR"
	}
	return false
}
