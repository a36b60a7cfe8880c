package patch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Texts of ConfigDB as numbers and sets, at the ends of their ranges and one beyond.
func TestTexts(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "0": 0, "40m": 40, " 7 ": 7, "-3": -3, "4k": 0, "9223372036854775808": 0} {
		must.Equalf(t, number(text), want, "number(%q) =", text)
	}
	// Priorities are three bits: 7 is the last.
	for text, want := range map[string]uint8{"": 0, "0": 1, "7": 128, "8": 0, "3,4": 1<<3 | 1<<4, " 3 , 8,x": 1 << 3} {
		must.Equalf(t, priorities(text), want, "priorities(%q) =", text)
	}
	for set, want := range map[uint8]string{0: "", 1: "0", 128: "7", 1<<3 | 1<<4: "3,4"} {
		must.Equalf(t, listed(set), want, "listed(%b) =", set)
	}
	for key, want := range map[string]struct {
		port string
		set  uint16
	}{
		"Ethernet0|3": {"Ethernet0", 1 << 3}, "Ethernet0|3-4": {"Ethernet0", 1<<3 | 1<<4}, "Ethernet0|0-15": {"Ethernet0", 1<<16 - 1},
		"Ethernet0|4-3": {"Ethernet0", 0}, "Ethernet0|16": {"Ethernet0", 0}, "Ethernet0|3-16": {"Ethernet0", 0}, "Ethernet0|x": {"Ethernet0", 0},
		"line|asic0|Ethernet0|2": {"line|asic0|Ethernet0", 1 << 2}, "Ethernet0": {"", 0}, "|1": {"", 1 << 1},
	} {
		if port, set := indices(key); port != want.port || set != want.set {
			t.Errorf("indices(%q) = %q, %b, want %q, %b", key, port, set, want.port, want.set)
		}
	}
	for name, want := range map[string]string{"near": "near", "[BUFFER_PROFILE|near]": "near", "[BUFFER_PROFILE|a|b]": "a|b", "[none]": "", "": ""} {
		must.Equalf(t, plain(name), want, "plain(%q) =", name)
	}
	// RFC 6901, section 3: "~" is "~0" and "/" is "~1", and "~01" is "~1" again.
	for _, key := range []string{"a", "a/b", "a~b", "~1", "~0", ""} {
		if got := keysOf(pointer("T", key)); !slices.Equal(got, []string{"T", key}) {
			t.Errorf("%q comes back as %q", key, got)
		}
	}
	must.Equalf(t, pointer("T", "a/b~c"), "/T/a~1b~0c", "pointer:")
}

// Two values are one only if both are texts or both are lists.
func TestValues(t *testing.T) {
	values := []Value{{Text: "a"}, {Text: "b"}, {Text: ""}, {List: []string{}}, {List: []string{"a"}}, {List: []string{"b"}}, {List: []string{"a", "b"}}}
	for i, v := range values {
		for j, w := range values {
			must.Equalf(t, v.equal(w), i == j, "%v and %v:", v, w)
		}
	}
	for text, want := range map[string]Value{
		`"a"`: {Text: "a"}, `["a","b"]`: {List: []string{"a", "b"}}, `100`: {Text: "100"}, `null`: {Text: "null"}, `[1]`: {Text: "[1]"}, `{"a":1}`: {Text: `{"a":1}`},
	} {
		if got := value([]byte(text)); !got.equal(want) {
			t.Errorf("%s is %#v, want %#v", text, got, want)
		}
	}
	for _, c := range []struct {
		v    Value
		want string
	}{{Value{Text: `a"b`}, `"a\"b"`}, {Value{List: []string{"a", "b"}}, `["a","b"]`}, {Value{List: []string{}}, `[]`}} {
		if got, err := c.v.MarshalJSON(); err != nil || string(got) != c.want {
			t.Errorf("%v: %s, %v; want %s", c.v, got, err, c.want)
		}
	}
	if got := (Value{Text: "a,b"}).names(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("names of a text: %v", got)
	}
	if got := (Value{List: []string{"a", "b"}, Text: "c"}).names(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("names of a list: %v", got)
	}
}

