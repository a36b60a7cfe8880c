package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A byHand is a whole configuration as somebody else would write it, in the shapes of public
// templates, and what breaks it.
type byHand struct {
	name, file, text string
	chip             string
	cables           func(Cables) // what no file of the format holds
	verdict          Verdict      // without a break, with the chip
	broken           []redEdit
}

func TestByOtherHands(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, c := range []byHand{sonicByHand(), eosByHand(), nvueByHand(), openConfigByHand(), junosByHand(), srlinuxByHand()} {
		o := Options{Catalogue: catalogue, Cables: Cables{}}
		o.Chip, _ = catalogue.Find(c.chip)
		if c.cables != nil {
			c.cables(o.Cables)
		}
		known, verdict := told(t, o, "x/"+c.file, c.text)
		if verdict != c.verdict {
			r := judge(t, o, Text(c.file, []byte(c.text)))
			t.Errorf("%s is %v, want %v: %v\n%v", c.name, verdict, c.verdict, r.Switches[0].Because, r.Findings)
		}
		for _, e := range c.broken {
			edited := e.edit(c.text)
			if edited == c.text {
				t.Errorf("%s: %s: the edit changes nothing", c.name, e.what)
			}
			found, worse := told(t, o, "x/"+c.file, edited)
			more := 0
			for what := range found {
				if !known[what] {
					more++
				}
			}
			if more == 0 && worse <= verdict {
				t.Errorf("%s: %s: nothing shows it", c.name, e.what)
			}
			t.Logf("%s: %s: %v, %d findings more", c.name, e.what, worse, more)
		}
	}
}

