package sonic_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/sonic"
	"github.com/roceplan/roceplan/units"
)

// sample is a ConfigDB that roceplan did not write.
func sample(t testing.TB) []byte {
	src := must.Get(os.ReadFile(oracle.Data(t, "roce_sample_config_db.json")))(t)
	return src
}

// sampleQoS returns the QoS that a person reads in the sample: PGs 3 and 4 lossless, queues 3 and 4
// marked, weights 10 except for queues 3 and 6.
func sampleQoS() *plan.PortQoS {
	const pool, pgLimit, lossless = "ingress_lossless_pool", 167546528, 167546528
	zero := of(plan.Limit{Dynamic: true})
	headroom := func(id uint8) plan.PG {
		return plan.PG{ID: id, Pool: pool, Lossless: true, Reserved: of(units.Bytes(18796)), Limit: zero,
			XOnOffset: of(units.Bytes(3556)), Headroom: of(units.Bytes(612140))}
	}
	qos := &plan.PortQoS{PFC: 1<<3 | 1<<4, Watchdog: true, PGs: []plan.PG{
		{ID: 0, Pool: pool, Limit: of(plan.Limit{Static: pgLimit})}, headroom(3), headroom(4),
	}}
	for id := range uint8(8) {
		q := plan.Queue{ID: id, Pool: "egress_lossless_pool", Reserved: of(units.Bytes(1778)), Limit: zero, Scheduler: plan.Scheduler{Weight: of(int64(10))}}
		switch id {
		case 3, 4:
			q.Reserved, q.Limit = of(units.Bytes(0)), of(plan.Limit{Static: lossless})
			q.ECN = &plan.ECN{KMin: of(units.Bytes(131072)), KMax: of(units.Bytes(262144)), PMax: of(5 * units.Percent)}
		case 7: // has a scheduler and no buffer
			q.Pool, q.Reserved, q.Limit = "", of(units.Bytes(0)), of(plan.Limit{})
		}
		switch id {
		case 3:
			q.Scheduler.Weight = of(int64(20))
		case 6:
			q.Scheduler.Weight = of(int64(70))
		}
		qos.Queues = append(qos.Queues, q)
	}
	return qos
}

func TestSample(t *testing.T) {
	src := sample(t)
	sw, found := readtest.Switch(sonic.Format(), file, src)
	if len(found) > 0 {
		t.Errorf("a valid file is faulted:\n%s", show(t, src, found))
	}
	want := &plan.Switch{
		Names: []string{"tor1"}, OS: "sonic", Role: "leaf", HwSKU: "Arista-7060X6-64PE-O128S2", Platform: "x86_64-arista_7060x6_64pe",
		BufferModel: plan.Traditional,
		MTU:         of(units.Bytes(9122)),
		Pools: []plan.Pool{
			{Name: "egress_lossless_pool", Direction: plan.Egress, Dynamic: true, Size: of(units.Bytes(166115492))},
			{Name: "ingress_lossless_pool", Dynamic: true, Size: of(units.Bytes(166115492)), Headroom: of(units.Bytes(29423360))},
		},
		Watchdog: &plan.Watchdog{Detection: of(200 * units.Millisecond), Restoration: of(200 * units.Millisecond), Poll: of(200 * units.Millisecond), Action: plan.WatchdogDrop},
	}
	for i := range uint8(8) {
		want.Maps.TCToQueue[i], want.Maps.PFCToQueue[i], want.Maps.PFCToPG[i] = i, i, i
	}
	want.Maps.TCToPG = [8]uint8{3: 3, 4: 4, 7: 7}
	want.Maps.DSCPToTC = [64]uint8{3: 3, 4: 4, 44: 6, 46: 5, 47: 1}
	qos := sampleQoS()
	for i, lanes := range [][]int{{17, 18, 19, 20}, {21, 22, 23, 24}, {1, 2, 3, 4}, {5, 6, 7, 8}} {
		want.Ports = append(want.Ports, plan.Port{
			Name: []string{"Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12"}[i], Alias: []string{"etp1a", "etp1b", "etp2a", "etp2b"}[i],
			Index: i/2 + 1, Numbered: true, Lanes: lanes, Speed: 400 * units.Gbps, Cable: 5 * units.Metre, MTU: 9122, QoS: qos,
		})
	}
	want.Classes = []plan.Class{
		{TrafficClass: 0, Queue: 0, PG: 0}, {TrafficClass: 1, Queue: 1, DSCPs: []uint8{47}},
		{TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, DSCPs: []uint8{3}, Lossless: true}, {TrafficClass: 4, Queue: 4, PG: 4, PFC: 4, DSCPs: []uint8{4}, Lossless: true},
		{TrafficClass: 5, Queue: 5, DSCPs: []uint8{46}}, {TrafficClass: 6, Queue: 6, DSCPs: []uint8{44}},
	}
	for dscp, tc := range want.Maps.DSCPToTC {
		if tc == 0 {
			want.Classes[0].DSCPs = append(want.Classes[0].DSCPs, uint8(dscp))
		}
	}
	must.NoDiffIn(t, cmp.Diff(want, sw, saysTheSame), "read differs (-meant +read):")
	again, found := readtest.Switch(sonic.Format(), file, render(t, sw))
	if diff := cmp.Diff(sw, again, saysTheSame); diff != "" || len(found) > 0 {
		t.Errorf("emitted and read again, it differs (-read +again): %v\n%s", found, diff)
	}
	if sw.Ports[0].QoS != sw.Ports[3].QoS {
		t.Error("ports of which the file says the same do not share what they are told")
	}
}

