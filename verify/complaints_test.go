package verify

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/emit/nvue"
	"github.com/roceplan/roceplan/emit/openconfig"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// complaints are lines that devices obey and that were skipped once: each has to give a
// finding that the file as compiled does not have, or to take the verdict away. The fabric is
// not asked, but where fabric is set: what is read is then checked against it.
var complaints = []struct {
	what   string
	file   string // of golden
	edit   func(text string) string
	fabric bool
}{
	{"EOS: input service-policy that sets the class", eosFile, after("interface Ethernet1/1\n", "   service-policy type qos input MARK\n"), false},
	{"EOS: CoS trust of a switched port", eosFile, after("interface Ethernet1/1\n", "   switchport\n   qos trust cos\n"), false},
	{"EOS: priority-flow-control all off", eosFile, atEnd("priority-flow-control all off\n"), false},
	{"EOS: guaranteed bandwidth removed, then the watchdog watches nothing", eosFile, swap("      bandwidth guaranteed percent 1\n", ""), false},
	{"EOS: a speed line", eosFile, after("interface Ethernet1/1\n", "   speed 40g\n"), false},
	{"EOS: an interface line that undoes the profile", eosFile, after("interface Ethernet1/1\n", "   no priority-flow-control\n"), false},
	{"EOS: a drop curve on the lossless queue", eosFile, atEnd("interface Ethernet1/1\n   tx-queue 3\n      random-detect drop minimum-threshold 100 kbytes maximum-threshold 200 kbytes drop-probability 100\n"), false},
	{"EOS: a policer on the lossless class", eosFile, atEnd("policy-map type quality-of-service P\n   class class-default\n      police cir 1 mbps bc 1000 bytes\ninterface Ethernet1/1\n   service-policy type qos input P\n"), false},
	{"EOS: flowcontrol", eosFile, after("interface Ethernet1/1\n", "   flowcontrol receive on\n"), false},
	{"EOS: a switched port channel without trust", eosFile, after("interface Ethernet1/1\n", "   channel-group 1 mode active\n"), false},
	{"EOS: no MMU lines are the device's defaults, not 0 bytes", eosFile, drop(`(?m)^ +(in|e)gress .*\n`), false},
	{"EOS: thresholds of lossy traffic that are left out", eosFile, drop(`(?m)^ +ingress priority-group 0 .*\n`), false},
	{"EOS: a headroom pool of 0", eosFile, atEnd("platform trident mmu headroom-pool limit 0\n"), false},

	{"SONiC: TC_TO_DSCP_MAP", sonicFile, rows("TC_TO_DSCP_MAP", `{"R": {"3": "0"}}`, "PORT_QOS_MAP", "Ethernet0", `{"tc_to_dscp_map": "R"}`), false},
	{"SONiC: a port profile list at ingress", sonicFile, rows("BUFFER_PROFILE", `{"whole": {"pool": "ingress_lossless_pool", "size": "0", "static_th": "1000"}}`, "BUFFER_PORT_INGRESS_PROFILE_LIST", "Ethernet0", `{"profile_list": "whole"}`), true},
	{"SONiC: over_subscribe_ratio", spectrumFile, rows("DEFAULT_LOSSLESS_BUFFER_PARAMETER", `{"AZURE": {"default_dynamic_th": "-3", "over_subscribe_ratio": "4"}}`, "BUFFER_PG", "Ethernet0|3", `{"profile": "NULL"}`), false},
	{"SONiC: BIG_RED_SWITCH", sonicFile, rows("PFC_WD", `{"GLOBAL": {"BIG_RED_SWITCH": "enable"}}`, "", "", ""), false},
	{"SONiC: pfcwd_sw_enable", sonicFile, rows("PORT_QOS_MAP", `{"Ethernet0": {"pfcwd_sw_enable": ""}}`, "", "", ""), false},
	{"SONiC: buffer_model on a chip that has none", sonicFile, rows("DEVICE_METADATA", `{"localhost": {"buffer_model": "dynamic"}}`, "", "", ""), false},
	{"SONiC: two ports on one lane", sonicFile, rows("PORT", `{"Ethernet4": {"lanes": "17,18,19,20"}}`, "", "", ""), false},
	{"SONiC: 400G over two lanes of 100G", sonicFile, rows("PORT", `{"Ethernet0": {"lanes": "17,18"}}`, "", "", ""), false},
	{"SONiC: PAM4 without FEC", sonicFile, rows("PORT", `{"Ethernet0": {"fec": "none"}}`, "", "", ""), false},
	{"SONiC: the file of another box", sonicFile, rows("DEVICE_METADATA", `{"localhost": {"platform": "x86_64-mlnx_msn4600-r0"}}`, "", "", ""), false},
	{"SONiC: RDMA in the capped strict queue's scheduler", sonicFile, rows("SCHEDULER", `{"scheduler.dwrr.80": {"type": "DWRR", "weight": "80", "meter_type": "bytes", "pir": "500000000"}}`, "", "", ""), false},
	{"SONiC: an ACL that drops", sonicFile, rows("ACL_TABLE", `{"A": {"type": "L3", "ports": ["Ethernet0"], "stage": "ingress"}}`, "ACL_RULE", "A|1", `{"PRIORITY": "1", "PACKET_ACTION": "DROP", "DSCP": "26"}`), false},

	{"NVUE: unset", nvueFile, atEnd("- unset:\n    qos:\n      pfc:\n        clients:\n"), false},
	{"NVUE: remark", nvueFile, atEnd("- set:\n    qos:\n      remark:\n        default-global:\n          rewrite: l3\n          switch-priority:\n            '3':\n              dscp: 0\n"), false},
	{"NVUE: a port pool", nvueFile, atEnd("- set:\n    qos:\n      advance-buffer-config:\n        default-global:\n          egress-service-pool:\n            '1':\n              shared-alpha: alpha_1_128\n"), true},
	{"NVUE: a pool whose memory nobody says", nvueFile, swap("              infinite: true\n", ""), false},
	{"NVUE: speed", nvueFile, after("        link:\n", "          speed: 25G\n"), false},
	{"NVUE: a lossless priority also in a bulk group", nvueFile, after("                  '2': {}\n", "                  '3': {}\n"), false},
	{"NVUE: an override of one port", nvueFile, atEnd("- set:\n    interface:\n      swp1:\n        qos:\n          advance-buffer-config:\n            profile: x\n"), false},
	{"NVUE: link pause", nvueFile, atEnd("- set:\n    qos:\n      link-pause:\n        p:\n          tx: enable\n          rx: enable\n    interface:\n      swp1:\n        qos:\n          link-pause:\n            profile: p\n"), false},
	{"NVUE: RoCE's lossy mode", nvueFile, atEnd("- set:\n    qos:\n      roce:\n        mode: lossy\n"), false},

	{"OpenConfig: the IPv6 classifier", ocFile, last(" 26\n", " 27\n"), true},
	{"OpenConfig: use-shared-buffer", ocFile, swap(`"use-shared-buffer": true`, `"use-shared-buffer": false`), false},
	{"OpenConfig: police for shape", ocFile, swap(`"queuing-behavior": "SHAPE"`, `"queuing-behavior": "POLICE"`), false},
	{"OpenConfig: flow control of a port", ocFile, swap(`"mtu": 9212,`, `"mtu": 9212, "openconfig-if-ethernet:ethernet": {"config": {"enable-flow-control": true}},`), false},
	{"OpenConfig: QoS of a subinterface", ocFile, swap(`"interface": "Ethernet1/1"`, `"interface": "Ethernet1/1", "subinterface": 7`), false},
}