// sonicByHand is a Tomahawk leaf in the shape of SONiC's own templates: range keys, the map
// AZURE, lossless priorities 3 and 4, headroom of pg_profile_lookup.ini of
// device/arista/x86_64-arista_7060_cx32s for 100G and 40 m, with a pool of headroom that
// holds what all groups have.
func sonicByHand() byHand {
	const ports = 16
	var port, pg, queue, sched, maps, wd, cable []string
	for i := range ports {
		name := fmt.Sprintf("Ethernet%d", 4*i)
		port = append(port, fmt.Sprintf(`"%s":{"lanes":"%d,%d,%d,%d","speed":"100000","mtu":"9100","admin_status":"up","fec":"rs"}`, name, 4*i+1, 4*i+2, 4*i+3, 4*i+4))
		pg = append(pg, fmt.Sprintf(`"%s|0":{"profile":"ingress_lossy_profile"},"%s|3-4":{"profile":"pg_lossless_100000_40m_profile"}`, name, name))
		queue = append(queue, fmt.Sprintf(`"%s|0-2":{"profile":"egress_lossy_profile"},"%s|3-4":{"profile":"egress_lossless_profile"},"%s|5-6":{"profile":"egress_lossy_profile"}`, name, name, name))
		sched = append(sched, fmt.Sprintf(`"%s|0":{"scheduler":"s0"},"%s|3-4":{"scheduler":"s1","wred_profile":"AZURE_LOSSLESS"}`, name, name))
		maps = append(maps, fmt.Sprintf(`"%s":{"dscp_to_tc_map":"AZURE","tc_to_queue_map":"AZURE","tc_to_pg_map":"AZURE","pfc_to_queue_map":"AZURE","pfc_enable":"3,4","pfcwd_sw_enable":"3,4"}`, name))
		wd = append(wd, fmt.Sprintf(`"%s":{"action":"drop","detection_time":"200","restoration_time":"200"}`, name))
		cable = append(cable, fmt.Sprintf(`"%s":"40m"`, name))
	}
	list := func(rows []string) string { return "{" + strings.Join(rows, ",\n") + "}" }
	var dscp []string
	for d := range 64 {
		tc := map[int]int{3: 3, 4: 4}[d]
		dscp = append(dscp, fmt.Sprintf(`"%d":"%d"`, d, tc))
	}
	const identity = `{"AZURE":{"0":"0","1":"1","2":"2","3":"3","4":"4","5":"5","6":"6","7":"7"}}`
	text := `{"DEVICE_METADATA":{"localhost":{"hostname":"leaf-a","type":"LeafRouter"}},
"PORT":` + list(port) + `,"CABLE_LENGTH":{"AZURE":` + list(cable) + `},
"BUFFER_POOL":{"ingress_lossless_pool":{"type":"ingress","mode":"dynamic","size":"7000000","xoff":"5800000"},"egress_lossless_pool":{"type":"egress","mode":"static","size":"15982720"},"egress_lossy_pool":{"type":"egress","mode":"dynamic","size":"4000000"}},
"BUFFER_PROFILE":{"ingress_lossy_profile":{"pool":"ingress_lossless_pool","size":"0","static_th":"15982720"},"egress_lossless_profile":{"pool":"egress_lossless_pool","size":"0","static_th":"15982720"},"egress_lossy_profile":{"pool":"egress_lossy_pool","size":"1664","dynamic_th":"-1"},
"pg_lossless_100000_40m_profile":{"pool":"ingress_lossless_pool","size":"1248","xon":"0","xon_offset":"2288","xoff":"177632","dynamic_th":"-3"}},
"BUFFER_PG":` + list(pg) + `,"BUFFER_QUEUE":` + list(queue) + `,"QUEUE":` + list(sched) + `,
"SCHEDULER":{"s0":{"type":"DWRR","weight":"14"},"s1":{"type":"DWRR","weight":"15"}},
"WRED_PROFILE":{"AZURE_LOSSLESS":{"ecn":"ecn_all","wred_green_enable":"true","green_min_threshold":"20000","green_max_threshold":"60000","green_drop_probability":"5"}},
"DSCP_TO_TC_MAP":{"AZURE":` + list(dscp) + `},"TC_TO_QUEUE_MAP":` + identity + `,"MAP_PFC_PRIORITY_TO_QUEUE":` + identity + `,
"TC_TO_PRIORITY_GROUP_MAP":{"AZURE":{"0":"0","1":"0","2":"0","3":"3","4":"4","5":"0","6":"0","7":"0"}},
"PORT_QOS_MAP":` + list(maps) + `,"PFC_WD":` + list(wd) + `,
"BGP_NEIGHBOR":{"10.0.0.1":{"asn":"65100"}},"NTP_SERVER":{"10.9.0.1":{}}}`
	return byHand{name: "SONiC", file: "config_db.json", text: text, chip: "tomahawk", verdict: Conditional, broken: []redEdit{
		{"half of the headroom", swap(`"xoff":"177632"`, `"xoff":"60000"`)},
		{"a pool of headroom for two groups", swap(`"xoff":"5800000"`, `"xoff":"360000"`)},
		{"300 m on one port", swap(`"Ethernet20":"40m"`, `"Ethernet20":"300m"`)},
		{"PFC of one port for 3 alone", swap(`"pfc_enable":"3,4"`, `"pfc_enable":"3"`)},
		{"the lossless queues of one port are lossy", swap(`"Ethernet0|3-4":{"profile":"egress_lossless_profile"}`, `"Ethernet0|3-4":{"profile":"egress_lossy_profile"}`)},
		{"DSCP 3 in the class of the rest", swap(`"3":"3",`+"\n", `"3":"0",`+"\n")},
	}}
}