// What is no ConfigDB is refused at the place where it stops being one.
func TestNoConfigDB(t *testing.T) {
	for _, c := range []struct {
		src          string
		message      string
		line, column int
	}{
		{`[]`, "an object is expected, not [", 1, 1},
		{"{\n \"T\": []}", "an object is expected, not [", 2, 7},
		{`{"T": {"r": "x"}}`, "an object is expected, not x", 1, 15},
		{`{"T": {"r": 5}}`, "an object is expected, not 5", 1, 13},
		{`{"T": {"r": {"f": }}}`, "invalid character '}'", 1, 19},
		{`{"T" 5}`, "invalid character '5'", 1, 6},
		{"{\"T\": [],\n \"U\": }", "an object is expected, not [", 1, 7}, // where this stops, not where the next fault is
		{`{} x`, "something follows", 1, 4},
		{``, "EOF", 1, 1},
	} {
		r, found := Read("running.json", []byte(c.src))
		if r != nil || len(found) != 1 {
			t.Errorf("%s: %v", c.src, found)
			continue
		}
		at := found[0].Subject.Start
		if !strings.Contains(found[0].Message, c.message) || found[0].Subject.Filename != "running.json" {
			t.Errorf("%s: %q in %s, want %q", c.src, found[0].Message, found[0].Subject.Filename, c.message)
		}
		if at.Line != c.line || at.Column != c.column {
			t.Errorf("%s: line %d, column %d, want %d, %d", c.src, at.Line, at.Column, c.line, c.column)
		}
	}
	large := append([]byte(`{"T": {}}`), make([]byte, maxSize-9)...)
	for i := 9; i < len(large); i++ {
		large[i] = ' '
	}
	if r, found := Read("x", large); r == nil {
		t.Errorf("of %d bytes, which is allowed: %v", len(large), found)
	}
	if r, found := Read("x", append(large, ' ')); r != nil || !strings.Contains(found[0].Message, "16777217 bytes, and a ConfigDB at most 16777216") {
		t.Errorf("one byte more: %v", found)
	}
}

// A finding points at the field, or else at the row, the table, the beginning.
func TestPlaces(t *testing.T) {
	src := "{\n \"T\": {\n  \"é\": {\"f\": \"1\"}}}"
	r, _ := Read("running.json", []byte(src))
	for _, c := range []struct{ table, row, field, want string }{
		{"T", "é", "f", `"f"`}, {"T", "é", "none", `"é"`}, {"T", "none", "f", `"T"`}, {"none", "é", "f", "{"},
	} {
		at := r.in(c.table, c.row, c.field)
		if got := src[at.Start.Byte:at.End.Byte]; got != c.want || at.Filename != "running.json" {
			t.Errorf("%v points at %q", c, got)
		}
	}
	// Columns count characters: two blanks and three characters stand before the colon.
	if at := r.in("T", "é", ""); at.Start.Line != 3 || at.Start.Column != 3 || at.End.Column != 6 {
		t.Errorf("the row: %v", at)
	}
	if at := r.at(-5, len(src)+9); at.Start.Byte != 0 || at.End.Byte != len(src) {
		t.Errorf("beyond both ends: %v", at)
	}
	if at := r.at(4, 2); at.Start.Byte != 4 || at.End.Byte != 4 {
		t.Errorf("backwards: %v", at)
	}
}

// A review reads one operation in a line.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		ops  []Operation
		want string
	}{
		{nil, "[]\n"},
		{[]Operation{{Op: "remove", Path: "/T"}}, "[\n  {\"op\":\"remove\",\"path\":\"/T\"}\n]\n"},
		{
			[]Operation{{Op: "remove", Path: "/T"}, {"add", "/U", Value{Text: "1"}}},
			"[\n  {\"op\":\"remove\",\"path\":\"/T\"},\n  {\"op\":\"add\",\"path\":\"/U\",\"value\":\"1\"}\n]\n",
		},
	} {
		must.Equalf(t, string(Lines(c.ops)), c.want, "%v:", c.ops)
	}
	// 381 s for 32 operations: 11.90625 s each.
	for n, want := range map[int]units.Time{0: 0, 1: 11_906_250 * units.Microsecond, 32: 381 * units.Second, 64: 762 * units.Second} {
		must.Equalf(t, Duration(n), want, "%d operations:", n)
	}
}

