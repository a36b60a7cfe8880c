package sonic_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/sonic"
)

// What follows from several rows of a file together. A fragment has to be in one of the lines that
// are told, one behind "!" in none.
func TestRowsTogether(t *testing.T) {
	const (
		ports  = `{"PORT": {"Ethernet0": {"lanes": "1", "speed": "100000"}, "Ethernet4": {"lanes": "2", "speed": "100000"}, "Ethernet8": {"lanes": "3", "speed": "100000"}}, `
		tunnel = `"TUNNEL": {"T": {"decap_dscp_to_tc_map": "T", "decap_tc_to_pg_map": "T", "dscp_mode": "pipe", "encap_tc_to_dscp_map": "T", "encap_tc_to_queue_map": "T"}}, ` +
			`"DSCP_TO_TC_MAP": {"AZURE": {"1": "1", "33": "8"}, "T": {"1": "1", "33": "8"}}, "TC_TO_DSCP_MAP": {"T": {"1": "10", "8": "33"}}, "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"1": "1", "8": "1"}, "T": {"1": "1", "8": "1"}}, ` +
			`"PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE", "tc_to_pg_map": "AZURE"}, "Ethernet4": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "OWN", "tc_to_pg_map": "AZURE"}}, ` +
			`"TC_TO_QUEUE_MAP": {"AZURE": {"1": "1", "8": "1"}, "T": {"1": "1", "8": "1"}, "OWN": %s}}`
		leaves   = "DSCP 33, which is kept in the tunnel, leaves from another queue than its class"
		trimming = `"SWITCH_TRIMMING": {"GLOBAL": {"size": "128", "dscp_value": "5", "queue_index": "dynamic"}}, "DSCP_TO_TC_MAP": {"AZURE": {"5": "2"}}, ` +
			`"TC_TO_QUEUE_MAP": {"AZURE": {"2": "2"}, "OWN": {"2": "%s"}}, "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE"}, "Ethernet4": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "OWN"}}, ` +
			`"BUFFER_POOL": {"e": {"type": "egress", "mode": "dynamic", "size": "1000"}}, "BUFFER_PROFILE": {"cut": {"pool": "[BUFFER_POOL|e]", "size": "0", "dynamic_th": "0", "packet_discard_action": "trim"}}, "BUFFER_QUEUE": {"Ethernet0|0": {"profile": "cut"}}}`
		pauses  = `"MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {"0": "0", "3": "3"}, "OWN": {"0": "5", "3": "3"}}, "PORT_QOS_MAP": {"Ethernet0": {"pfc_to_queue_map": "AZURE", "pfc_enable": "3"}, "Ethernet4": {"pfc_to_queue_map": "AZURE", "pfc_enable": "3"}, "Ethernet8": {%s}}}`
		another = "trimmed packets leave each port from another queue"
	)
	readtest.Tales(t, sonic.Format(), []readtest.Tale{
		// That AZURE is the switch's map does not hang on how many use it, as it does for groups.
		{"two ports with a map of their own", ports + `"DSCP_TO_TC_MAP": {"AZURE": {"5": "1"}, "OWN": {"5": "2"}}, "TC_TO_QUEUE_MAP": {"AZURE": {"1": "1", "2": "2"}}, ` +
			`"PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "OWN", "tc_to_queue_map": "AZURE"}, "Ethernet4": {"dscp_to_tc_map": "OWN", "tc_to_queue_map": "AZURE"}, "Ethernet8": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE"}}}`,
			"Maps.DSCPToTC = 0-4: 0, 5-5: 1, 6-63: 0; Ports[0].QoS.DSCPToTC = 0-4: 0, 5-5: 2, 6-63: 0; Ports[1].QoS.DSCPToTC = 0-4: 0, 5-5: 2, 6-63: 0; !Ports[2].QoS.DSCPToTC"},
		// The numbers of a chassis are those of YANG models device_metadata and port; one of fewer queues than classes is not.
		{"a card of a chassis", `{"DEVICE_METADATA": {"localhost": {"switch_type": "voq", "switch_id": "0", "max_cores": "16"}}, "PORT": {"Ethernet0": {"lanes": "1", "core_id": "1", "core_port_id": "2", "num_voq": "8"}, "Ethernet4": {"lanes": "2", "num_voq": "4"}}}`,
			"switch_id: \"0\": neutral by chassis; max_cores: \"16\": neutral by chassis; core_id: \"1\": neutral by chassis; core_port_id: \"2\": neutral by chassis; num_voq: \"8\": neutral by chassis; num_voq: \"4\": not modelled"},
		// Of equals the first in natural order: M2 before M10.
		{"two maps of one user", ports + `"TC_TO_PRIORITY_GROUP_MAP": {"M10": {"3": "5"}, "M2": {"3": "6"}}, "PORT_QOS_MAP": {"Ethernet0": {"tc_to_pg_map": "M10"}, "Ethernet4": {"tc_to_pg_map": "M2"}}}`,
			"Maps.TCToPG = 0-2: 0, 3-3: 6"},
		// Which of two spellings of a number a switch takes last hangs on the order of a hash.
		{"a code point with a zero before it", ports + `"DSCP_TO_TC_MAP": {"AZURE": {"46": "3", "046": "1"}}}`, `"046" is not a code point from 0 to 63; Maps.DSCPToTC = 0-45: 0, 46-46: 3`},
		{"a class with a zero before it", ports + `"TC_TO_QUEUE_MAP": {"AZURE": {"03": "1"}}}`, `"03" is not a code point from 0 to 7`},
		{"a priority with a zero before it", ports + `"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "03,4"}}}`, `pfc_enable holds priorities from 0 to 7 with commas between, such as "3,4", not "03,4"`},
		{"a queue with a zero before it", ports + `"QUEUE": {"Ethernet0|03": {}}}`, `"03" is neither an index from 0 to 15`},
		// A copy is read for the port that has it, and stands for nothing without one.
		{"a copy that is used", ports + `"TC_TO_PRIORITY_GROUP_MAP": {"A": {"3": "5"}, "B": {"3": "5"}}, "PORT_QOS_MAP": {"Ethernet0": {"tc_to_pg_map": "A"}, "Ethernet4": {"tc_to_pg_map": "B"}}}`,
			"TC_TO_PRIORITY_GROUP_MAP|A: modelled; TC_TO_PRIORITY_GROUP_MAP|B: modelled"},
		{"a copy that nobody uses", ports + `"TC_TO_PRIORITY_GROUP_MAP": {"A": {"3": "5"}, "B": {"3": "5"}}, "PORT_QOS_MAP": {"Ethernet0": {"tc_to_pg_map": "A"}}}`,
			"TC_TO_PRIORITY_GROUP_MAP|A: modelled; TC_TO_PRIORITY_GROUP_MAP|B: neutral"},
		// Ports of the tunnel: DSCP 33 is carried as class 1, which leaves from queue 1.
		{"a queue for the kept code point's class", ports + fmt.Sprintf(tunnel, `{"1": "4", "8": "4"}`), "Tunnel.Kept = [33]; !" + leaves},
		{"another queue for it", ports + fmt.Sprintf(tunnel, `{"1": "4", "8": "1"}`), leaves + "; touches code points 200000000"},
		{"none for it", ports + fmt.Sprintf(tunnel, `{"1": "4"}`), leaves},
		{"none for the class that it is carried as", ports + fmt.Sprintf(tunnel, `{"0": "4", "8": "1"}`), "!" + leaves},
		// What is left of a packet is sent by the queue of its class, 2, at each port.
		{"trimming by the port's own map", ports + fmt.Sprintf(trimming, "3"), "Trim.Queue = 2; " + another},
		{"trimming by a map that says the same", ports + fmt.Sprintf(trimming, "2"), "Trim.Queue = 2; !" + another},
		{"code point, class and queue of all bits", ports + strings.NewReplacer(`"dscp_value": "5"`, `"dscp_value": "63"`, `{"5": "2"}`, `{"63": "7"}`, `{"2": "2"}`, `{"7": "5"}`, `{"2": "%s"}`, `{"7": "5"}`).Replace(trimming),
			"Trim.DSCP = 63; Trim.TC = 7; Trim.Queue = 5; !" + another},
		// What pauses is of profiles with headroom that a group has.
		{"thresholds of a lossy profile", ports + `"BUFFER_PROFILE": {"lossy": {"size": "0", "dynamic_th": "0", "xon": "5", "xon_offset": "6"}}, "BUFFER_PG": {"Ethernet0|0": {"profile": "lossy"}}}`,
			"lossy xon: \"5\": neutral by threshold-without-pause; lossy xon_offset: \"6\": neutral by threshold-without-pause"},
		{"of a profile of queues", ports + `"BUFFER_PROFILE": {"own": {"size": "0", "dynamic_th": "0", "xon": "5", "xon_offset": "6", "xoff": "7"}}, "BUFFER_QUEUE": {"Ethernet0|3": {"profile": "own"}}}`,
			"own xon: \"5\": neutral by threshold-without-pause; own xon_offset: \"6\": neutral by threshold-without-pause; own xoff: \"7\": neutral by threshold-without-pause"},
		{"of a profile of groups", ports + `"BUFFER_PROFILE": {"own": {"size": "0", "dynamic_th": "0", "xon": "5", "xon_offset": "6", "xoff": "7"}}, "BUFFER_PG": {"Ethernet0|3": {"profile": "own"}}}`,
			"BUFFER_PROFILE|own: modelled"},
		// Of PFC's maps priorities count that the port has PFC for.
		{"a map for a port without PFC", ports + fmt.Sprintf(pauses, `"pfc_to_queue_map": "OWN"`), "!Ethernet8 has another map than most ports"},
		{"for one with PFC of another priority", ports + fmt.Sprintf(pauses, `"pfc_to_queue_map": "OWN", "pfc_enable": "3"`), "!Ethernet8 has another map than most ports"},
		{"for one with PFC of that priority", ports + fmt.Sprintf(pauses, `"pfc_to_queue_map": "OWN", "pfc_enable": "0,3"`), "Ethernet8 has another map than most ports"},
		// PORT lacks Ethernet12, whose map is another one.
		{"maps of a port that is not there", ports + `"DSCP_TO_TC_MAP": {"AZURE": {"5": "1"}, "OWN": {"5": "2"}}, "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE"}, "Ethernet12": {"dscp_to_tc_map": "OWN"}}}`,
			"Ethernet12 has another map than most ports; touches code points 20"},
	})
}