// eosByHand is an Arista leaf as AVD's templates print it: a qos profile, maps, ECN, PFC, and
// no line for buffers, which EOS divides by figures that nobody publishes.
func eosByHand() byHand {
	var b strings.Builder
	b.WriteString("!\nhostname leaf-b\n!\nqos map dscp 26 to traffic-class 3\nqos map dscp 48 to traffic-class 6\n!\nqos profile ROCE\n   qos trust dscp\n   !\n   tx-queue 3\n      no priority\n      bandwidth percent 50\n      bandwidth guaranteed percent 1\n      random-detect ecn minimum-threshold 150 kbytes maximum-threshold 1500 kbytes max-mark-probability 10 weight 0\n   !\n   tx-queue 6\n      priority strict\n   !\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n   priority-flow-control pause watchdog\n!\n")
	for i := 1; i <= 16; i++ {
		fmt.Fprintf(&b, "interface Ethernet%d/1\n   description server %d\n   mtu 9214\n   no switchport\n   service-profile ROCE\n!\n", i, i)
	}
	b.WriteString("priority-flow-control pause watchdog default timeout 0.20\npriority-flow-control pause watchdog default recovery-time 0.40\npriority-flow-control pause watchdog default polling-interval 0.100\npriority-flow-control pause watchdog action drop\n!\nrouter bgp 65001\n   router-id 10.1.0.1\n   neighbor 10.0.0.1 remote-as 65100\n!\nend\n")
	cables := func(c Cables) {
		for i := 1; i <= 16; i++ {
			c[plan.LinkEnd{Switch: "leaf-b", Port: fmt.Sprintf("Ethernet%d/1", i)}] = Cable{Length: 5 * units.Metre, Speed: 100 * units.Gbps}
		}
	}
	return byHand{name: "EOS", file: "leaf-b.cfg", text: b.String(), chip: "tomahawk", cables: cables, verdict: NotJudged, broken: []redEdit{
		{"one port trusts the CoS", swap("   no switchport\n", "   no switchport\n   qos trust cos\n")},
		{"PFC is on and no priority is lossless", swap("   priority-flow-control priority 3 no-drop\n", "")},
		{"another class in the lossless queue", swap("qos map dscp 48 to traffic-class 6\n", "qos map dscp 48 to traffic-class 6\nqos map traffic-class 1 to tx-queue 3\n")},
		{"the lossless queue drops", swap("random-detect ecn minimum-threshold 150 kbytes maximum-threshold 1500 kbytes max-mark-probability 10 weight 0", "random-detect drop minimum-threshold 150 kbytes maximum-threshold 1500 kbytes drop-probability 10")},
		{"the watchdog watches nothing", swap("      bandwidth guaranteed percent 1\n", "")},
		{"an access list", swap("   no switchport\n", "   no switchport\n   ip access-group DROP in\n")},
	}}
}

// nvueByHand is `nv set qos roce`, which makes a Spectrum lossless by the figures of Cumulus
// Linux: its headroom is computed by the switch from the cable that it is told.
func nvueByHand() byHand {
	var b strings.Builder
	b.WriteString("- set:\n    system:\n      hostname: leaf-c\n    qos:\n      roce:\n        enable: on\n        mode: lossless\n        cable-length: 40\n    router:\n      bgp:\n        enable: on\n    interface:\n")
	for i := 1; i <= 32; i++ {
		fmt.Fprintf(&b, "      swp%d:\n        type: swp\n        link:\n          speed: 200G\n          mtu: 9216\n", i)
	}
	return byHand{name: "NVUE", file: "nvue.yaml", text: b.String(), chip: "spectrum4", verdict: NotJudged, broken: []redEdit{
		{"lossy", swap("mode: lossless", "mode: lossy")},
		{"PFC of a port without its peer", each(nvSet("qos/pfc/p/tx", "disable"), nvSet("qos/pfc/p/switch-priority/3", "{}"), nvSet("interface/swp1/qos/pfc/profile", "p"))},
		{"trust of the tag", nvSet("qos/mapping/default-global/trust", "l2")},
		{"two priorities in the lossless queue", nvSet("qos/egress-queue-mapping/default-global/switch-priority/0/traffic-class", "3")},
		{"a small MTU", swap("mtu: 9216", "mtu: 1500")},
		{"the lossless class is shaped", each(nvSet("qos/egress-shaper/p/traffic-class/3/max-rate", "1000000"), nvSet("interface/swp1/qos/egress-shaper/profile", "p"))},
	}}
}