// A value knows the characters that it was read from.
func TestPlaces(t *testing.T) {
	src := sample(t)
	sw, _ := readtest.Switch(sonic.Format(), file, src)
	pg := sw.Ports[0].QoS.PGs[1]
	for want, at := range map[string]diag.Range{
		`"612140"`: pg.Headroom.Why.Range, `"18796"`: pg.Reserved.Why.Range, `"29423360"`: sw.Pools[1].Headroom.Why.Range,
		`"262144"`: sw.Ports[0].QoS.Queues[3].ECN.KMax.Why.Range, `"Ethernet4"`: sw.Ports[1].Range, `"tor1"`: sw.Range,
	} {
		must.Equalf(t, string(src[at.Start.Byte:at.End.Byte]), want, "the range %s holds", at)
		lines := strings.Split(string(src), "\n")
		must.Equalf(t, lines[at.Start.Line-1][at.Start.Column-1:at.End.Column-1], want, "line and column of %s hold", at)
	}
	if pg.Headroom.Why.Kind != plan.ReadBack || pg.Headroom.Why.Value.String() != "612140B" {
		t.Errorf("headroom's reason is %v %v", pg.Headroom.Why.Kind, pg.Headroom.Why.Value)
	}
}

// Columns count what a person sees, bytes what a program reads.
func TestColumns(t *testing.T) {
	src := []byte("{\"PORT\": {\"é\u0301x\": {\"alias\": \"日本\", \"index\": \"x\"}}}")
	_, found := readtest.Switch(sonic.Format(), file, src)
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	at := found[0].Subject
	if got := string(src[at.Start.Byte:at.End.Byte]); got != `"x"` || at.Start.Column != 42 {
		t.Errorf("column %d holds %s", at.Start.Column, got)
	}
}

