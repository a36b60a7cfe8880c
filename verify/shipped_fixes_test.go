package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
)

// A shippedFix is a change of lossless buffers in a public repository, as testdata/shipped-fixes.txt
// has it: the facts of both sides, and of each alone.
type shippedFix struct {
	name, says, from, note string
	before, after          words
}

// words are facts by their key. A row of a lookup table has its speed and cable in its key.
//
//	box, sku       platform and HwSKU
//	ports          N*SPEED@CABLE/LANES, by commas
//	in, shp, eg    ingress pool, its xoff, egress pool; lossyeg, lossypool: lossy pools
//	row            size, xon, xoff, xon_offset; groups of ports without a row have no profile
//	th, qth        dynamic threshold of lossless groups, of their queues; static: that of queues
//	qmin           what a lossy queue owns; wd=1: rows of PFC_WD
//	lossyin        static threshold of lossy groups
//	egmode, both   mode of the egress pool; one pool of type both
//	green, red     minimum and maximum of the curve; wred=off: no wred_green_enable
//	dscp2 …        traffic classes of DSCP 2, 5, 6, 48
//	lossless       queues with the lossless profile; pfc, pfcwd: their priorities
//	extra          more lossless priorities of ports whose cable is not that of uplink, in metres;
//	               upmap: the map of the uplinks, with DSCP 2 and 6 in traffic class 1
type words map[string]string

func (w words) or(key, otherwise string) string { return cmp.Or(w[key], otherwise) }

// read adds facts of one line.
func (w words) read(t *testing.T, line string) {
	for _, word := range strings.Fields(line) {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			t.Fatalf("%q is no fact", word)
		}
		if at, row, found := strings.Cut(value, ":"); key == "row" && found {
			key, value = "row "+at, row
		}
		w[key] = value
	}
}

func shippedFixes(t *testing.T) (fixes []*shippedFix) {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("testdata", "shipped-fixes.txt")))(t)
	for line := range strings.Lines(string(text)) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		if key == "" || key == "#" {
			continue
		}
		if key == "fix" {
			fixes = append(fixes, &shippedFix{name: rest, before: words{}, after: words{}})
			continue
		}
		f := fixes[len(fixes)-1]
		switch key {
		case "says":
			f.says = rest
		case "from":
			f.from = rest
		case "note":
			f.note = rest
		case "facts":
			f.before.read(t, rest)
			f.after.read(t, rest)
		case "before":
			f.before.read(t, rest)
		case "after":
			f.after.read(t, rest)
		default:
			t.Fatalf("%q: unknown key", line)
		}
	}
	return fixes
}

type table map[string]map[string]string

// config renders one side as a ConfigDB, as buffermgrd and the templates would.
func (w words) config(t *testing.T) []byte {
	t.Helper()
	db := map[string]table{}
	for _, name := range []string{"PORT", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE", "PORT_QOS_MAP", "QUEUE", "PFC_WD"} {
		db[name] = table{}
	}
	db["DEVICE_METADATA"] = table{"localhost": {"hwsku": w["sku"], "platform": w["box"], "buffer_model": "traditional", "type": "ToRRouter", "hostname": "dut"}}
	db["CABLE_LENGTH"] = table{"AZURE": {}}
	w.maps(db)
	w.pools(db)
	lane := 0
	for _, kind := range strings.Split(w["ports"], ",") {
		var count, gbps, metres, lanes int
		if _, err := fmt.Sscanf(kind, "%d*%dG@%dm/%d", &count, &gbps, &metres, &lanes); err != nil {
			t.Fatalf("%q: %v", kind, err)
		}
		for range count {
			w.port(db, lane, gbps, metres, lanes)
			lane += max(lanes, 1)
		}
	}
	text := must.Get(json.MarshalIndent(db, "", " "))(t)
	return text
}