// openConfigByHand is a document with one classifier, one curve and a policy: the models have
// no PFC, so it is never judged lossless.
func openConfigByHand() byHand {
	const text = `{"openconfig-interfaces:interfaces":{"interface":[{"name":"Ethernet1","config":{"name":"Ethernet1","type":"iana-if-type:ethernetCsmacd","mtu":9214}}]},
"openconfig-qos:qos":{"queues":{"queue":[{"name":"roce","config":{"name":"roce","queue-id":3}},{"name":"be","config":{"name":"be","queue-id":0}}]},
"forwarding-groups":{"forwarding-group":[{"name":"roce","config":{"name":"roce","output-queue":"roce"}},{"name":"be","config":{"name":"be","output-queue":"be"}}]},
"classifiers":{"classifier":[{"name":"c4","config":{"name":"c4","type":"IPV4"},"terms":{"term":[{"id":"1","config":{"id":"1"},"conditions":{"ipv4":{"config":{"dscp-set":[26]}}},"actions":{"config":{"target-group":"roce"}}}]}},{"name":"c6","config":{"name":"c6","type":"IPV6"},"terms":{"term":[{"id":"1","config":{"id":"1"},"conditions":{"ipv6":{"config":{"dscp-set":[26]}}},"actions":{"config":{"target-group":"roce"}}}]}}]},
"queue-management-profiles":{"queue-management-profile":[{"name":"ecn","config":{"name":"ecn"},"wred":{"uniform":{"config":{"enable-ecn":true,"drop":false,"min-threshold":"150000","max-threshold":"1500000","max-drop-probability-percent":10}}}}]},
"scheduler-policies":{"scheduler-policy":[{"name":"p","config":{"name":"p"},"schedulers":{"scheduler":[{"sequence":0,"config":{"sequence":0},"inputs":{"input":[{"id":"roce","config":{"id":"roce","input-type":"QUEUE","queue":"roce","weight":"60"}},{"id":"be","config":{"id":"be","input-type":"QUEUE","queue":"be","weight":"40"}}]}}]}}]},
"interfaces":{"interface":[{"interface-id":"Ethernet1","config":{"interface-id":"Ethernet1"},"interface-ref":{"config":{"interface":"Ethernet1"}},"input":{"classifiers":{"classifier":[{"type":"IPV4","config":{"type":"IPV4","name":"c4"}},{"type":"IPV6","config":{"type":"IPV6","name":"c6"}}]}},"output":{"queues":{"queue":[{"name":"roce","config":{"name":"roce","queue-management-profile":"ecn"}}]},"scheduler-policy":{"config":{"name":"p"}}}}]}}}`
	return byHand{name: "OpenConfig", file: "openconfig.json", text: text, chip: "tomahawk3", verdict: NotJudged, broken: []redEdit{
		{"IPv6 by another code point", swap(`"ipv6":{"config":{"dscp-set":[26]}}`, `"ipv6":{"config":{"dscp-set":[27]}}`)},
		{"packets are dropped", swap(`"drop":false`, `"drop":true`)},
		{"a curve that is not there", swap(`"queue-management-profile":"ecn"}`, `"queue-management-profile":"ecn2"}`)},
		{"pauses of the link", swap(`"mtu":9214}`, `"mtu":9214},"openconfig-if-ethernet:ethernet":{"config":{"enable-flow-control":true}}`)},
		{"a queue that is not there", swap(`"output-queue":"roce"`, `"output-queue":"rdma"`)},
		{"an access list", swap(`{"openconfig-interfaces`, `{"openconfig-acl:acl":{"config":{"x":"y"}},"openconfig-interfaces`)},
	}}
}
