package sonic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pair gives a switch the tunnel of a pair of ToRs. Inside, DSCP 46 comes back in class 5 as on
// other ways, the rest in class 2; CNPs, DSCP 48 of class 6, keep their code point.
func pair(sw *plan.Switch) {
	t := &plan.Tunnel{Name: "MuxTunnel0", DSCPToTC: sw.Maps.DSCPToTC, TCToPG: sw.Maps.TCToPG, TCToQueue: sw.Maps.TCToQueue, Kept: []uint8{48}, Range: line(3)}
	t.TCToPG[5], t.TCToQueue[6], t.TCToPG[6] = 4, 7, 1
	t.Outer = plan.Rewrite{TCs: 1<<2 | 1<<5, DSCP: [8]uint8{2: 10, 5: 33}}
	sw.Tunnel = t
}

// What stands in the tables of ConfigDB, by TABLE/row/field; empty: the field is not there.
func TestTables(t *testing.T) {
	for name, c := range map[string]struct {
		of     func() *plan.Switch
		change func(*plan.Switch)
		want   map[string]string
	}{
		// SONiC doc/qos/tunnel_dscp_remapping.md: a code point that is kept has a class of its own, from 8
		// on, with the queue and the group of the class that it would have.
		"a pair of ToRs": {tor, pair, map[string]string{
			"DSCP_TO_TC_MAP/AZURE/48": "8", "DSCP_TO_TC_MAP/AZURE/46": "5", "DSCP_TO_TC_MAP/AZURE/0": "2",
			"DSCP_TO_TC_MAP/AZURE_TUNNEL/48": "8", "DSCP_TO_TC_MAP/AZURE_TUNNEL/46": "5",
			"TC_TO_QUEUE_MAP/AZURE/8": "6", "TC_TO_QUEUE_MAP/AZURE/9": "", "TC_TO_QUEUE_MAP/AZURE_TUNNEL/8": "7", "TC_TO_QUEUE_MAP/AZURE_TUNNEL/6": "7",
			"TC_TO_PRIORITY_GROUP_MAP/AZURE/8": "0", "TC_TO_PRIORITY_GROUP_MAP/AZURE_TUNNEL/8": "1", "TC_TO_PRIORITY_GROUP_MAP/AZURE_TUNNEL/5": "4", "TC_TO_PRIORITY_GROUP_MAP/AZURE/5": "5",
			"TC_TO_DSCP_MAP/AZURE_TUNNEL/2": "10", "TC_TO_DSCP_MAP/AZURE_TUNNEL/5": "33", "TC_TO_DSCP_MAP/AZURE_TUNNEL/6": "", "TC_TO_DSCP_MAP/AZURE_TUNNEL/8": "48", "TC_TO_DSCP_MAP/AZURE/2": "",
			"SYSTEM_DEFAULTS/tunnel_qos_remap/status": "enabled",
			"TUNNEL/MuxTunnel0/decap_dscp_to_tc_map":  "AZURE_TUNNEL", "TUNNEL/MuxTunnel0/decap_tc_to_pg_map": "AZURE_TUNNEL", "TUNNEL/MuxTunnel0/encap_tc_to_dscp_map": "AZURE_TUNNEL",
			"TUNNEL/MuxTunnel0/encap_tc_to_queue_map": "AZURE_TUNNEL", "TUNNEL/MuxTunnel0/dscp_mode": "pipe", "TUNNEL/MuxTunnel0/tunnel_type": "IPINIP",
		}},
		"a code point that has another class in the tunnel is not kept there": {tor, func(sw *plan.Switch) { pair(sw); sw.Tunnel.DSCPToTC[48] = 2 }, map[string]string{
			"DSCP_TO_TC_MAP/AZURE/48": "8", "DSCP_TO_TC_MAP/AZURE_TUNNEL/48": "2",
		}},
		"a pair with ports that trust nobody: a class that is kept leaves for others as its class does": {edgeTor, pair, map[string]string{
			"TC_TO_DSCP_MAP/AZURE/6": "48", "TC_TO_DSCP_MAP/AZURE/8": "48", "TC_TO_DSCP_MAP/AZURE/2": "0", "DSCP_TO_TC_MAP/EDGE/48": "6",
		}},
		"no tunnel": {tor, func(*plan.Switch) {}, map[string]string{
			"SYSTEM_DEFAULTS/tunnel_qos_remap/status": "", "TUNNEL/MuxTunnel0/dscp_mode": "", "TC_TO_DSCP_MAP/AZURE_TUNNEL/2": "", "DSCP_TO_TC_MAP/AZURE_2/0": "", "TC_TO_DSCP_MAP/AZURE/2": "", "DSCP_TO_TC_MAP/EDGE/0": "",
			"PORT_QOS_MAP/Ethernet0/dscp_to_tc_map": "AZURE", "PORT_QOS_MAP/Ethernet0/tc_to_dscp_map": "", "PORT_QOS_MAP/Ethernet0/pfc_to_pg_map": "", "PORT_QOS_MAP/Ethernet0/pfcwd_sw_enable": "5",
		}},
		"a port that classifies by itself": {tor, func(sw *plan.Switch) {
			own := *sw.Ports[0].QoS
			own.DSCPToTC = &[64]uint8{46: 5, 3: 6}
			sw.Ports[0].QoS = &own
		}, map[string]string{
			"PORT_QOS_MAP/Ethernet0/dscp_to_tc_map": "AZURE_2", "PORT_QOS_MAP/Ethernet1/dscp_to_tc_map": "AZURE", "DSCP_TO_TC_MAP/AZURE_2/3": "6", "DSCP_TO_TC_MAP/AZURE_2/0": "0", "DSCP_TO_TC_MAP/AZURE/3": "2",
		}},
		"ports that rewrite": {tor, func(sw *plan.Switch) {
			for i := range 3 {
				own := *sw.Ports[i].QoS
				own.Rewrite = &plan.Rewrite{TCs: 1 << 5, DSCP: [8]uint8{5: uint8(40 + i/2)}}
				sw.Ports[i].QoS = &own
			}
		}, map[string]string{
			"PORT_QOS_MAP/Ethernet0/tc_to_dscp_map": "AZURE", "PORT_QOS_MAP/Ethernet1/tc_to_dscp_map": "AZURE", "PORT_QOS_MAP/Ethernet2/tc_to_dscp_map": "AZURE_2", "PORT_QOS_MAP/Ethernet3/tc_to_dscp_map": "",
			"TC_TO_DSCP_MAP/AZURE/5": "40", "TC_TO_DSCP_MAP/AZURE_2/5": "41", "TC_TO_DSCP_MAP/AZURE/2": "",
		}},
		"a priority whose group has another number": {tor, func(sw *plan.Switch) { sw.Maps.PFCToPG[5], sw.Maps.TCToPG[5] = 4, 4 }, map[string]string{
			"PORT_QOS_MAP/Ethernet0/pfc_to_pg_map": "AZURE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP/AZURE/5": "4",
		}},
		// sonic-swss cfgmgr/buffermgrdyn.cpp: NULL is the profile that the switch makes by the default.
		"groups that the switch computes": {spectrum, func(sw *plan.Switch) {
			own := *sw.Ports[1].QoS
			own.PGs = []plan.PG{{ID: 0, Limit: alpha(3)}, {ID: 5, Pool: "ingress_lossless_pool", Lossless: true, Limit: alpha(-2)}}
			sw.Ports[1].QoS = &own
		}, map[string]string{
			"BUFFER_PG/Ethernet0|5/profile": "NULL", "BUFFER_PG/Ethernet8|5/profile": "pg_computed_th-2_profile", "BUFFER_PG/Ethernet8|0/profile": "", "BUFFER_PG/Ethernet0|0/profile": "ingress_lossy_profile",
			"BUFFER_PROFILE/pg_computed_th-2_profile/headroom_type": "dynamic", "BUFFER_PROFILE/pg_computed_th-2_profile/dynamic_th": "-2", "BUFFER_PROFILE/pg_computed_th-2_profile/xoff": "",
			"BUFFER_PG/Ethernet24|5/profile": "pg_override_400000_300m_profile", "BUFFER_PROFILE/pg_override_400000_300m_profile/xoff": "400384", "BUFFER_PROFILE/pg_override_400000_300m_profile/xon": "19456",
			"PORT_QOS_MAP/Ethernet0/pfc_to_pg_map": "AZURE", "BUFFER_QUEUE/Ethernet0|2/profile": "q_lossy_trim_profile", "BUFFER_QUEUE/Ethernet0|6/profile": "q_lossy_profile",
			"BUFFER_PROFILE/q_lossy_trim_profile/packet_discard_action": "trim", "BUFFER_PROFILE/q_lossy_profile/packet_discard_action": "",
		}},
		"pools of which the switch computes the size": {spectrum, func(sw *plan.Switch) {
			sw.Pools[0].Size, sw.Pools[1].Size, sw.Pools[2].Size, sw.Pools[2].Headroom = of(units.Bytes(100)), of(units.Bytes(200)), of(units.Bytes(200)), of(units.Bytes(50))
		}, map[string]string{
			"BUFFER_POOL/egress_lossless_pool/size": "100", "BUFFER_POOL/egress_lossy_pool/size": "", "BUFFER_POOL/ingress_lossless_pool/size": "", "BUFFER_POOL/ingress_lossless_pool/xoff": "",
			"BUFFER_POOL/ingress_lossless_pool/mode": "dynamic", "DEFAULT_LOSSLESS_BUFFER_PARAMETER/AZURE/over_subscribe_ratio": "2",
		}},
		"a pool of headroom that is told": {spectrum, func(sw *plan.Switch) {
			sw.Pools[2].Headroom, sw.Calculator.Oversubscribe.Value = of(units.Bytes(50)), 0
		}, map[string]string{"BUFFER_POOL/ingress_lossless_pool/xoff": "50", "DEFAULT_LOSSLESS_BUFFER_PARAMETER/AZURE/over_subscribe_ratio": ""}},
		"sizes of the traditional model": {tor, func(sw *plan.Switch) { sw.BufferModel = "" }, map[string]string{
			"DEVICE_METADATA/localhost/buffer_model": "traditional", "BUFFER_POOL/ingress_lossless_pool/size": "28000000", "BUFFER_POOL/ingress_lossless_pool/xoff": "6291456", "BUFFER_POOL/egress_lossless_pool/mode": "static",
			"BUFFER_POOL/ingress_lossless_pool/type": "ingress", "BUFFER_POOL/egress_lossless_pool/xoff": "", "DEFAULT_LOSSLESS_BUFFER_PARAMETER/AZURE/default_dynamic_th": "",
			"BUFFER_PG/Ethernet0|5/profile": "pg_lossless_25000_15m_profile", "BUFFER_PG/Ethernet8|5/profile": "pg_lossless_100000_100m_profile",
			"BUFFER_PROFILE/pg_lossless_25000_15m_profile/xon_offset": "2560", "BUFFER_PROFILE/pg_lossless_25000_15m_profile/size": "1280",
		}},
		"one pool for both sides": {chassisCard, func(*plan.Switch) {}, map[string]string{"BUFFER_POOL/ingress_lossless_pool/type": "both"}},
		"queues of other pools with one content": {tor, func(sw *plan.Switch) {
			for _, name := range []string{"second_pool", "third_pool"} {
				sw.Pools = append(sw.Pools, plan.Pool{Name: name, Direction: plan.Egress, Dynamic: true, Size: of(units.Bytes(1000))})
			}
			q := sw.Ports[0].QoS
			q.Queues[2].Pool = "second_pool"
			q.Queues = append(q.Queues, plan.Queue{ID: 7, Pool: "third_pool", Reserved: of(units.Bytes(1664)), Limit: alpha(-1)}, plan.Queue{ID: 8, Limit: alpha(1)})
		}, map[string]string{
			"BUFFER_QUEUE/Ethernet0|2/profile": "egress_lossy_profile", "BUFFER_QUEUE/Ethernet0|6/profile": "egress_lossy_th-1_size1664_profile", "BUFFER_QUEUE/Ethernet0|7/profile": "egress_lossy_th-1_size1664_third_pool_profile",
			"BUFFER_PROFILE/egress_lossy_th-1_size1664_third_pool_profile/pool": "third_pool", "BUFFER_QUEUE/Ethernet0|8/profile": "", "BUFFER_QUEUE/Ethernet0|5/profile": "egress_lossless_profile",
		}},
		"boxes number their ports from 0 or not at all": {tor, func(sw *plan.Switch) { sw.Ports[0].Index = 0 }, map[string]string{"PORT/Ethernet0/index": "0", "PORT/Ethernet1/index": "1"}},
		"a port whose number in the box is not known":   {tor, func(sw *plan.Switch) { sw.Ports[0].Index, sw.Ports[0].Numbered = 0, false }, map[string]string{"PORT/Ethernet0/index": "", "PORT/Ethernet1/index": "1"}},
		"a box without numbers": {tor, func(sw *plan.Switch) {
			for i := range sw.Ports {
				sw.Ports[i].Index, sw.Ports[i].Numbered = 0, false
			}
		}, map[string]string{"PORT/Ethernet0/index": "", "PORT/Ethernet0/lanes": "1", "PORT/Ethernet8/lanes": "9,10,11,12", "PORT/Ethernet0/mtu": "9194", "PORT/Ethernet0/speed": "25000", "PORT/Ethernet0/subport": ""}},
		"a port with the switch's frame, and one without a cable": {tor, func(sw *plan.Switch) { sw.Ports[0].MTU, sw.Ports[1].Cable, sw.MTU.Value = 0, 0, 5022 }, map[string]string{
			"PORT/Ethernet0/mtu": "5000", "CABLE_LENGTH/AZURE/Ethernet1": "", "CABLE_LENGTH/AZURE/Ethernet0": "15m",
		}},
		"groups with one profile side by side": {tor, func(sw *plan.Switch) {
			q := sw.Ports[0].QoS
			q.PGs = append([]plan.PG{q.PGs[0], {ID: 1, Pool: q.PGs[0].Pool, Limit: q.PGs[0].Limit}, {ID: 3, Pool: q.PGs[0].Pool, Limit: q.PGs[0].Limit}}, q.PGs[1])
		}, map[string]string{"BUFFER_PG/Ethernet0|0-1/profile": "ingress_lossy_profile", "BUFFER_PG/Ethernet0|3/profile": "ingress_lossy_profile", "BUFFER_PG/Ethernet0|0/profile": ""}},
		"a port that nobody watches, and no poll": {tor, func(sw *plan.Switch) {
			own := *sw.Ports[0].QoS
			own.Watchdog, sw.Watchdog.Poll.Value = false, 0
			sw.Ports[0].QoS = &own
		}, map[string]string{"PFC_WD/Ethernet0/action": "", "PFC_WD/Ethernet1/action": "drop", "PFC_WD/Ethernet1/detection_time": "200", "PFC_WD/GLOBAL/POLL_INTERVAL": "", "PORT_QOS_MAP/Ethernet0/pfcwd_sw_enable": ""}},
		"parts of cages": {tor, func(sw *plan.Switch) {
			sw.Ports[0].Cage, sw.Ports[1].Cage = plan.Cage{Port: "Ethernet0", Mode: "2x100G", Subport: 1}, plan.Cage{Port: "Ethernet0", Mode: "2x100G", Subport: 2}
			sw.Ports[2].Cage = plan.Cage{Port: "Ethernet2"}
		}, map[string]string{"BREAKOUT_CFG/Ethernet0/brkout_mode": "2x100G", "BREAKOUT_CFG/Ethernet2/brkout_mode": "", "PORT/Ethernet1/subport": "2", "PORT/Ethernet2/subport": ""}},
		// DellEMC-S5232f-C32 ships Ethernet129 on lane 128, which Ethernet124 has.
		"parts of a cage apart": {tor, func(sw *plan.Switch) {
			sw.Ports[0].Cage, sw.Ports[1].Cage, sw.Ports[2].Cage = plan.Cage{Port: "Ethernet0", Mode: "1x100G"}, plan.Cage{Port: "Ethernet1", Mode: "1x10G"}, plan.Cage{Port: "Ethernet0", Mode: "4x25G"}
		}, map[string]string{"BREAKOUT_CFG/Ethernet0/brkout_mode": "1x100G", "BREAKOUT_CFG/Ethernet1/brkout_mode": "1x10G"}},
		"limits with a number of the other kind left": {tor, func(sw *plan.Switch) {
			q := sw.Ports[0].QoS
			q.Queues[0].Limit, q.Queues[2].Limit = of(plan.Limit{Dynamic: true, Alpha: -1, Static: 77}), of(plan.Limit{Dynamic: true, Alpha: -1})
			q.Queues[1].Limit = of(plan.Limit{Static: 32_575_488, Alpha: 3})
			sw.Ports[8].QoS.Queues[1].Limit = of(plan.Limit{Static: 32_575_488})
		}, map[string]string{
			"BUFFER_QUEUE/Ethernet0|2/profile": "egress_lossy_profile", "BUFFER_QUEUE/Ethernet0|6/profile": "egress_lossy_profile", "BUFFER_QUEUE/Ethernet0|5/profile": "egress_lossless_profile", "BUFFER_QUEUE/Ethernet8|5/profile": "egress_lossless_profile",
			"BUFFER_PROFILE/egress_lossy_profile/static_th": "", "BUFFER_PROFILE/egress_lossless_profile/dynamic_th": "",
		}},
		// Of a Trident 3 it is not published whether it cuts packets: it is told to.
		"packets that are cut, if the chip can": {tor, func(sw *plan.Switch) {
			sw.Chip, sw.Trim = "trident3", &plan.Trim{Size: of(units.Bytes(256)), DSCP: 48, TC: 6, Queue: 6}
			sw.Ports[0].QoS.Queues[0].Trims = true
		}, map[string]string{"SWITCH_TRIMMING/GLOBAL/size": "256", "SWITCH_TRIMMING/GLOBAL/dscp_value": "48", "SWITCH_TRIMMING/GLOBAL/queue_index": "6", "BUFFER_QUEUE/Ethernet0|2/profile": "egress_lossy_trim_profile"}},
		"a port of which nothing is told": {tor, func(sw *plan.Switch) { sw.Ports[9].QoS = nil }, map[string]string{"PORT/Ethernet12/admin_status": "up", "PORT_QOS_MAP/Ethernet12/pfc_enable": "", "BUFFER_PG/Ethernet12|5/profile": ""}},
	} {
		sw := c.of()
		c.change(sw)
		var tables map[string]map[string]map[string]string
		must.Do(t, json.Unmarshal(render(t, sw), &tables))
		for path, want := range c.want {
			parts := strings.SplitN(path, "/", 2)
			row, field, _ := strings.Cut(parts[1], "/")
			must.Equalf(t, tables[parts[0]][row][field], want, "%s: %s is", name, path)
		}
	}
}

