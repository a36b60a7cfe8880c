package pool_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/units"
)

// A bad element says why, keeps its members in their order and stops no other.
func TestBatchBadElements(t *testing.T) {
	const profiles = `"profiles": {"ingress_lossy_profile": 0, "egress_lossless_profile": 0, "egress_lossy_profile": 9216, "q_lossy_profile": 0}`
	const good = `{"asic": "spectrum-3", ` + profiles + `, "over_subscribe_ratio": 2, "port_groups": [{"ports": 4, "lanes": 4, "lossless_pgs": 2, "xon_bytes": 19456, "xoff_bytes": 51200, "size_bytes": 19456}]}`
	for element, reason := range map[string]string{
		`{"z": 1, "asic": "th5"}`: "not of the Spectrum family",
		`{"z": 1, "asic": "x"}`:   `no chip \"x\"`,
		`{"z": 1}`:                "asic is missing",
		`7`:                       "must be a JSON object",
		`{"z": 1, "asic": 7}`:     "cannot unmarshal",
		`{"z": 1, "asic": "spc3", "mmu_bytes": 1000, "port_groups": [], ` + profiles + `}`:                                   "nothing is left",
		`{"z": 1, "asic": "spc3", "mmu_bytes": -1}`:                                                                          "between 1 and",
		`{"z": 1, "asic": "spc3", "port_groups": [{"ports": 99999999999, "lanes": 1, "lossless_pgs": 0}], ` + profiles + `}`: "ports is 99999999999",
		`{"z": 1, "asic": "spc3", "over_subscribe_ratio": -2, "port_groups": [], ` + profiles + `}`:                          "over_subscribe_ratio",
	} {
		var out bytes.Buffer
		bad, err := pool.Batch(strings.NewReader("["+good+","+element+"]"), &out, catalogue(t))
		var answers []map[string]json.RawMessage
		if err != nil || bad != 1 || json.Unmarshal(out.Bytes(), &answers) != nil || len(answers) != 2 {
			t.Fatalf("%s: %d bad, %v\n%s", element, bad, err, out.String())
		}
		if answers[0]["predicted_pools"] == nil || !strings.Contains(string(answers[1]["error"]), reason) {
			t.Errorf("%s: want the reason %q in\n%s", element, reason, out.String())
		}
	}
	if _, err := pool.Batch(strings.NewReader(`{"asic": "spc3"}`), new(bytes.Buffer), catalogue(t)); err == nil {
		t.Error("an object is not a list")
	}
}

// Over-subscription without a shortfall, and a shortfall without over-subscription,
// both get the calculator's 640 KiB; a configured pool wins.
func TestSharedHeadroomPool(t *testing.T) {
	group := pool.SpectrumGroup{Ports: 8, Lanes: 4, Up: true, LosslessPGs: 2, XOn: 19456, XOff: 51200, Size: 70656}
	in := pool.SpectrumInput{Chip: pool.SpectrumChip{MMU: 60 * units.MB, Cell: 144, Latency: 19 * units.KiB, PrivateHeadroom: 10 * units.KiB}}
	for _, c := range []struct {
		size, configured units.Bytes
		ratio            int64
		want             units.Bytes
		forced           bool
	}{
		{70656, 0, 0, 0, false},
		{70656, 0, 4, 640 * units.KiB, false},
		{19456, 0, 4, (16*51200 - 8*10*units.KiB) / 4, false},
		{19456, 0, 0, 640 * units.KiB, true},
		{19456, 1_000_000, 4, 1_000_000, false},
	} {
		group.Size, in.OverSubscribe, in.HeadroomPool = c.size, c.ratio, c.configured
		in.Groups = []pool.SpectrumGroup{group}
		got, err := pool.Spectrum(&in)
		if err != nil || got.HeadroomPool != c.want || got.ForcedHeadroom != c.forced {
			t.Errorf("%+v: pool %d, forced %v, %v", c, got.HeadroomPool, got.ForcedHeadroom, err)
		}
	}
}
