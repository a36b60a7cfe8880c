package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A hardwareTest is one set-up of SONiC's own QoS tests, as silicon_thresholds.json has
// it: the configuration of a switch, and which packets were seen to pause and to drop.
type hardwareTest struct {
	Chip, Topology string
	SpeedMbps      int64 `json:"speed_mbps"`
	CableM         int64 `json:"cable_m"`
	Config         struct {
		IngressPool *struct {
			Size     int64  `json:"size_bytes"`
			Headroom *int64 `json:"headroom_pool_bytes"`
		} `json:"ingress_pool"`
		LosslessPorts *int64 `json:"lossless_ports"`
		PG            struct {
			Reserved  int64  `json:"reserved_bytes"`
			XOff      *int64 `json:"xoff_bytes"`
			Alpha     int64  `json:"dynamic_th"`
			XOnOffset int64  `json:"xon_offset_bytes"`
		}
		LossyQueue struct {
			Reserved int64 `json:"reserved_bytes"`
		} `json:"lossy_queue"`
	}
	Expect struct {
		Pause  int64 `json:"packets_to_first_pause"`
		Drop   int64 `json:"packets_to_first_ingress_drop"`
		Resume int64 `json:"packets_drained_to_resume"`
	}
}

// configDB writes the set-up as a ConfigDB file: two lossless PGs and five lossy queues
// on each lossless port. Sixteen ports stand for a number that the set-up leaves out:
// only chips whose pool is gross of reserves care.
func (h hardwareTest) configDB() string {
	ports := int64(16)
	if h.Config.LosslessPorts != nil {
		ports = *h.Config.LosslessPorts
	}
	pool := map[string]string{"type": "ingress", "mode": "dynamic", "size": fmt.Sprint(h.Config.IngressPool.Size)}
	if h.Config.IngressPool.Headroom != nil && *h.Config.IngressPool.Headroom > 0 {
		pool["xoff"] = fmt.Sprint(*h.Config.IngressPool.Headroom)
	}
	size := h.Config.PG.Reserved
	if h.Chip == "td2" { // buildimage#5324: size = PG min + PG headroom; 56,368 = 1,248 + 55,120 in Force10-S6000/pg_profile_lookup.ini
		size += *h.Config.PG.XOff
	}
	lossless := map[string]string{"pool": "in", "size": fmt.Sprint(size), "xon": "0",
		"xoff": fmt.Sprint(*h.Config.PG.XOff), "dynamic_th": fmt.Sprint(h.Config.PG.Alpha)}
	if h.Config.PG.XOnOffset > 0 {
		lossless["xon_offset"] = fmt.Sprint(h.Config.PG.XOnOffset)
	}
	db := map[string]map[string]map[string]string{
		"BUFFER_POOL": {"in": pool, "out": {"type": "egress", "mode": "static", "size": "1073741824"}},
		"BUFFER_PROFILE": {"lossless": lossless,
			"lossy_queue":    {"pool": "out", "size": fmt.Sprint(h.Config.LossyQueue.Reserved), "dynamic_th": "0"},
			"lossless_queue": {"pool": "out", "size": "0", "static_th": "1073741824"}},
		"PORT": {}, "BUFFER_PG": {}, "BUFFER_QUEUE": {}, "PORT_QOS_MAP": {},
		"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"3": "3", "4": "4"}}, "TC_TO_QUEUE_MAP": {"AZURE": {"3": "3", "4": "4"}},
		"DSCP_TO_TC_MAP": {"AZURE": {"3": "3", "4": "4"}},
	}
	for i := range ports {
		port := fmt.Sprintf("Ethernet%d", i)
		db["PORT"][port] = map[string]string{"speed": fmt.Sprint(h.SpeedMbps), "lanes": fmt.Sprint(i)}
		db["PORT_QOS_MAP"][port] = map[string]string{"pfc_enable": "3,4", "dscp_to_tc_map": "AZURE", "tc_to_pg_map": "AZURE", "tc_to_queue_map": "AZURE"}
		db["BUFFER_PG"][port+"|3-4"] = map[string]string{"profile": "lossless"}
		db["BUFFER_QUEUE"][port+"|3-4"] = map[string]string{"profile": "lossless_queue"}
		db["BUFFER_QUEUE"][port+"|0-2"] = map[string]string{"profile": "lossy_queue"}
		db["BUFFER_QUEUE"][port+"|5-6"] = map[string]string{"profile": "lossy_queue"}
	}
	text, err := json.Marshal(db)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// ownMargin is what SONiC's tests allow the hardware, in packets: two, or more on some
// platforms. Trident 3 needs it, whose number of active ports is inferred; the other
// set-ups come within one packet.
const ownMargin = 2

// Probing a ConfigDB file tells the packets that hardware told.
func TestProbeAgreesWithHardware(t *testing.T) {
	text, err := os.ReadFile(oracle.Figures(t, "silicon_thresholds.json"))
	check(t, err)
	var tests []hardwareTest
	check(t, json.Unmarshal(text, &tests))
	catalogue, _ := chips.Load()
	probed := 0
	for _, h := range tests {
		chip, known := catalogue.Find(h.Chip)
		if !known || h.Config.IngressPool == nil || h.Config.PG.XOff == nil || chip.Family != chips.XGS {
			continue // without a pool or a headroom there is nothing to configure
		}
		name := fmt.Sprintf("%s %s %dM %dm", h.Chip, h.Topology, h.SpeedMbps, h.CableM)
		var out, told strings.Builder
		path := filepath.Join(t.TempDir(), "config_db.json")
		check(t, os.WriteFile(path, []byte(h.configDB()), 0o666))
		if code := run([]string{"probe", "--json", path, "--chip", h.Chip, "--port", "Ethernet0", "--pg", "3"}, nil, &out, &told, func(string) string { return "" }); code != exitFine {
			t.Errorf("%s: exit code %d: %s", name, code, &told)
			continue
		}
		var got probeAnswer
		check(t, json.Unmarshal([]byte(out.String()), &got))
		probed++
		t.Logf("%s: pause %d of %d, drop %d of %d, resume %d of %d", name, got.FirstPause, h.Expect.Pause, got.FirstDrop, h.Expect.Drop, got.DrainedToResume, h.Expect.Resume)
		for what, pair := range map[string][2]int64{"pause": {got.FirstPause, h.Expect.Pause}, "drop": {got.FirstDrop, h.Expect.Drop}, "resume": {got.DrainedToResume, h.Expect.Resume}} {
			if far := max(pair[0]-pair[1], pair[1]-pair[0]); pair[1] > 0 && far > ownMargin {
				t.Errorf("%s: %s at packet %d, on hardware at %d", name, what, pair[0], pair[1])
			}
		}
	}
	if probed < 15 {
		t.Errorf("%d set-ups were probed, want most of the 27", probed)
	}
}