const (
	eosFile      = "tomahawk-eos-pod/leaf-1/eos.cfg"
	sonicFile    = "tomahawk5-ai-pod/leaf-01/config_db.json"
	spectrumFile = "spectrum4-storage/leaf-01/config_db.json"
	nvueFile     = "cumulus-storage/leaf-1/nvue.yaml"
	ocFile       = "mixed-cabling/spine-1/openconfig.json"
)

func TestComplaints(t *testing.T) {
	type subject struct {
		options, fabric Options
		text            string
		known           [2]map[string]bool
		verdict         [2]Verdict
	}
	targets := []emit.Target{eos.Target(), sonic.Target(), nvue.Target(), openconfig.Target()}
	subjects := map[string]*subject{}
	for _, c := range complaints {
		s := subjects[c.file]
		if s == nil {
			s = &subject{}
			subjects[c.file] = s
			parts := strings.Split(c.file, "/")
			p, catalogue := planOf(t, parts[0])
			s.options, s.fabric = declaredBy(t, catalogue, plannedSwitch(t, p, parts[1]), parts[1]), Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: targets}}
			text := must.Get(os.ReadFile(filepath.Join("../golden", c.file)))(t)
			s.text = string(text)
			for i, o := range []Options{s.options, s.fabric} {
				s.known[i], s.verdict[i] = told(t, o, c.file, s.text)
			}
		}
		t.Run(c.what, func(t *testing.T) {
			edited := c.edit(s.text)
			if edited == s.text {
				t.Fatal("the edit changes nothing")
			}
			i, o := 0, s.options
			if c.fabric {
				i, o = 1, s.fabric
			}
			found, verdict := told(t, o, c.file, edited)
			maps.DeleteFunc(found, func(what string, _ bool) bool { return s.known[i][what] })
			if len(found) == 0 && verdict <= s.verdict[i] {
				t.Errorf("nothing shows it: still %v", verdict)
			}
		})
	}
}