// The files of a patch, in the order of their steps; none where nothing changes.
func TestFiles(t *testing.T) {
	paths := func(p *Patch) (all []string) {
		for _, f := range p.Files() {
			all = append(all, f.Path)
		}
		return all
	}
	steps := []Step{{Title: "PFC off"}, {Title: "bind profiles"}}
	for _, c := range []struct {
		p    Patch
		want []string
	}{
		{Patch{}, nil},
		{Patch{Steps: steps}, []string{"01-PFC-off.json", "undo/01-PFC-off.json", "02-bind-profiles.json", "undo/02-bind-profiles.json", "apply.sh"}},
		{Patch{Steps: []Step{{Title: "shrink pools", Past: true, Operations: []Operation{{"replace", "/BUFFER_POOL/p/size", Value{Text: "1"}}}}}}, []string{"01-shrink-pools.sh", "load/01-shrink-pools.json", "undo/01-shrink-pools.sh", "apply.sh"}},
	} {
		if got := paths(&c.p); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// A release between two known ones is judged by both, one outside by the nearest.
func TestJudges(t *testing.T) {
	if want := []string{"202405", "202505", "202511", "202605"}; !slices.Equal(Releases(), want) {
		t.Fatalf("releases: %v", Releases())
	}
	for release, want := range map[string][]string{
		"": {"202405", "202505", "202511", "202605"}, "202311": {"202405"}, "202405": {"202405"}, "202411": {"202405", "202505"}, "202505": {"202505"},
		"202506": {"202505", "202511"}, "202605": {"202605"}, "202611": {"202605"},
	} {
		var got []string
		for _, j := range judgesOf(release, "Nokia-IXR7220-H3", "trident3") {
			if got = append(got, j.release); j.asic != "th3" {
				t.Errorf("%s: the chip is %q: the HwSKU comes first", j.release, j.asic)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", release, got, want)
		}
	}
	// Without a HwSKU the chip says it, where the release knows that chip.
	for chip, want := range map[string]string{"trident3": "td3", "trident4": "", "teralynx": ""} {
		must.Equalf(t, judgesOf("202405", "", chip)[0].asic, want, "chip %s of 202405:", chip)
	}
}

func TestTouched(t *testing.T) {
	for _, c := range []struct {
		op    Operation
		below []string
		by    match
		want  []string
	}{
		// Parts with a digit are not part of the name: Ethernet0, pg_lossless_100000_5m.
		{Operation{Path: "x"}, []string{"Ethernet0", "XOFF"}, whole, []string{"xoff"}},
		{Operation{Path: "x"}, []string{"AZURE", "xoff"}, whole, []string{"azure/xoff"}},
		{Operation{Path: "x"}, []string{"AZURE", "xoff"}, last, []string{"xoff"}},
		{Operation{Path: "x", Value: Row{"b": {}, "a": {}}}, []string{"AZURE"}, whole, []string{"azure/a", "azure/b"}},
		{Operation{Path: "x", Value: Row{"b": {}, "A": {}}}, []string{"Ethernet0"}, whole, []string{"A", "b"}},
		{Operation{Path: "x", Value: Row{"b": {}, "a": {}}}, []string{"AZURE"}, rows, []string{"a", "b"}},
		{Operation{Path: "x", Value: Table{"r": {}, "q": {}}}, nil, whole, []string{"q", "r"}},
		{Operation{Path: "x"}, nil, whole, []string{""}},
		// Where the last part alone counts, a digit in it is no matter.
		{Operation{Path: "x"}, []string{"AZURE", "Ethernet0"}, last, []string{"ethernet0"}},
		{Operation{Path: "x"}, []string{"Ethernet0"}, rows, []string{"ethernet0"}},
		{Operation{Path: "x"}, []string{"Ethernet0"}, whole, []string{""}},
	} {
		if got := touched(c.op, c.below, c.by); !slices.Equal(got, c.want) {
			t.Errorf("%v below %v, %s: %q, want %q", c.op, c.below, c.by, got, c.want)
		}
	}
}

func TestCounted(t *testing.T) {
	if all, text := counted(map[string]int{"PFC_WD": 1, "BUFFER_POOL": 4}); all != 5 || text != "4 on BUFFER_POOL, 1 on PFC_WD" {
		t.Errorf("%d, %q", all, text)
	}
	// A pool's size may be changed by 202405's updater on a Tomahawk 3, by no other from 202511
	// on; on a chip that it does not know nothing of a guarded table may be.
	pool := Operation{"replace", "/BUFFER_POOL/ingress_lossless_pool/size", Value{Text: "1"}}
	wd := Operation{Op: "remove", Path: "/PFC_WD/GLOBAL"}
	for _, c := range []struct {
		release, hwsku string
		ops            []Operation
		want           map[string]int
	}{
		{"202511", "Nokia-IXR7220-H3", []Operation{pool, pool}, map[string]int{"BUFFER_POOL": 2}},
		{"202511", "somebody's", []Operation{pool, wd}, map[string]int{"BUFFER_POOL": 1, "PFC_WD": 1}},
		{"202506", "Nokia-IXR7220-H3", []Operation{pool}, map[string]int{"BUFFER_POOL": 1}},
		{"202405", "Nokia-IXR7220-H3", []Operation{pool}, map[string]int{}},
		{"202405", "Nokia-IXR7220-H3", []Operation{{"add", "/SCHEDULER/x", Row{}}}, map[string]int{}},
	} {
		must.NoDiffIn(t, cmp.Diff(c.want, Refusals(c.release, c.hwsku, c.ops)), "%s on %s (-want +got):", c.release, c.hwsku)
	}
	// Both ways count once: three there and one back are three.
	j := judgesOf("202511", "Nokia-IXR7220-H3", "")[0]
	if got := j.refusals([]Step{{Operations: []Operation{pool, pool, pool}, Undo: []Operation{pool}}, {Undo: []Operation{pool}}}); got["BUFFER_POOL"] != 4 {
		t.Errorf("refused: %v", got)
	}
}

// When a changed field has its turn. What shrinks comes before the pools, what grows after.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		table, field, old, now string
		at                     phase
		late                   bool
	}{
		{"BUFFER_POOL", "size", "2", "1", shrink, true},
		{"BUFFER_POOL", "size", "1", "2", widen, false},
		{"BUFFER_POOL", "xoff", "2", "1", shrink, false},
		{"BUFFER_POOL", "xoff", "1", "2", widen, true},
		{"BUFFER_POOL", "mode", "1", "2", classify, false},
		{"BUFFER_PROFILE", "xoff", "1", "2", raise, true},
		{"BUFFER_PROFILE", "xoff", "2", "1", lower, false},
		{"BUFFER_PROFILE", "size", "1", "2", raise, false},
		{"BUFFER_PROFILE", "size", "2", "1", lower, true},
		{"BUFFER_PROFILE", "size", "4", "x", lower, true},
		// The same number in another spelling neither grows nor shrinks, and has the turn of what shrinks.
		{"BUFFER_PROFILE", "xoff", "7", "07", lower, false},
		{"BUFFER_PROFILE", "size", "7", "07", lower, true},
		{"BUFFER_POOL", "size", "7", "07", shrink, true},
		{"BUFFER_POOL", "xoff", "7", "07", shrink, false},
		{"CABLE_LENGTH", "Ethernet0", "5m", "05m", bind, false},
		{"BUFFER_PROFILE", "dynamic_th", "1", "2", classify, false},
		{"CABLE_LENGTH", "Ethernet0", "40m", "5m", ease, false},
		{"CABLE_LENGTH", "Ethernet0", "5m", "40m", bind, false},
		{"BUFFER_QUEUE", "profile", "a", "b", bind, false},
		{"BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list", "a", "b", bind, false},
		{"BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list", "a", "b", bind, false},
		{"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "3", "3", "4", remap, false},
		{"MAP_PFC_PRIORITY_TO_QUEUE", "3", "3", "4", remap, false},
		{"PORT", "mtu", "9100", "1500", quiet, false},
		{"PORT", "mtu", "1500", "9100", finish, false},
		{"PFC_WD", "POLL_INTERVAL", "200", "100", quiet, false},
		{"PFC_WD", "POLL_INTERVAL", "100", "200", finish, false},
		{"PFC_WD", "detection_time", "100", "200", classify, false},
		// The maximum stays above the minimum: it is the first to rise and the last to fall.
		{"WRED_PROFILE", "green_min_threshold", "1", "2", classify, true},
		{"WRED_PROFILE", "green_min_threshold", "2", "1", classify, false},
		{"WRED_PROFILE", "green_max_threshold", "1", "2", classify, false},
		{"WRED_PROFILE", "green_max_threshold", "2", "1", classify, true},
		{"DSCP_TO_TC_MAP", "26", "3", "4", classify, false},
	} {
		at, late := change(c.table, c.field, Row{c.field: {Text: c.old}}, Row{c.field: {Text: c.now}})
		if at != c.at || late != c.late {
			t.Errorf("%s of %s from %s to %s: %q, late %v; want %q, late %v", c.field, c.table, c.old, c.now, titles[at], late, titles[c.at], c.late)
		}
	}
	// A size that was not there grows, whatever it is.
	if at, _ := change("BUFFER_PROFILE", "size", Row{}, Row{"size": {Text: "0"}}); at != raise {
		t.Errorf("a new size: %q", titles[at])
	}
	for table, want := range map[string]phase{
		"BUFFER_PORT_INGRESS_PROFILE_LIST": bind, "BUFFER_PORT_EGRESS_PROFILE_LIST": bind, "BUFFER_QUEUE": bind, "QUEUE": bind, "CABLE_LENGTH": bind, "PFC_WD": finish,
		"PORT": finish, "TUNNEL": classify, "SYSTEM_DEFAULTS": classify, "BUFFER_POOL": create, "SCHEDULER": create,
	} {
		if got := creation(table); got != want {
			t.Errorf("rows of %s come with %q, want %q", table, titles[got], titles[want])
		}
	}
	p := planner{from: DB{"QUEUE": {"Ethernet0|1": {}, "Ethernet0|2": {}}}, to: DB{"QUEUE": {"Ethernet0|1-2": {}, "Ethernet4|2": {}}}}
	for key, want := range map[string]phase{"Ethernet0|1": clear, "Ethernet0|2": clear, "Ethernet0|3": discard, "Ethernet4|1": discard, "Ethernet8|1": discard} {
		if got := p.removal("QUEUE", key); got != want {
			t.Errorf("%s goes with %q, want %q", key, titles[got], titles[want])
		}
	}
	if got := p.removal("PFC_WD", "Ethernet0"); got != quiet {
		t.Errorf("a watchdog goes with %q", titles[got])
	}
}

// state is a port whose priority 3 pauses PG 3 with the headroom given; another PG, 5, takes
// from the same pool.
func state(pool, group int64) DB {
	return DB{
		"PORT":        {"Ethernet0": {}},
		"BUFFER_POOL": {"in": {"xoff": {Text: fmt.Sprint(pool)}}},
		"BUFFER_PROFILE": {
			"held":  {"pool": {Text: "in"}, "xoff": {Text: fmt.Sprint(group)}},
			"lossy": {"pool": {Text: "in"}},
			"made":  {"pool": {Text: "in"}, "headroom_type": {Text: "dynamic"}},
		},
		"BUFFER_PG":    {"Ethernet0|3": {"profile": {Text: "held"}}},
		"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": {Text: "3"}}},
	}
}