// maps writes the maps, schedulers and the curve that every file of the templates has.
func (w words) maps(db map[string]table) {
	dscp, same, toPG := map[string]string{}, map[string]string{}, map[string]string{}
	for i := range 64 {
		dscp[strconv.Itoa(i)] = "1"
	}
	for i := range 8 {
		same[strconv.Itoa(i)], toPG[strconv.Itoa(i)] = strconv.Itoa(i), "0"
	}
	maps.Copy(dscp, map[string]string{"3": "3", "4": "4", "5": w.or("dscp5", "2"), "8": "0", "46": "5", "48": w.or("dscp48", "6"), "2": w.or("dscp2", "1"), "6": w.or("dscp6", "1")})
	maps.Copy(toPG, map[string]string{"3": "3", "4": "4", "7": "7"})
	for _, id := range strings.Split(w["extra"], ",") {
		toPG[cmp.Or(id, "3")] = cmp.Or(id, "3")
	}
	db["DSCP_TO_TC_MAP"], db["TC_TO_QUEUE_MAP"] = table{"AZURE": dscp}, table{"AZURE": same}
	if w["upmap"] != "" {
		up := maps.Clone(dscp)
		up["2"], up["6"] = "1", "1"
		db["DSCP_TO_TC_MAP"][w["upmap"]] = up
	}
	db["TC_TO_PRIORITY_GROUP_MAP"], db["MAP_PFC_PRIORITY_TO_QUEUE"] = table{"AZURE": toPG}, table{"AZURE": same}
	db["SCHEDULER"] = table{"scheduler.0": {"type": "DWRR", "weight": "14"}, "scheduler.1": {"type": "DWRR", "weight": "15"}}
	curve := map[string]string{"ecn": "ecn_all", "wred_yellow_enable": "true", "wred_red_enable": "true", "wred_green_enable": "true"}
	if w["wred"] == "off" {
		curve = map[string]string{"ecn": "ecn_all"}
	}
	for _, colour := range []string{"green", "yellow", "red"} {
		low, high, _ := strings.Cut(cmp.Or(w[map[string]string{"green": "green", "yellow": "red", "red": "red"}[colour]], "1048576,2097152"), ",")
		curve[colour+"_min_threshold"], curve[colour+"_max_threshold"], curve[colour+"_drop_probability"] = low, high, "5"
	}
	db["WRED_PROFILE"] = table{"AZURE_LOSSLESS": curve}
}

func (w words) pools(db map[string]table) {
	in, eg := map[string]string{"type": "ingress", "mode": "dynamic", "size": w["in"]}, "egress_lossless_pool"
	if w["shp"] != "" {
		in["xoff"] = w["shp"]
	}
	profiles := db["BUFFER_PROFILE"]
	profiles["ingress_lossy_profile"] = map[string]string{"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"}
	if w["lossyin"] != "" {
		profiles["ingress_lossy_profile"] = map[string]string{"pool": "ingress_lossless_pool", "size": "0", "static_th": w["lossyin"]}
	}
	if w["both"] != "" {
		in["type"], eg = "both", "ingress_lossless_pool"
	} else {
		db["BUFFER_POOL"][eg] = map[string]string{"type": "egress", "mode": w.or("egmode", "static"), "size": w["eg"]}
	}
	db["BUFFER_POOL"]["ingress_lossless_pool"] = in
	queue := map[string]string{"pool": eg, "size": "0", "static_th": w.or("static", w["eg"])}
	if w["qth"] != "" && w["static"] == "" {
		queue = map[string]string{"pool": eg, "size": "0", "dynamic_th": w["qth"]}
	}
	profiles["egress_lossless_profile"] = queue
	lossy := eg
	if w["lossyeg"] != "" {
		lossy = "egress_lossy_pool"
		db["BUFFER_POOL"][lossy] = map[string]string{"type": "egress", "mode": "dynamic", "size": w["lossyeg"]}
	}
	if w["lossypool"] != "" {
		db["BUFFER_POOL"]["ingress_lossy_pool"] = map[string]string{"type": "ingress", "mode": "dynamic", "size": w["lossypool"]}
		profiles["ingress_lossy_profile"]["pool"] = "ingress_lossy_pool"
	}
	profiles["egress_lossy_profile"] = map[string]string{"pool": lossy, "size": w.or("qmin", "0"), "dynamic_th": "-1"}
}