// What a switch of SONiC's dynamic model is configured with for its traffic changes the headroom that it
// computes: LOSSLESS_TRAFFIC_PATTERN was skipped once.
func TestTrafficPattern(t *testing.T) {
	p, catalogue := planOf(t, "spectrum4-storage")
	text := must.Get(os.ReadFile(filepath.Join("../golden", spectrumFile)))(t)
	headroom := func(pattern string) units.Bytes {
		edited := rows("LOSSLESS_TRAFFIC_PATTERN", pattern, "BUFFER_PG", "Ethernet0|3", `{"profile": "NULL"}`)(string(text))
		s := judge(t, declaredBy(t, catalogue, plannedSwitch(t, p, "leaf-01"), "leaf-01"), Text("leaf-01/config_db.json", []byte(edited))).Switches[0]
		qos := s.Plan.Ports[0].QoS
		return qos.PGs[slices.IndexFunc(qos.PGs, func(pg plan.PG) bool { return pg.ID == 3 })].Headroom.Value
	}
	// The more of the packets are of the smallest size, the more cells a byte takes.
	if few, many := headroom(`{"AZURE": {"mtu": "4200", "small_packet_percentage": "0"}}`), headroom(`{"AZURE": {"mtu": "4200", "small_packet_percentage": "100"}}`); few >= many {
		t.Errorf("%v with no small packets, %v with small packets alone", few, many)
	}
}

// told returns the findings about a file of one device, and its verdict.
func told(t *testing.T, o Options, name, text string) (map[string]bool, Verdict) {
	t.Helper()
	_, name, _ = strings.Cut(name, "/")
	report := judge(t, o, Text(name, []byte(text)))
	found := map[string]bool{}
	for _, d := range report.Findings {
		if d.Severity != diag.Error && strings.HasPrefix(string(d.Code), "proof-") {
			d.Message, _, _ = strings.Cut(d.Message, ": ") // another figure of the same is not enough
		}
		found[string(d.Code)+d.Message] = true
	}
	return found, report.Switches[0].Verdict
}

func after(line, more string) func(string) string {
	return func(text string) string { return strings.Replace(text, line, line+more, 1) }
}

func swap(old, now string) func(string) string {
	return func(text string) string { return strings.Replace(text, old, now, 1) }
}

// last changes the last of several.
func last(old, now string) func(string) string {
	return func(text string) string {
		i := strings.LastIndex(text, old)
		if i < 0 {
			return text
		}
		return text[:i] + now + text[i+len(old):]
	}
}

func atEnd(more string) func(string) string { return func(text string) string { return text + more } }

func drop(pattern string) func(string) string {
	is := regexp.MustCompile(pattern)
	return func(text string) string { return is.ReplaceAllString(text, "") }
}

// rows adds fields to rows of one table of a ConfigDB, and to one row of another.
func rows(table, add, other, row, fields string) func(string) string {
	return func(text string) string {
		var db map[string]map[string]map[string]any
		if json.Unmarshal([]byte(text), &db) != nil {
			return text
		}
		var more map[string]map[string]any
		if json.Unmarshal([]byte(add), &more) != nil {
			return text
		}
		if other != "" {
			var one map[string]any
			if json.Unmarshal([]byte(fields), &one) != nil {
				return text
			}
			merge(db, other, row, one)
		}
		for _, key := range slices.Sorted(maps.Keys(more)) {
			merge(db, table, key, more[key])
		}
		out, err := json.MarshalIndent(db, "", "    ")
		if err != nil {
			return text
		}
		return string(out)
	}
}

func merge(db map[string]map[string]map[string]any, table, row string, fields map[string]any) {
	if db[table] == nil {
		db[table] = map[string]map[string]any{}
	}
	if db[table][row] == nil {
		db[table][row] = map[string]any{}
	}
	maps.Copy(db[table][row], fields)
}
