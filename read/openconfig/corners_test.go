package openconfig_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/openconfig"
)

// Numbers from the least to the most of the models' types: uint8 and uint16 as they are, DSCPs of
// 6 bits, per cents, an exponent of two; amounts of 64 bits end at a TiB, which no switch has, and
// rates at a Pb/s.
func TestNumbers(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/everything.json"))(t)
	const tib = 1 << 40
	readtest.Bounds(t, openconfig.Format(), string(text), map[string][2]int64{
		`"mtu": @`: {0, 65535}, `"queue-id": @}},`: {0, 7}, `"dscp-set": [@, 27]`: {0, 63}, `"dscp": @`: {0, 63},
		`"queue": "ROCE", "weight": "@"`: {0, math.MaxInt32}, `"cir": "@"`: {0, 1 << 50},
		`"min-threshold": "@"`: {0, tib}, `"max-threshold": "@"`: {0, tib}, `"weight": @,`: {0, math.MaxUint32}, `"max-drop-probability-percent": @`: {0, 100},
		`"dedicated-buffer": "@", "use`: {0, tib}, `"dynamic-limit-scaling-factor": @`: {-20, 20},
	}, openconfig.Number)
	readtest.Bounds(t, openconfig.Format(), strings.Replace(string(text), "DYNAMIC_BASED_ON_SCALING_FACTOR", "STATIC", 1), map[string][2]int64{`"static-shared-buffer-limit": @`: {0, math.MaxUint32}}, openconfig.Number)
}

// What is told of documents that a device would not print, or that say what few others do.
func TestCorners(t *testing.T) {
	queues := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"name": "Q%d", "config": {"name": "Q%d"}}`, i, i))
		}
		return `{"openconfig-qos:qos": {"queues": {"queue": [` + strings.Join(all, ", ") + `]}}}`
	}
	port := func(output string) string {
		return `{"openconfig-qos:qos": {"queues": {"queue": [{"name": "Q", "config": {"name": "Q", "queue-id": 3}}]},
"buffer-allocation-profiles": {"buffer-allocation-profile": [{"name": "b", "config": {"name": "b"}, "queues": {"queue": [{"name": "Q", "config": {"name": "Q", "dedicated-buffer": "1000"}}]}}]},
"queue-management-profiles": {"queue-management-profile": [{"name": "m", "config": {"name": "m"}, "wred": {"uniform": {"config": {"min-threshold": "1000", "max-threshold": "2000", "enable-ecn": true, ` + `"drop": false, "weight": 0}}}}]},
"interfaces": {"interface": [{"interface-id": "e1", "config": {"interface-id": "e1"}, "output": ` + output + `}]}}}`
	}
	const unused = "buffer-allocation-profile queues queue config dedicated-buffer 1000: neutral by unused"
	subs := func(indices string) string {
		return `{"openconfig-interfaces:interfaces": {"interface": [{"name": "e1", "config": {"name": "e1"}, "subinterfaces": {"subinterface": [` + indices + `]}}]},
"openconfig-qos:qos": {"interfaces": {"interface": [{"interface-id": "e1", "config": {"interface-id": "e1"}, "interface-ref": {"config": {"interface": "e1", "subinterface": 0}}}]}}}`
	}
	readtest.Tales(t, openconfig.Format(), []readtest.Tale{
		{"QoS of the only subinterface", subs(`{"index": 0, "config": {"index": 0}}`), "!the port has other subinterfaces"},
		{"QoS of one of two", subs(`{"index": 0, "config": {"index": 0}}, {"index": 100, "config": {"index": 100}}`), "not modelled: the port has other subinterfaces"},
		{"eight queues without numbers", queues(8), "queue \"Q0\" has no number; !more than eight"},
		{"nine", queues(9), "error[openconfig-read-number] there are more than eight queues"},
		{"qos is a list", `{"openconfig-qos:qos": [{"name": "x"}]}`, "qos name x: not modelled"},
		{"interfaces are a list", `{"openconfig-interfaces:interfaces": [{"name": "x"}]}`, "interfaces name x: "},
		{"a profile for multicast", port(`{"config": {"multicast-buffer-allocation-profile": "b"}}`), "!" + unused},
		{"for unicast", port(`{"config": {"unicast-buffer-allocation-profile": "b"}}`), "!" + unused},
		{"for all", port(`{"config": {"buffer-allocation-profile": "b"}}`), "!" + unused + "; Ports[0].QoS.Queues[0].Reserved = 1000B"},
		{"for none", port(`{"queues": {"queue": [{"name": "Q", "config": {"name": "Q"}}]}}`), unused + "; Ports[0].QoS.Queues[0].ID = 3; !ECN.KMin"},
		{"a curve", port(`{"queues": {"queue": [{"name": "Q", "config": {"name": "Q", "queue-management-profile": "m"}}]}}`),
			"Ports[0].QoS.Queues[0].ECN.KMin = 1000B; ECN.KMax = 2000B; ECN.PMax = 100%; config drop false: neutral by default; config weight 0: neutral by default"},
		{"a curve that drops", strings.Replace(port(`{"queues": {"queue": [{"name": "Q", "config": {"name": "Q", "queue-management-profile": "m"}}]}}`), `"drop": false`, `"drop": true`, 1),
			"WRED that drops is not accounted for"},
	})
	for text, want := range map[string]bool{``: false, `{"openconfig-qos:qos": {}}`: true, `["openconfig-qos:qos"]`: false, `{"qos": {}}`: false} {
		must.Equalf(t, openconfig.Format().Recognize([]byte(text)) != nil, want, "%q is recognized:", text)
	}
	if name, at := openconfig.Format().Device([]byte(`{"openconfig-system:system": {"config": {"hostname": "leaf-1"}}}`)); name != "" || at != 0 {
		t.Errorf("the device is %q at %d", name, at)
	}
}