func (w words) port(db map[string]table, lane, gbps, metres, lanes int) {
	name := fmt.Sprintf("Ethernet%d", lane)
	list := []string{}
	for i := range lanes {
		list = append(list, strconv.Itoa(lane+i+1))
	}
	db["PORT"][name] = map[string]string{"admin_status": "up", "alias": name, "index": strconv.Itoa(lane), "lanes": strings.Join(list, ","), "mtu": "9100", "speed": strconv.Itoa(gbps * 1000)}
	db["CABLE_LENGTH"]["AZURE"][name] = fmt.Sprintf("%dm", metres)
	if w["wd"] != "" {
		db["PFC_WD"][name] = map[string]string{"action": "drop", "detection_time": "200", "restoration_time": "200"}
	}
	pfc, classes := w.or("pfc", "3,4"), "AZURE"
	if strconv.Itoa(metres) == w["uplink"] {
		classes = w.or("upmap", classes)
	} else if w["extra"] != "" {
		pfc += "," + w["extra"]
	}
	db["PORT_QOS_MAP"][name] = map[string]string{"dscp_to_tc_map": classes, "pfc_enable": pfc, "pfc_to_queue_map": "AZURE", "pfcwd_sw_enable": w.or("pfcwd", pfc), "tc_to_pg_map": "AZURE", "tc_to_queue_map": "AZURE"}
	db["BUFFER_PG"][name+"|0"] = map[string]string{"profile": "ingress_lossy_profile"}
	row := cmp.Or(w[fmt.Sprintf("row %dG@%dm", gbps, metres)], w["row"])
	if part := strings.Split(row, ","); row != "" {
		profile := fmt.Sprintf("pg_lossless_%d_%dm_profile", gbps*1000, metres)
		pg := map[string]string{"pool": "ingress_lossless_pool", "size": part[0], "xon": part[1], "xoff": part[2], "dynamic_th": w["th"]}
		if part[3] != "0" {
			pg["xon_offset"] = part[3]
		}
		db["BUFFER_PROFILE"][profile] = pg
		for _, id := range strings.Split(pfc, ",") {
			db["BUFFER_PG"][name+"|"+id] = map[string]string{"profile": profile}
		}
	}
	lossless := map[string]bool{}
	for _, ids := range strings.Split(w.or("lossless", "3-4"), ",") {
		db["BUFFER_QUEUE"][name+"|"+ids] = map[string]string{"profile": "egress_lossless_profile"}
		from, to, _ := strings.Cut(ids, "-")
		first, _ := strconv.Atoi(from)
		last, _ := strconv.Atoi(cmp.Or(to, from))
		for i := first; i <= last; i++ {
			lossless[strconv.Itoa(i)] = true
		}
	}
	for i := range 7 {
		id := strconv.Itoa(i)
		db["QUEUE"][name+"|"+id] = map[string]string{"scheduler": "scheduler.0"}
		if i == 3 || i == 4 {
			db["QUEUE"][name+"|"+id] = map[string]string{"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"}
		}
		if !lossless[id] {
			db["BUFFER_QUEUE"][name+"|"+id] = map[string]string{"profile": "egress_lossy_profile"}
		}
	}
}

// A saying is what verify says of one side.
type saying struct {
	verdict Verdict
	passes  bool
	codes   map[string]bool // of errors and warnings, and failed inequalities
	bounds  map[string]proof.Condition
}

func (w words) said(t *testing.T, catalogue *chips.Catalogue) *saying {
	t.Helper()
	chip, ok := catalogue.ChipOf(w["box"], w["sku"])
	if w["chip"] != "" {
		chip, ok = catalogue.Find(w["chip"])
	}
	if !ok {
		t.Fatalf("no chip for %s, %s", w["box"], w["sku"])
	}
	r := judge(t, Options{Chip: chip, Catalogue: catalogue}, Text("config_db.json", w.config(t)))
	s := &saying{verdict: r.Verdict(), passes: r.Passes(false), codes: map[string]bool{}, bounds: map[string]proof.Condition{}}
	for _, d := range r.Findings {
		if d.Severity <= diag.Warning && !strings.HasPrefix(string(d.Code), "proof-") {
			s.codes[string(d.Code)] = true
		}
	}
	for _, sw := range r.Switches {
		for i := range sw.Obligations {
			if o := &sw.Obligations[i]; o.Verdict == proof.Fails {
				s.codes["refuted "+o.ID] = true
			}
		}
		for _, c := range sw.Conditions {
			key := "condition " + c.ID
			if c.ID == "static-thresholds" {
				key, _, _ = strings.Cut("condition: "+c.Assumes, ",")
			}
			if old, ok := s.bounds[key]; !ok || lack(&c) > lack(&old) {
				s.bounds[key] = c
			}
		}
	}
	return s
}

// lack is how far the bound of a condition is from what a standard, or the worst case, allows.
func lack(c *proof.Condition) int64 {
	if c.Worst == 0 {
		return -c.Bound
	}
	return c.Worst + c.Layers - c.Bound
}