// A file's findings are told up to a thousand, and how many more there are.
func TestManyFindings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`"speed": "x"`, "error"}, {`"mtu": 9100`, "warning"},
	} {
		for rows, more := range map[int]int{1000: 0, 1001: 1, 1010: 10} {
			var text strings.Builder
			for i := range rows {
				fmt.Fprintf(&text, `, "Ethernet%d": {"lanes": "%d", "speed": "100000", %s}`, 4*i, i, c.text)
			}
			r := sonic.Format().Read("f", []byte(`{"PORT": {`+strings.TrimPrefix(strings.Replace(text.String(), `"speed": "100000", "speed"`, `"speed"`, -1), ", ")+`}}`), read.Options{})
			told, left := 0, ""
			for _, d := range r.Found {
				if strings.HasSuffix(d.Message, "more findings are left out") {
					left = d.Message
				} else {
					told++
				}
			}
			want := ""
			if more > 0 {
				want = fmt.Sprintf("%d more findings are left out", more)
			}
			if told != 1000 || left != want {
				t.Errorf("%d %ss: %d are told, and %q, want %q", rows, c.want, told, left, want)
			}
		}
	}
}

// Numbers from the least to the most that SONiC's YANG models and its code take; amounts of buffer
// end at a PiB, which no chip has.
func TestNumbers(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/everything.json"))(t)
	const pib = 1 << 50
	readtest.Bounds(t, sonic.Format(), string(text), map[string][2]int64{
		`"default_dynamic_th": "@"`: {-8, 7}, `"over_subscribe_ratio": "@"`: {0, 65535}, `{"mtu": "@", "small`: {1, 9216}, `"small_packet_percentage": "@"`: {0, 100},
		`"speed": "@", "alias": "etp1a"`: {1, 1_600_000}, `"index": "@", "subport": "1"`: {0, 65535}, `"subport": "@", "mtu": "9100"`: {0, 8}, `"mtu": "@", "fec": "rs"`: {68, 9216},
		`"size": "@", "xoff": "3000000"`: {0, pib}, `"40000000", "xoff": "@"`: {0, pib}, `"size": "@", "xon"`: {0, pib}, `"xon": "@"`: {0, pib}, `"19456", "xoff": "@"`: {0, pib},
		`"60416", "dynamic_th": "@"`: {-8, 7}, `"static_th": "@"},`: {0, pib}, `"weight": "@"`: {1, 100}, `"cir": "@"`: {0, pib}, `"pir": "@"`: {0, pib},
		`"green_min_threshold": "@"`: {0, 1<<31 - 1}, `"green_max_threshold": "@"`: {0, 1<<31 - 1}, `"green_drop_probability": "@"`: {0, 100},
		`"256", "dscp_value": "@"`: {0, 63}, `"queue_index": "@"`: {0, 15}, `{"size": "@", "dscp_value"`: {1, 1<<32 - 1},
		`"AZURE": {"3": "@", "4": "4"}`: {0, 7}, `"AZURE": {"0": "@", "3"`: {0, 9}, `"POLL_INTERVAL": "@"`: {100, 1000}, `"detection_time": "@"`: {100, 5000}, `"restoration_time": "@"`: {100, 60000},
	}, sonic.Number)
	for _, number := range []string{"4611686018427387904", "9223372036854775808"} { // the second one is too large for an int64
		words := fmt.Sprintf("mtu is a whole number from 68 to 9216, not %q", number)
		got := sonic.Format().Read("f", []byte(`{"PORT": {"Ethernet0": {"mtu": "`+number+`"}}}`), read.Options{}).Found
		if len(got) == 0 || !strings.Contains(got[0].Message, words) {
			t.Errorf("%s: %v", number, got)
		}
	}
}
