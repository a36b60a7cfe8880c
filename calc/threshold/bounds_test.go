package threshold

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The first and the last number of each member of a configuration, and the next to either side, which
// is refused by its path and both bounds; the answer has the words of the refusal.
func TestBoundsOfMembers(t *testing.T) {
	const pool, owned, exponent = int64(1) << 50, int64(1) << 40, int64(8)
	for path, bounds := range map[string][2]int64{
		"cell_bytes": {1, 1 << 20}, "ingress_pool.size_bytes": {0, pool}, "ingress_pool.headroom_pool_bytes": {0, pool}, "lossless_ports": {0, 4096}, "lossless_pgs_per_port": {1, 7},
		"pg.reserved_bytes": {0, owned}, "pg.xoff_bytes": {0, owned}, "pg.dynamic_th": {-exponent, exponent}, "pg.xon_offset_bytes": {0, owned}, "lossy_queues_per_port": {0, 16},
		"lossy_queue.reserved_bytes": {0, owned}, "lossy_queue.dynamic_th": {-exponent, exponent}, "egress_lossy_pool.size_bytes": {0, pool}, "packet_bytes": {1, 1 << 16},
		"expect.equal_pgs.pgs": {1, 4096}, "expect.headroom_pool.pgs": {1, 4096},
	} {
		for _, v := range []int64{bounds[0] - 1, bounds[0], bounds[1], bounds[1] + 1} {
			parts := strings.Split(path, ".")
			value := fmt.Sprint(v)
			for i := len(parts) - 1; i >= 0; i-- {
				value = fmt.Sprintf(`{%q: %s}`, parts[i], value)
			}
			member, at := `"config": `+value, "[0].config."+path
			if parts[0] == "expect" {
				at = "[0]." + path
				member = value[1 : len(value)-1]
			}
			out, problems := Batch([]byte(`[{"chip": "td3", `+member+`}]`), own())
			want := fmt.Sprintf("is %d, want %d to %d", v, bounds[0], bounds[1])
			refused := false
			for _, p := range problems {
				refused = refused || p.Path == at && p.Message == want
			}
			if beyond := v < bounds[0] || v > bounds[1]; refused != beyond {
				t.Errorf("%s of %d: %v", path, v, problems)
			}
			var rows []struct {
				Problems []string `json:"predict_problems"`
			}
			if err := json.Unmarshal(out, &rows); err != nil || len(rows[0].Problems) != len(problems) {
				t.Errorf("%s of %d: %d problems, and the answer has %v (%v)", path, v, len(problems), rows, err)
			}
			if refused && rows[0].Problems[0] != at+": "+want {
				t.Errorf("%v", rows[0].Problems)
			}
		}
	}
}

// How long a packet is counts, as it is accounted too.
func TestPacketBytesAreTaken(t *testing.T) {
	ask := func(more string) string {
		out, problems := Batch([]byte(strings.Replace(small, `"pg":`, more+`"pg":`, 1)), own())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		var rows []struct{ Predict map[string]any }
		if err := json.Unmarshal(out, &rows); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(rows[0].Predict["packets_to_first_pause"])
	}
	// 60 cells of 208 B are 60 packets of a cell, and 30 of two.
	if one, two := ask(""), ask(`"packet_bytes": 209, `); one != "60" || two != "30" {
		t.Errorf("%s, %s", one, two)
	}
}