// beyond lists what is said here and not there: findings, failed inequalities and conditions.
func (s *saying) beyond(there *saying) (list []string) {
	for _, code := range slices.Sorted(maps.Keys(s.codes)) {
		if !there.codes[code] {
			list = append(list, code)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.bounds)) {
		if _, ok := there.bounds[key]; !ok {
			list = append(list, key)
		}
	}
	return list
}

// eased lists conditions that both have and that allow more there.
func (s *saying) eased(there *saying) (list []string) {
	for _, key := range slices.Sorted(maps.Keys(s.bounds)) {
		c := s.bounds[key]
		if other, ok := there.bounds[key]; ok && c.Bound > 0 && lack(&c) > lack(&other) {
			list = append(list, fmt.Sprintf("%s: %s, then %s", key, allowed(&c), allowed(&other)))
		}
	}
	return list
}

// newly reports whether an inequality fails that could not be judged there, for want of a lossless
// group or of a buffer that holds its pools.
func (s *saying) newly(there *saying, what string) bool {
	return strings.HasPrefix(what, "refuted ") && there.verdict == NotJudged && s.verdict != Refuted
}

// allowed is a condition's bound, and what of the standard's it is.
func allowed(c *proof.Condition) string {
	if c.Worst == 0 {
		return Amount(c.Bound, c.Unit)
	}
	return fmt.Sprintf("%s of %s", Amount(c.Bound, c.Unit), Amount(c.Worst+c.Layers, c.Unit))
}

const fixesHead = `Fixes of lossless buffers in public repositories, and what verify says before and after
======================================================================================

Each row is a change of numbers that a pull request or commit of sonic-net/sonic-buildimage or
a related repository made because the old ones were wrong; verify/testdata/shipped-fixes.txt
has the numbers of both sides and where they are stored. Both are rendered with the same ports,
cables and maps, and judged without a fabric. All fixes that were found with numbers of both
sides are listed, also those that verify does not tell apart, with what is known of the reason.

flagged: verify says something before that it does not say after: an error, a warning, a failed
inequality, a condition, or a condition that allows less.
clean:   after the fix verify passes (no error, no lossless group refuted or not judged), and has no
finding and no failed inequality that it did not have before. Conditions may be new.

`

// golden/shipped-fixes.txt has fixes that others made, and whether verify would have said before
// what they correct. It fails where fewer than 30 are flagged before and clean after.
func TestShippedFixes(t *testing.T) {
	catalogue := must.Sound(chips.Load())(t)
	var out strings.Builder
	fixes := shippedFixes(t)
	flagged, clean, both := 0, 0, 0
	for _, f := range fixes {
		before, after := f.before.said(t, catalogue), f.after.said(t, catalogue)
		was, now := before.beyond(after), after.beyond(before)
		was = append(was, before.eased(after)...)
		marks := ""
		if len(was) > 0 {
			flagged++
			marks = "flagged"
		}
		if after.passes && !slices.ContainsFunc(now, func(what string) bool { return !strings.HasPrefix(what, "condition") && !after.newly(before, what) }) {
			clean++
			marks = strings.TrimSpace(marks + " clean")
		}
		fmt.Fprintf(&out, "%s\n  fixes   %s\n  from    %s\n  before  %v%s\n  after   %v%s\n  =       %s\n", f.name, f.says, f.from,
			before.verdict, onlyThere(was), after.verdict, onlyThere(now), cmp.Or(marks, "neither"))
		if marks == "flagged clean" {
			both++
		} else if fmt.Fprintf(&out, "  why     %s\n", f.note); f.note == "" {
			t.Errorf("verify does not tell both sides of %s apart, and no note says why", f.name)
		}
		out.WriteString("\n")
	}
	count := fmt.Sprintf("%d fixes: %d flagged before, %d clean after, %d both\n\n", len(fixes), flagged, clean, both)
	diagtest.Golden(t, "../golden/shipped-fixes.txt", fixesHead+count+strings.TrimSuffix(out.String(), "\n"))
	if both < 30 {
		t.Errorf("%d of %d fixes are flagged before and clean after, want 30", both, len(fixes))
	}
}

func onlyThere(what []string) string {
	if len(what) == 0 {
		return ""
	}
	return "; only there: " + strings.Join(what, "; ")
}