// The same file in the spelling of old releases, as an overlay, or with other rows
// around it, says the same.
func TestSpellings(t *testing.T) {
	src := string(sample(t))
	plain, _ := readtest.Switch(sonic.Format(), file, []byte(src))
	old := strings.NewReplacer(
		`"profile": "ingress_lossy_profile"`, `"profile": "[BUFFER_PROFILE|ingress_lossy_profile]"`,
		`"profile": "pg_lossless_400000_40m_profile"`, `"profile": "[BUFFER_PROFILE|pg_lossless_400000_40m_profile]"`,
		`"pool": "ingress_lossless_pool"`, `"pool": "[BUFFER_POOL|ingress_lossless_pool]"`,
		`"scheduler": "SCHEDULER_Q3"`, `"scheduler": "[SCHEDULER|SCHEDULER_Q3]"`,
		`"wred_profile": "WRED_LOSSLESS_Q3"`, `"wred_profile": "[WRED_PROFILE|WRED_LOSSLESS_Q3]"`,
		`"dscp_to_tc_map": "AZURE"`, `"dscp_to_tc_map": "[DSCP_TO_TC_MAP|AZURE]"`,
	).Replace(src)
	if old == src {
		t.Fatal("nothing was replaced")
	}
	global := strings.ReplaceAll(src, "  \"Ethernet0\": {\n   \"dscp_to_tc_map\": \"AZURE\",\n", "  \"Ethernet0\": {\n")
	if global == src {
		t.Fatal("nothing was replaced")
	}
	foreign := strings.Replace(src, `"PORT": {`, `"VLAN": {"Vlan7": {"vlanid": "7", "members": ["Ethernet0", {"a": [1, true, null, -2.5e3]}]}}, "PORT": {`, 1)
	crlf := strings.ReplaceAll(src, "\n", "\r\n")
	for name, text := range map[string]string{"old references": old, "global map": global, "foreign table": foreign, "CRLF": crlf} {
		sw, found := readtest.Switch(sonic.Format(), file, []byte(text))
		if len(found) > 0 {
			t.Errorf("%s:\n%s", name, show(t, []byte(text), found))
		}
		must.NoDiffIn(t, cmp.Diff(plain, sw, saysTheSame), "%s (-plain +read):", name)
	}
}

// An overlay of a few tables is read for what it says.
func TestOverlay(t *testing.T) {
	src := []byte(`{"BUFFER_PG": {"Ethernet0,Ethernet4|3-4": {"profile": "x"}}, "QUEUE": {"Ethernet4|3": {"scheduler": "s", "wred_profile": "w"}},
		"WRED_PROFILE": {"w": {"ecn": "ecn_all", "wred_green_enable": "true", "green_min_threshold": "1", "green_max_threshold": "2"}},
		"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4", "dscp_to_tc_map": "AZURE"}}}`)
	sw, found := readtest.Switch(sonic.Format(), file, src)
	if len(found) > 0 {
		t.Errorf("an overlay is faulted:\n%s", show(t, src, found))
	}
	if len(sw.Ports) != 2 || sw.Ports[1].Name != "Ethernet4" || len(sw.Ports[1].QoS.PGs) != 2 || sw.Ports[0].QoS.PFC != 0x18 ||
		sw.Ports[1].QoS.Queues[0].ECN.KMax.Value != 2 {
		t.Errorf("read %+v", sw)
	}
}

// Profiles without pools are read too: the pools are in the file below the overlay.
func TestProfileOverlay(t *testing.T) {
	src := []byte(`{"BUFFER_PROFILE": {"p": {"pool": "[BUFFER_POOL|ingress_lossless_pool]", "size": "5", "xoff": "7", "xon": "1", "dynamic_th": "-1"}},
		"BUFFER_PG": {"Ethernet0|3": {"profile": "p"}}}`)
	sw, found := readtest.Switch(sonic.Format(), file, src)
	if len(found) > 0 {
		t.Fatalf("an overlay is faulted:\n%s", show(t, src, found))
	}
	want := []plan.PG{{ID: 3, Pool: "ingress_lossless_pool", Lossless: true, Reserved: of(units.Bytes(5)),
		Limit: of(plan.Limit{Dynamic: true, Alpha: -1}), XOn: of(units.Bytes(1)), Headroom: of(units.Bytes(7))}}
	must.NoDiffIn(t, cmp.Diff(want, sw.Ports[0].QoS.PGs, saysTheSame), "read differs (-meant +read):")
	if sw.Names[0] != file || sw.BufferModel != plan.Traditional {
		t.Errorf("the switch is %q with the buffer model %q", sw.Names[0], sw.BufferModel)
	}
}

// A chassis puts device and chip before the port.
func TestChassisKeys(t *testing.T) {
	src := []byte(`{"BUFFER_QUEUE": {"lc1|Asic0|Ethernet0|0-2": {"profile": "q"}}}`)
	sw, found := readtest.Switch(sonic.Format(), file, src)
	if len(found) > 0 || len(sw.Ports) != 1 || sw.Ports[0].Name != "Ethernet0" || len(sw.Ports[0].QoS.Queues) != 3 {
		t.Errorf("read %+v, found %v", sw, found)
	}
}

