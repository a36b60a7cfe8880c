package threshold

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// small is a set-up whose figures can be counted by hand: 4 slices of 100 shared cells.
const small = `[
 {"chip": "th2", "note": "kept",
  "config": {"ingress_pool": {"size_bytes": 83200, "headroom_pool_bytes": 83200},
   "pg": {"reserved_bytes": 2080, "xoff_bytes": 4160, "dynamic_th": 0, "xon_offset_bytes": 1040},
   "lossy_queue": {"reserved_bytes": 416, "dynamic_th": -1}},
  "expect": {"packets_drained_to_resume": null, "packets_to_first_pause": null, "packets_to_first_ingress_drop": 7,
   "packets_to_first_lossy_egress_drop": null, "packets_from_pause_to_drop": null,
   "equal_pgs": {"pgs": 4, "packets_to_first_pause_each": null},
   "headroom_pool": {"pgs": 6, "full_packets": null, "last_pg_packets": null},
   "pgs_filled_one_after_another": [null, null, null]}}
]`

func TestBatchByHand(t *testing.T) {
	out, problems := Batch([]byte(small), own())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var rows []struct {
		Note    string
		Predict json.RawMessage
	}
	must.Do(t, json.Unmarshal(out, &rows))
	// 10 reserved and half of 100; 20 of headroom; 5 drained. Four PGs: a fifth of 100 each,
	// less the one that is missing when the first has to look ahead. Headroom 100 = 5 full
	// PGs, nothing for the sixth. Lossy: 2 reserved and a third of 100, dropped with the next.
	want := `{"packets_drained_to_resume":5,"packets_to_first_pause":60,"packets_to_first_ingress_drop":81,` +
		`"packets_to_first_lossy_egress_drop":36,"packets_from_pause_to_drop":21,` +
		`"equal_pgs":{"pgs":4,"packets_to_first_pause_each":29},` +
		`"headroom_pool":{"pgs":6,"full_packets":20,"last_pg_packets":0},` +
		`"pgs_filled_one_after_another":[60,35,22]}`
	if diff := cmp.Diff(want, compact(t, rows[0].Predict)); diff != "" || rows[0].Note != "kept" {
		t.Error(diff)
	}
	again, _ := Batch(out, own())
	must.NoDiffIn(t, cmp.Diff(string(out), string(again)), "answering an answered list changes it: ")
}

func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var v strings.Builder
	for line := range strings.Lines(string(raw)) {
		v.WriteString(strings.ReplaceAll(strings.TrimSpace(line), ": ", ":"))
	}
	return v.String()
}