// Keys and values are printed as they are, from a blank to a tilde; others are escaped as in JSON.
func TestTextOfValues(t *testing.T) {
	for text, want := range map[string]string{" ~": `" ~"`, "a\"b": `"a\"b"`, "a\\b": `"a\\b"`, "\\": `"\\"`, "a<b": `"a<b"`, "a\x7fb": "\"a\x7fb\"", "a\tb": `"a\tb"`, "ü": `"ü"`} {
		sw := tor()
		sw.Ports[0].Peer = text
		if out := string(render(t, sw)); !strings.Contains(out, `"description": `+want) {
			t.Errorf("%q is not written as %s", text, want)
		}
	}
}

// The least and the most that the YANG models of SONiC take, and one beyond.
func TestBounds(t *testing.T) {
	ms := func(n int64) plan.Derived[units.Time] { return of(units.Time(n) * units.Millisecond) }
	tunnel := func(change func(*plan.Tunnel)) func(*plan.Switch) {
		return func(sw *plan.Switch) { pair(sw); change(sw.Tunnel) }
	}
	for name, c := range map[string]struct {
		change  func(*plan.Switch)
		refused diag.Code
	}{
		"queue 9 of a class":                      {func(sw *plan.Switch) { sw.Maps.TCToQueue[7] = 9 }, ""},
		"queue 10":                                {func(sw *plan.Switch) { sw.Maps.TCToQueue[7] = 10 }, sonic.ValueRefused},
		"queue 8 of a priority":                   {func(sw *plan.Switch) { sw.Maps.PFCToQueue[7] = 8 }, sonic.ValueRefused},
		"group 8":                                 {func(sw *plan.Switch) { sw.Maps.TCToPG[7] = 8 }, sonic.ValueRefused},
		"eight code points are kept":              {tunnel(func(t *plan.Tunnel) { t.Kept = []uint8{1, 2, 3, 4, 5, 6, 7, 8} }), ""},
		"nine are":                                {tunnel(func(t *plan.Tunnel) { t.Kept = []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9} }), sonic.ValueRefused},
		"code point 63 is kept":                   {tunnel(func(t *plan.Tunnel) { t.Kept = []uint8{63} }), ""},
		"class 8 in a tunnel":                     {tunnel(func(t *plan.Tunnel) { t.DSCPToTC[1] = 8 }), sonic.ValueRefused},
		"group 8 in a tunnel":                     {tunnel(func(t *plan.Tunnel) { t.TCToPG[1] = 8 }), sonic.ValueRefused},
		"queue 9 in a tunnel":                     {tunnel(func(t *plan.Tunnel) { t.TCToQueue[1] = 9 }), ""},
		"queue 10 in a tunnel":                    {tunnel(func(t *plan.Tunnel) { t.TCToQueue[1] = 10 }), sonic.ValueRefused},
		"outer code point 63":                     {tunnel(func(t *plan.Tunnel) { t.Outer.DSCP[1] = 63 }), ""},
		"outer code point 64":                     {tunnel(func(t *plan.Tunnel) { t.Outer.DSCP[1] = 64 }), sonic.ValueRefused},
		"class 8 of a port":                       {func(sw *plan.Switch) { sw.Ports[0].QoS.DSCPToTC = &[64]uint8{0: 8} }, sonic.ValueRefused},
		"queue 9 by which a class leaves a port":  {func(sw *plan.Switch) { sw.Ports[0].QoS.TCToQueue = &plan.QueueMap{To: [8]uint8{0: 9}} }, ""},
		"queue 10 by which a class leaves a port": {func(sw *plan.Switch) { sw.Ports[0].QoS.TCToQueue = &plan.QueueMap{To: [8]uint8{0: 10}} }, sonic.ValueRefused},
		"a name of 128 bytes":                     {func(sw *plan.Switch) { sw.Ports[0].Name = strings.Repeat("x", 128) }, ""},
		"a name of 129":                           {func(sw *plan.Switch) { sw.Ports[0].Name = strings.Repeat("x", 129) }, sonic.NameRefused},
		"no name":                                 {func(sw *plan.Switch) { sw.Ports[0].Name = "" }, sonic.NameRefused},
		"a description of 255":                    {func(sw *plan.Switch) { sw.Ports[0].Peer = strings.Repeat("x", 255) }, ""},
		"a description of 256":                    {func(sw *plan.Switch) { sw.Ports[0].Peer = strings.Repeat("x", 256) }, sonic.ValueRefused},
		"an alias of 128":                         {func(sw *plan.Switch) { sw.Ports[0].Alias = strings.Repeat("x", 128) }, ""},
		"a pool's name":                           {func(sw *plan.Switch) { sw.Pools[1].Name = "a|b" }, sonic.NameRefused},
		"FEC fc":                                  {func(sw *plan.Switch) { sw.Ports[0].FEC = "fc" }, ""},
		"FEC of another word":                     {func(sw *plan.Switch) { sw.Ports[0].FEC = "best" }, sonic.ValueRefused},
		"index 65535":                             {func(sw *plan.Switch) { sw.Ports[0].Index = 65535 }, ""},
		"index 65536":                             {func(sw *plan.Switch) { sw.Ports[0].Index = 65536 }, sonic.ValueRefused},
		"thresholds of one value":                 {func(sw *plan.Switch) { e := sw.Ports[0].QoS.Queues[1].ECN; e.KMax = e.KMin }, ""},
		"a cap of whole bytes per second":         {func(sw *plan.Switch) { sw.Ports[0].QoS.Queues[2].Scheduler.MaxRate = of(units.BitRate(16)) }, ""},
		"a strict queue has no weight":            {func(sw *plan.Switch) { sw.Ports[0].QoS.Queues[2].Scheduler.Weight = of(int64(500)) }, ""},
		"a capped queue needs one":                {func(sw *plan.Switch) { sw.Ports[0].QoS.Queues[2].Scheduler.Strict = false }, sonic.ValueRefused},
		"a poll as long as the detection":         {func(sw *plan.Switch) { sw.Watchdog.Poll = ms(200) }, ""},
		"a poll that is longer":                   {func(sw *plan.Switch) { sw.Watchdog.Poll = ms(201) }, sonic.ValueRefused},
		"longer than the restoration":             {func(sw *plan.Switch) { sw.Watchdog.Detection, sw.Watchdog.Poll = ms(500), ms(450) }, sonic.ValueRefused},
		"the watchdog alerts":                     {func(sw *plan.Switch) { sw.Watchdog.Action = plan.WatchdogAlert }, ""},
		"the watchdog forwards":                   {func(sw *plan.Switch) { sw.Watchdog.Action = plan.WatchdogForward }, ""},
		"the watchdog sings":                      {func(sw *plan.Switch) { sw.Watchdog.Action = "sing" }, sonic.ValueRefused},
		"load balancing as the switch does":       {func(sw *plan.Switch) { sw.LoadBalancing = "ecmp" }, ""},
	} {
		sw := tor()
		c.change(sw)
		_, found := sonic.Emit(sw)
		switch {
		case c.refused == "" && found.HasErrors():
			t.Errorf("%s: %v", name, found)
		case c.refused != "" && (!found.HasErrors() || found[0].Code != c.refused):
			t.Errorf("%s: found %v, want %s", name, found, c.refused)
		}
	}
}

// A group that has not the number of its priority is told at the class that asks for it, else at
// the switch.
func TestGroupNotPriorityIsToldAtItsClass(t *testing.T) {
	for _, c := range []struct {
		classes []plan.Class
		want    diag.Range
	}{
		{[]plan.Class{{Name: "other", Lossless: true, PFC: 4, Range: line(1)}, {Name: "lossy", PFC: 5, Range: line(2)}, {Name: "rdma", Lossless: true, PFC: 5, Range: line(3)}}, line(3)},
		{nil, line(1)},
	} {
		sw := tor()
		sw.Classes, sw.Range = c.classes, line(1)
		sw.Maps.PFCToPG[5], sw.Maps.TCToPG[5] = 4, 4
		_, found := sonic.Emit(sw)
		if len(found) != 1 || found[0].Code != sonic.PGNotPriority || found[0].Subject != c.want {
			t.Errorf("found %v, want it at line %d", found, c.want.Start.Line)
		}
	}
}