// nvidia is a ConfigDB in the dynamic model with the forms that NVIDIA's templates and
// SONiC's command line write (sonic-buildimage device/mellanox; SONiC
// doc/qos/dynamically-headroom-calculation.md): the switch computes PG 3, PG 4 has an
// alpha of its own, PG 5 a headroom of its own.
const nvidia = `{
  "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "buffer_model": "dynamic", "type": "LeafRouter"}},
  "PORT": {"Ethernet0": {"lanes": "0,1,2,3", "speed": "400000", "mtu": "9100", "admin_status": "up"}},
  "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m"}},
  "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"AZURE": {"default_dynamic_th": "0", "over_subscribe_ratio": "2"}},
  "LOSSLESS_TRAFFIC_PATTERN": {"AZURE": {"mtu": "1024", "small_packet_percentage": "100"}},
  "BUFFER_POOL": {
    "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic"},
    "egress_lossless_pool": {"type": "egress", "mode": "dynamic", "size": "60817392"}
  },
  "BUFFER_PROFILE": {
    "ingress_lossless_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "7"},
    "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"},
    "alpha": {"pool": "ingress_lossless_pool", "dynamic_th": "-2", "headroom_type": "dynamic"},
    "headroom": {"pool": "ingress_lossless_pool", "dynamic_th": "0", "xon": "19456", "xoff": "300000", "size": "19456"}
  },
  "BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "ingress_lossless_profile"}},
  "BUFFER_PORT_EGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "egress_lossless_profile"}},
  "BUFFER_PG": {"Ethernet0|3": {"profile": "NULL"}, "Ethernet0|4": {"profile": "alpha"}, "Ethernet0|5": {"profile": "headroom"}},
  "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"AZURE": {"3": "3", "4": "4", "5": "5"}},
  "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4,5", "pfc_to_pg_map": "AZURE"}}
}`

func TestDynamic(t *testing.T) {
	sw, found := readtest.Switch(sonic.Format(), file, []byte(nvidia))
	if len(found) > 0 {
		t.Errorf("a valid file is faulted:\n%s", show(t, []byte(nvidia), found))
	}
	calculator := &plan.Calculator{
		DefaultAlpha: of(units.Alpha(0)), Oversubscribe: of(int64(2)),
		LosslessFrame: of(units.Bytes(1024)), SmallPackets: of(100 * units.Percent),
	}
	alpha := func(a units.Alpha) plan.Derived[plan.Limit] { return of(plan.Limit{Dynamic: true, Alpha: a}) }
	qos := &plan.PortQoS{
		PFC: 0x38,
		PGs: []plan.PG{
			{ID: 3, Pool: "ingress_lossless_pool", Lossless: true, Limit: alpha(0)},
			{ID: 4, Pool: "ingress_lossless_pool", Lossless: true, Limit: alpha(-2)},
			{ID: 5, Pool: "ingress_lossless_pool", Lossless: true, Limit: alpha(0), Override: true,
				Reserved: of(units.Bytes(19456)), XOn: of(units.Bytes(19456)), Headroom: of(units.Bytes(300000))},
		},
		Pools: []plan.PortPool{{Pool: "egress_lossless_pool", Limit: alpha(7)}, {Pool: "ingress_lossless_pool", Limit: alpha(7)}},
	}
	must.NoDiffIn(t, cmp.Diff(calculator, sw.Calculator, saysTheSame), "the calculator's inputs differ (-meant +read):")
	must.NoDiffIn(t, cmp.Diff(qos, sw.Ports[0].QoS, saysTheSame), "the port differs (-meant +read):")
}

func BenchmarkRead64Ports(b *testing.B) {
	sw, _ := readtest.Switch(sonic.Format(), file, sample(b))
	for i := len(sw.Ports); i < 64; i++ {
		p := sw.Ports[i%4]
		p.Name = fmt.Sprintf("Ethernet%d", 4*i)
		sw.Ports = append(sw.Ports, p)
	}
	src := render(b, sw)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, found := readtest.Switch(sonic.Format(), file, src); found.HasErrors() {
			b.Fatal(found)
		}
	}
}