// Each state between two ends with what is wrong with it.
func TestGuard(t *testing.T) {
	for _, c := range []struct {
		name  string
		edit  func(DB)
		wants []string
	}{
		{"the smaller end", func(DB) {}, nil},
		{"as much as both ends have at most", func(db DB) { db["BUFFER_POOL"]["in"]["xoff"] = Value{Text: "900"} }, nil},
		{"a byte less than the smaller end", func(db DB) { db["BUFFER_PROFILE"]["held"]["xoff"] = Value{Text: "99"} }, []string{"PG 3 of Ethernet0 has 99 B of headroom and needs 100 B"}},
		{"the pool a byte smaller", func(db DB) { db["BUFFER_POOL"]["in"]["xoff"] = Value{Text: "299"} },
			[]string{"the headroom pool of in holds 299 B, less than its priority groups need"}},
		{"the larger group in the smaller pool", func(db DB) { db["BUFFER_PROFILE"]["held"]["xoff"] = Value{Text: "200"} },
			[]string{"the headroom pool of in holds 300 B, less than its priority groups need"}},
		{"the larger group a byte below its pool", func(db DB) {
			db["BUFFER_PROFILE"]["held"]["xoff"], db["BUFFER_POOL"]["in"]["xoff"] = Value{Text: "200"}, Value{Text: "599"}
		}, []string{"the headroom pool of in holds 599 B, less than its priority groups need"}},
		{"the larger group in its pool", func(db DB) {
			db["BUFFER_PROFILE"]["held"]["xoff"], db["BUFFER_POOL"]["in"]["xoff"] = Value{Text: "200"}, Value{Text: "600"}
		}, nil},
		{"more than either end gives", func(db DB) {
			db["BUFFER_PROFILE"]["held"]["xoff"], db["BUFFER_POOL"]["in"]["xoff"] = Value{Text: "201"}, Value{Text: "600"}
		}, []string{"the headroom pool of in holds 600 B, less than its priority groups need"}},
		{"a PG that no end has", func(db DB) { db["BUFFER_PG"]["Ethernet0|5"] = Row{"profile": {Text: "held"}} },
			[]string{"the headroom pool of in holds 300 B, less than its priority groups need"}},
		{"a port that no end has", func(db DB) { db["BUFFER_PG"]["Ethernet4|3"] = Row{"profile": {Text: "held"}} },
			[]string{"the headroom pool of in holds 300 B, less than its priority groups need"}},
		{"a PG whose headroom the switch computes", func(db DB) { db["BUFFER_PG"]["Ethernet0|5"] = Row{"profile": {Text: "made"}} }, nil},
		{"a paused PG whose headroom the switch computes", func(db DB) { db["BUFFER_PG"]["Ethernet0|3"] = Row{"profile": {Text: "made"}} }, nil},
		{"NULL is headroom that the switch computes", func(db DB) { db["BUFFER_PG"]["Ethernet0|3"] = Row{"profile": {Text: "NULL"}} }, nil},
		{"NULL is nothing elsewhere", func(db DB) { db["BUFFER_QUEUE"] = Table{"Ethernet0|3": {"profile": {Text: "NULL"}}} },
			[]string{"BUFFER_QUEUE|Ethernet0|3 refers to NULL, which BUFFER_PROFILE does not have"}},
		{"paused without headroom", func(db DB) { db["BUFFER_PG"]["Ethernet0|3"] = Row{"profile": {Text: "lossy"}} },
			[]string{"PFC priority 3 of Ethernet0 pauses PG 3, which has no headroom"}},
		{"the first and the last priority", func(db DB) { db["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] = Value{Text: "0,7"} },
			[]string{"PFC priority 0 of Ethernet0 pauses PG 0, which has no headroom", "PFC priority 7 of Ethernet0 pauses PG 7, which has no headroom"}},
		{"a priority that a map sends to another PG", func(db DB) {
			db["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = Table{"M": {"3": {Text: "4"}}}
			db["PORT_QOS_MAP"]["Ethernet0"]["pfc_to_pg_map"] = Value{Text: "M"}
		}, []string{"PFC priority 3 of Ethernet0 pauses PG 4, which has no headroom"}},
		{"a map that is not there", func(db DB) { db["PORT_QOS_MAP"]["Ethernet0"]["pfc_to_pg_map"] = Value{Text: "M"} },
			[]string{"PORT_QOS_MAP|Ethernet0 refers to M, which PFC_PRIORITY_TO_PRIORITY_GROUP_MAP does not have"}},
		{"a list of profiles of which one is not there", func(db DB) {
			db["BUFFER_PORT_INGRESS_PROFILE_LIST"] = Table{"Ethernet0": {"profile_list": {Text: "held,gone"}}}
		}, []string{"BUFFER_PORT_INGRESS_PROFILE_LIST|Ethernet0 refers to gone, which BUFFER_PROFILE does not have"}},
		{"two rows for one queue", func(db DB) {
			db["QUEUE"] = Table{"Ethernet0|3": {}, "Ethernet0|3-4": {}, "Ethernet0|5": {}, "Ethernet4|3": {}}
		},
			[]string{"two rows of QUEUE claim the same index of Ethernet0"}},
		// Rows that others refer to may be called anything: what looks like indices of a port is none.
		{"two profiles whose names end like indices", func(db DB) {
			db["BUFFER_PROFILE"]["wide|3"], db["BUFFER_PROFILE"]["wide|2-3"] = Row{"pool": {Text: "in"}}, Row{"pool": {Text: "in"}}
		}, nil},
		{"rows that meet nowhere", func(db DB) {
			db["QUEUE"] = Table{"Ethernet0|0-3": {}, "Ethernet0|4-7": {}, "Ethernet0|9-8": {}, "Ethernet0|x": {}, "Ethernet4|3": {}, "a|Ethernet0|3": {}}
		}, nil},
		{"rows that meet at one end, of each port once", func(db DB) {
			db["QUEUE"] = Table{"Ethernet0|0-3": {}, "Ethernet0|3-7": {}, "Ethernet0|7": {}, "Ethernet4|1": {}, "Ethernet4|0-1": {}}
		}, []string{"two rows of QUEUE claim the same index of Ethernet0", "two rows of QUEUE claim the same index of Ethernet4"}},
		{"groups and queues of one number", func(db DB) { db["QUEUE"] = Table{"Ethernet0|3": {}} }, nil},
	} {
		g := NewGuard(state(300, 100), state(600, 200))
		db := state(300, 100)
		c.edit(db)
		var got []string
		for h := range g.Hazards(db) {
			got = append(got, h)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.wants) {
			t.Errorf("%s: %q, want %q", c.name, got, c.wants)
		}
	}
}

// Traffic moves at once only if its PG loses headroom and every port has the other one.
func TestDiverts(t *testing.T) {
	group := func(db DB, key, profile string) DB { db["BUFFER_PG"][key] = Row{"profile": {Text: profile}}; return db }
	both := group(state(300, 100), "Ethernet0|4", "lossy")
	other := group(group(state(300, 100), "Ethernet0|4", "lossy"), "Ethernet4|3", "held")
	for _, c := range []struct {
		name     string
		from, to DB
		want     bool
	}{
		{"both are there and stay", both, both, false},
		{"PG 3 loses its headroom", both, group(group(state(300, 100), "Ethernet0|3", "lossy"), "Ethernet0|4", "held"), true},
		{"there is no PG 4 before", state(300, 100), group(state(300, 100), "Ethernet0|3", "lossy"), false},
		{"a second port has no PG 4", other, group(group(state(300, 100), "Ethernet0|3", "lossy"), "Ethernet0|4", "held"), false},
		{"the port goes", both, DB{}, true},
	} {
		must.Equalf(t, newPlanner(c.from, c.to).diverts(3, 4), c.want, "%s:", c.name)
	}
}

// What stays for a port that nobody describes keeps what it refers to, and what that refers to.
func TestReferredStays(t *testing.T) {
	running := DB{
		"BUFFER_POOL":    {"old": {"size": {Text: "1"}}, "unused": {}},
		"BUFFER_PROFILE": {"mine": {"pool": {Text: "old"}}},
		"BUFFER_PG":      {"Ethernet8|3": {"profile": {Text: "[BUFFER_PROFILE|mine]"}}, "Ethernet0|3": {"profile": {Text: "mine"}}},
	}
	got := target(running, DB{}, map[string]*plan.Port{"Ethernet0": {}})
	want := DB{
		"BUFFER_POOL": {"old": {"size": {Text: "1"}}}, "BUFFER_PROFILE": {"mine": {"pool": {Text: "old"}}},
		"BUFFER_PG": {"Ethernet8|3": {"profile": {Text: "[BUFFER_PROFILE|mine]"}}},
	}
	must.NoDiffIn(t, cmp.Diff(want, got), "(-want +got):")
}

// Rows of a port keep how they divide the indices where that can say what is wanted.
func TestRowsStayDivided(t *testing.T) {
	a, b, c := Row{"profile": {Text: "a"}}, Row{"profile": {Text: "b"}}, Row{"profile": {Text: "c"}}
	for _, test := range []struct {
		name            string
		running, wanted Table
		want            Table
	}{
		{"one range for two rows of one content", Table{"E|3": a, "E|4": a}, Table{"E|3-4": b}, Table{"E|3": b, "E|4": b}},
		{"the last index", Table{"E|15": a}, Table{"E|14-15": b}, Table{"E|14": b, "E|15": b}},
		{"the first index", Table{"E|0": a}, Table{"E|0-1": b}, Table{"E|0": b, "E|1": b}},
		{"a range that is to differ", Table{"E|3-4": a}, Table{"E|3": b, "E|4": c}, Table{"E|3": b, "E|4": c}},
		{"a range of which a part goes", Table{"E|3-5": a}, Table{"E|3-4": a}, Table{"E|3-4": a}},
		{"equal neighbours are one row", Table{}, Table{"E|0": a, "E|1": a, "E|2": b, "E|14": a, "E|15": a}, Table{"E|0-1": a, "E|2": b, "E|14-15": a}},
		{"a row without fields has no neighbours", Table{}, Table{"E|3": {}, "E|4": {}}, Table{"E|3-4": {}}},
		{"another port's rows stay", Table{"F|3": a}, Table{"E|3": b}, Table{"F|3": a, "E|3": b}},
		{"two rows for one index: the first keeps it", Table{"E|3": a, "E|3-4": a}, Table{"E|3-4": b}, Table{"E|3": b, "E|4": b}},
	} {
		db := DB{"BUFFER_PG": test.running}.clone()
		db.takeIndices("BUFFER_PG", DB{"BUFFER_PG": test.wanted}, map[string]*plan.Port{"E": {}})
		must.NoDiffIn(t, cmp.Diff(DB{"BUFFER_PG": test.want}, db), "%s (-want +got):", test.name)
	}
}

// The updater guards what its table names: of tables whose rows come and go freely only the fields, and on a chip
// that it does not know all of them; the last poll of the watchdog never goes.
func TestWhatIsRefused(t *testing.T) {
	u := updater{Tables: map[string]guarded{
		"ROWS":   {Match: rows, Rules: []rule{{Fields: []string{"f"}, Operations: []string{"add"}, ASICs: []string{"th"}}}},
		"FIELDS": {Match: last, Rules: []rule{{Fields: []string{"f"}, Operations: []string{"add"}, ASICs: []string{"th"}}}},
	}}
	for _, c := range []struct {
		op, path, asic string
		want           bool
	}{
		{"add", "/FREE/x", "", false}, {"add", "/FREE/x/f", "", false}, {"add", "/ROWS", "", false}, {"add", "/ROWS/x", "", false}, {"add", "/ROWS/x/f", "", true}, {"add", "/ROWS/x/f", "th", false}, {"remove", "/ROWS/x/f", "th", true},
		{"add", "/ROWS/x/g", "th", true}, {"add", "/ROWS/x/f", "td", true}, {"add", "/FIELDS/x", "", true}, {"add", "/FIELDS/x/f", "th", false},
		{"remove", "/PFC_WD/GLOBAL", "th", true}, {"remove", "/PFC_WD/GLOBAL/POLL_INTERVAL", "th", true}, {"replace", "/PFC_WD/GLOBAL/POLL_INTERVAL", "th", false}, {"remove", "/PFC_WD/Ethernet0", "th", false},
	} {
		must.Equalf(t, u.refuses(Operation{Op: c.op, Path: c.path}, c.asic), c.want, "%s %s on %q:", c.op, c.path, c.asic)
	}
}