func TestBatchProblems(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"empty", ``, []string{"1:1: not JSON: the document ends too early"}},
		{"cut", "[{\"chip\": \"th5\",\n \"config\"", []string{"2:10: not JSON: the document ends too early"}},
		{"not JSON", "[\n {\"chip\" \"th5\"}]", []string{"2:10: not JSON: "}},
		{"two documents", "[] []", []string{"1:4: something follows"}},
		{"no list", `{"chip": "th5"}`, []string{"1:1: want a list of set-ups, found {"}},
		{"no object", `[3]`, []string{"1:2: [0]: want an object, found 3"}},
		{"no chip", `[{"expect": {}}]`, []string{"1:2: [0]: has no chip"}},
		{"unknown chip", "[{\n\"chip\": \"th9\"}]", []string{`2:9: [0].chip: there is no chip "th9" in the catalogue; there are jericho2, `}},
		{"chip is a number", `[{"chip": 5}]`, []string{`1:11: [0].chip: there is no chip ""`}},
		{"unknown field", `[{"chip": "th5", "config": {"pg": {"xof_bytes": 3}}}]`, []string{`1:36: [0].config.pg: unknown field "xof_bytes"`}},
		{"twice", `[{"chip": "th5", "config": {"packet_bytes": 64, "packet_bytes": 65}}]`, []string{`1:49: [0].config: field "packet_bytes" is there twice`}},
		{"fraction", `[{"chip": "th5", "config": {"packet_bytes": 64.5}}]`, []string{"1:45: [0].config.packet_bytes: want a whole number, found 64.5"}},
		{"text", `[{"chip": "th5", "config": {"lossless_ports": "3"}}]`, []string{`want a whole number, found "3"`}},
		{"range", `[{"chip": "th5", "config": {"pg": {"dynamic_th": 9}}}]`, []string{"1:50: [0].config.pg.dynamic_th: is 9, want -8 to 8"}},
		{"huge", `[{"chip": "th5", "config": {"ingress_pool": {"size_bytes": 99999999999999999999}}}]`, []string{"want a whole number, found 99999999999999999999"}},
		{"expect is a number", `[{"chip": "th5", "expect": 5}]`, []string{"1:28: [0].expect: want an object, found 5"}},
		{"unknown figure", `[{"chip": "th5", "expect": {"packets": null}}]`, []string{"1:29: [0].expect.packets: unknown figure"}},
		{"missing input", `[{"chip": "th5", "expect": {"packets_to_first_pause": null}}]`, []string{"[0].expect.packets_to_first_pause: needs pg.reserved_bytes"}},
		{"missing count", `[{"chip": "th5", "expect": {"equal_pgs": {"packets_to_first_pause_each": null}}}]`, []string{"[0].expect.equal_pgs: needs pgs"}},
		{"empty list", `[{"chip": "th5", "expect": {"pgs_filled_one_after_another": []}}]`, []string{"want a list of 1 to 4096 figures"}},
		{"ports", `[{"chip": "th5", "config": {"ingress_pool": {"size_bytes": 1000000}, "pg": {"reserved_bytes": 254, "dynamic_th": 0}},
			"expect": {"packets_to_first_pause": null}}]`, []string{"needs lossless_ports, lossy_queues_per_port, pg.xoff_bytes: on this chip"}},
		{"pool too small", `[{"chip": "th6", "config": {"ingress_pool": {"size_bytes": 4200, "headroom_pool_bytes": 8400}, "pg": {"reserved_bytes": 0, "dynamic_th": 0}},
			"expect": {"packets_to_first_pause": null}}]`, []string{"the ingress pool of 4200 B has 10 cells, but headroom and reserves take 20: 10 too many"}},
		{"too long to run", `[{"chip": "th6", "config": {"ingress_pool": {"size_bytes": 1000000000000000, "headroom_pool_bytes": 8400}, "pg": {"reserved_bytes": 0, "dynamic_th": 0}},
			"expect": {"packets_to_first_pause": null}}]`, []string{"the model is run for at most 67108864"}},
		{"accounted", `[{"chip": "jr2", "config": {"packet_bytes": 64, "bytes_accounted_per_packet": 60}}]`, []string{"a packet of 64 B is accounted as 60 B"}},
		{"all at once", `[{"chip": "no"}, {"chip": "th5", "config": {"a": 1, "b": 2}}]`,
			[]string{`[0].chip: there is no chip`, `[1].config: unknown field "a"`, `[1].config: unknown field "b"`}},
		{"deep", strings.Repeat("[", 100000), []string{"nested more than 32 deep"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, problems := Batch([]byte(test.text), own())
			if len(problems) != len(test.want) {
				t.Fatalf("got %v\nwant %d: %q", problems, len(test.want), test.want)
			}
			for i, want := range test.want {
				if got := problems[i].Error(); !strings.Contains(got, want) {
					t.Errorf("got %s\nwant %s", got, want)
				}
			}
			if out != nil && !json.Valid(out) {
				t.Errorf("the result is not JSON: %s", out)
			}
		})
	}
}

func FuzzBatch(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`[{"chip":"j2c+","config":{"pg":{"xoff_bytes":393216}},"expect":{"packets_from_pause_to_drop":null}}]`))
	f.Add([]byte(`[{"chip":"td2","expect":[1,{"a":null}]},null,"x"]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<12 {
			return
		}
		out, problems := Batch(text, own())
		if out == nil && len(problems) == 0 {
			t.Error("no result and no reason")
		}
		if out != nil && !json.Valid(out) {
			t.Errorf("not JSON: %s", out)
		}
	})
}

func BenchmarkBatch(b *testing.B) {
	text := must.Get(os.ReadFile("testdata/fresh.json"))(b)
	for range b.N {
		Batch(text, own())
	}
}
