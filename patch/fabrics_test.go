package patch_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// document is a ConfigDB as a test sees it.
type document map[string]map[string]map[string]string

const ports = 9

// fabric draws a switch with nine ports of three cable lengths, whose PG numbers need
// not be those of the priorities.
func fabric(t *rapid.T, dynamic bool) *plan.Switch {
	sw := anyplan.Switch(t, anyplan.Want{OS: "sonic", LoadBalancing: []string{"ecmp"}, Trimming: true})
	sw.Names = []string{"leaf-01"}
	sw.Marking = nil
	if wd := sw.Watchdog; wd != nil { // anyplan draws polls that SONiC refuses
		wd.Poll = plan.Of(max(wd.Poll.Value, 100*units.Millisecond), nil)
	}
	for drawn := len(sw.Ports); len(sw.Ports) < ports; {
		p := sw.Ports[len(sw.Ports)%drawn]
		p.Name = fmt.Sprintf("Ethernet%d/1", len(sw.Ports)+1)
		sw.Ports = append(sw.Ports, p)
	}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		p.Lanes = []int{i}
		p.Cable = rapid.SampledFrom([]units.Length{40, 100, 300}).Draw(t, "cable") * units.Metre
		if p.QoS.Trust = plan.TrustDSCP; rapid.IntRange(0, 9).Draw(t, "bare") == 0 {
			p.QoS = nil
		}
	}
	if rapid.Bool().Draw(t, "alike") {
		alike(sw)
	}
	if rapid.Bool().Draw(t, "renumbered") {
		renumber(t, sw)
	}
	if dynamic {
		computed(t, sw)
	}
	if qos := sw.Ports[0].QoS; qos != nil && rapid.Bool().Draw(t, "own queues") {
		own := *qos
		own.TCToQueue = &plan.QueueMap{To: sw.Maps.TCToQueue}
		for tc := range own.TCToQueue.To {
			if !slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.Lossless && int(c.TrafficClass) == tc }) {
				own.TCToQueue.To[tc] = 0
			}
		}
		sw.Ports[0].QoS = &own
	}
	return sw
}

// alike gives all lossless PGs of a port what the first has, so that neighbours share a
// row.
func alike(sw *plan.Switch) {
	for i := range sw.Ports {
		if sw.Ports[i].QoS == nil {
			continue
		}
		var first *plan.PG
		for j := range sw.Ports[i].QoS.PGs {
			switch pg := &sw.Ports[i].QoS.PGs[j]; {
			case !pg.Lossless:
			case first == nil:
				first = pg
			default:
				id := pg.ID
				*pg = *first
				pg.ID = id
			}
		}
	}
}

// renumber permutes the PGs.
func renumber(t *rapid.T, sw *plan.Switch) {
	to := rapid.Permutation([]uint8{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "groups")
	m := &sw.Maps
	for i := range 8 {
		m.TCToPG[i], m.PFCToPG[i] = to[m.TCToPG[i]], to[m.PFCToPG[i]]
	}
	seen := make(map[*plan.PortQoS]bool)
	for i := range sw.Ports {
		qos := sw.Ports[i].QoS
		if qos == nil || seen[qos] {
			continue
		}
		seen[qos] = true
		for j := range qos.PGs {
			qos.PGs[j].ID = to[qos.PGs[j].ID]
		}
		slices.SortFunc(qos.PGs, func(a, b plan.PG) int { return int(a.ID) - int(b.ID) })
	}
}

// computed makes it a switch of the dynamic buffer model, some of whose PGs override
// what the switch computes.
func computed(t *rapid.T, sw *plan.Switch) {
	sw.BufferModel = plan.DynamicModel
	sw.Calculator = &plan.Calculator{LosslessFrame: plan.Of(units.Bytes(4200), nil), SmallPackets: plan.Of(100*units.Percent, nil)}
	for i := range sw.Ports {
		if sw.Ports[i].QoS == nil {
			continue
		}
		for j := range sw.Ports[i].QoS.PGs {
			pg := &sw.Ports[i].QoS.PGs[j]
			if pg.Override = rapid.Bool().Draw(t, "override"); pg.Lossless && !pg.Override {
				pg.Limit = plan.Of(plan.Limit{Dynamic: true}, nil)
			}
		}
	}
}

// full returns the whole ConfigDB of a switch.
func full(t testing.TB, sw *plan.Switch) []byte {
	t.Helper()
	files, found := sonic.Emit(sw)
	if found.HasErrors() {
		t.Fatalf("Emit: %v", found)
	}
	return files[0].Body.AppendFor(nil, sw.Names[0])
}

func running(t testing.TB, src []byte) *patch.Running {
	t.Helper()
	r, found := patch.Read("running.json", src)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return r
}

func parse(t testing.TB, src []byte) document {
	t.Helper()
	var doc document
	if err := json.Unmarshal(src, &doc); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return doc
}

func apply(t testing.TB, src []byte, ops ...patch.Operation) []byte {
	t.Helper()
	text := must.Get(json.Marshal(ops))(t)
	p := must.Get(jsonpatch.DecodePatch(text))(t)
	after, err := p.Apply(src)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return after
}

// The patch between random fabrics ends at the new one, and no state on the way has PFC
// on for a priority whose PG has no headroom, or less headroom for a paused PG or a
// headroom pool than both ends give it; neither in its own order, nor in any other
// within a step.
func TestBetweenFabrics(t *testing.T) {
	fabrics := 200
	if testing.Short() {
		fabrics = 40
	}
	for _, dynamic := range []bool{false, true} {
		t.Run(fmt.Sprintf("dynamic=%v", dynamic), func(t *testing.T) {
			var drawn []*plan.Switch
			var texts [][]byte
			draw := rapid.Custom(func(t *rapid.T) *plan.Switch { return fabric(t, dynamic) })
			for i := range fabrics {
				drawn = append(drawn, draw.Example(i))
				texts = append(texts, full(t, drawn[i]))
			}
			random := rand.New(rand.NewPCG(1, 2))
			steps := 0
			for i := range fabrics {
				j := random.IntN(fabrics)
				steps += between(t, texts[i], drawn[j], texts[j], random)
			}
			t.Logf("%d changes, %d operations", fabrics, steps)
		})
	}
}

func between(t *testing.T, src []byte, to *plan.Switch, want []byte, random *rand.Rand) int {
	p, found := patch.Make(to, "leaf-01", running(t, src), nil)
	if found.HasErrors() {
		for _, d := range found {
			if d.Severity == diag.Error {
				t.Errorf("%s\n%s\n%s", d.Message, src, want)
			}
		}
		return 0
	}
	ends := []document{parse(t, src), parse(t, want)}
	needs := needed(ends)
	for _, shuffled := range []bool{false, true} {
		now := parse(t, src)
		for _, step := range p.Steps {
			ops := slices.Clone(step.Operations)
			if shuffled {
				random.Shuffle(len(ops), func(a, b int) { ops[a], ops[b] = ops[b], ops[a] })
			}
			for _, op := range ops {
				now.take(t, op)
				faults := faults(now, ends, needs)
				if !shuffled {
					faults = append(faults, loose(now)...)
				}
				if len(faults) > 0 {
					t.Fatalf("after %s %s of %q: %v\n%s", op.Op, op.Path, step.Title, faults, show(p))
				}
			}
		}
		if diff := cmp.Diff(identity(parse(t, want)), identity(now.tidied(parse(t, want)))); diff != "" {
			t.Fatalf("the end differs (-compiled +patched):\n%s", diff)
		}
	}
	// And so says the standard.
	end := parse(t, apply(t, src, p.Operations()...))
	if diff := cmp.Diff(identity(parse(t, want)), identity(end.tidied(parse(t, want)))); diff != "" {
		t.Fatalf("the end differs (-compiled +patched):\n%s", diff)
	}
	return len(p.Operations())
}

// tidied is a document without what is left where it is wanted without. The table of trimming cannot
// be removed, and cuts nothing where no profile asks for it; profiles and curves that nothing refers
// to bind nothing; no port is watched by the row of all watchdogs.
func (doc document) tidied(want document) document {
	if want["SWITCH_TRIMMING"] == nil {
		delete(doc, "SWITCH_TRIMMING")
	}
	if len(want["PFC_WD"]) == 0 && len(doc["PFC_WD"]) == 1 && doc["PFC_WD"]["GLOBAL"] != nil {
		delete(doc, "PFC_WD")
	}
	for table, by := range map[string][]string{"WRED_PROFILE": {"QUEUE"}, "BUFFER_PROFILE": {"BUFFER_PG", "BUFFER_QUEUE", "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"}} {
		used := map[string]bool{}
		for _, referring := range by {
			for _, row := range doc[referring] {
				for _, value := range row {
					for _, name := range strings.Split(fmt.Sprint(value), ",") {
						used[name] = true
					}
				}
			}
		}
		for name := range doc[table] {
			if want[table][name] == nil && !used[name] {
				delete(doc[table], name)
			}
		}
		if len(doc[table]) == 0 {
			delete(doc, table)
		}
	}
	return doc
}

// take applies one operation, for which the whole text need not be printed and parsed.
func (doc document) take(t *testing.T, op patch.Operation) {
	keys := strings.Split(op.Path, "/")[1:]
	for i := range keys {
		keys[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(keys[i])
	}
	value := must.Get(json.Marshal(op.Value))(t)
	switch add := op.Op != "remove"; len(keys) {
	case 1:
		change(t, doc, keys[0], add, value)
	case 2:
		change(t, doc[keys[0]], keys[1], add, value)
	case 3:
		change(t, doc[keys[0]][keys[1]], keys[2], add, value)
	}
}

func change[T any](t *testing.T, in map[string]T, key string, add bool, value []byte) {
	if _, had := in[key]; !had && !add {
		t.Fatalf("%s is removed and was not there", key)
	}
	if delete(in, key); !add {
		return
	}
	var v T
	must.Do(t, json.Unmarshal(value, &v))
	in[key] = v
}

func show(p *patch.Patch) string {
	text, err := json.MarshalIndent(p.Steps, "", " ")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// identity leaves out what a patch does not touch, and writes each index of a range as
// a row of its own.
func identity(doc document) document {
	delete(doc, "DEVICE_METADATA")
	for _, table := range []string{"BUFFER_PG", "BUFFER_QUEUE", "QUEUE"} {
		split := make(map[string]map[string]string)
		for key, row := range doc[table] {
			for _, i := range claimed(key) {
				split[portOf(key)+"|"+strconv.Itoa(i)] = row
			}
		}
		if len(split) > 0 {
			doc[table] = split
		}
	}
	return doc
}

func portOf(key string) string { return key[:strings.LastIndexByte(key, '|')] }

func claimed(key string) (list []int) {
	low, high, isRange := strings.Cut(key[strings.LastIndexByte(key, '|')+1:], "-")
	if !isRange {
		high = low
	}
	for i := int(count(low)); i <= int(count(high)); i++ {
		list = append(list, i)
	}
	return list
}

func count(text string) int64 {
	v, err := strconv.ParseInt(text, 10, 64)
	if text != "" && err != nil {
		panic(err)
	}
	return v
}

// profileAt returns the profile of a PG, its name and fields; nil where it has none.
func profileAt(doc document, port string, pg int) (name string, fields map[string]string) {
	for key, row := range doc["BUFFER_PG"] {
		if portOf(key) == port && slices.Contains(claimed(key), pg) {
			return row["profile"], doc["BUFFER_PROFILE"][row["profile"]]
		}
	}
	return "", nil
}

// groupOf returns the PG that a priority pauses.
func groupOf(doc document, port string, priority int) int {
	name := doc["PORT_QOS_MAP"][port]["pfc_to_pg_map"]
	if pg, ok := doc["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"][name][strconv.Itoa(priority)]; ok {
		return int(count(pg))
	}
	return priority
}

func enabled(doc document, port string) (list []int) {
	for _, p := range strings.Split(doc["PORT_QOS_MAP"][port]["pfc_enable"], ",") {
		if p != "" {
			list = append(list, int(count(p)))
		}
	}
	return list
}

// held returns the headroom of a PG that PFC protects; ok is false where the file does not
// say it, because nothing pauses the PG or the switch computes it.
func held(doc document, port string, pg int) (bytes int64, ok bool) {
	paused := slices.ContainsFunc(enabled(doc, port), func(p int) bool { return groupOf(doc, port, p) == pg })
	_, profile := profileAt(doc, port, pg)
	text, has := profile["xoff"]
	return count(text), paused && has
}

// needed returns the least headroom that an end gives each PG, of those that say it.
func needed(ends []document) map[string]map[int]int64 {
	needs := make(map[string]map[int]int64)
	for _, end := range ends {
		for port := range end["PORT_QOS_MAP"] {
			if needs[port] == nil {
				needs[port] = make(map[int]int64)
			}
			for pg := range 8 {
				bytes, ok := held(end, port, pg)
				if other, both := needs[port][pg]; ok && (!both || bytes < other) {
					needs[port][pg] = bytes
				}
			}
		}
	}
	return needs
}

// faults returns the losses that a state risks.
func faults(now document, ends []document, needs map[string]map[int]int64) (found []string) {
	fault := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	for port := range now["PORT_QOS_MAP"] {
		for _, priority := range enabled(now, port) {
			pg := groupOf(now, port, priority)
			name, profile := profileAt(now, port, pg)
			text, numbered := profile["xoff"]
			if !numbered && name != "NULL" && profile["headroom_type"] != "dynamic" {
				fault("PFC is on for priority %d of %s, and PG %d is lossy", priority, port, pg)
			}
			if need, ok := needs[port][pg]; ok && numbered && count(text) < need {
				fault("PG %d of %s has %s B, both ends %d B", pg, port, text, need)
			}
		}
	}
	for pool := range now["BUFFER_POOL"] {
		if !poolFits(now, ends, pool) {
			fault("the headroom pool of %s is too small: %s", pool, now["BUFFER_POOL"][pool]["xoff"])
		}
	}
	return found
}

// poolFits: one end's pool is enough for PGs none of which has more than at that end.
func poolFits(now document, ends []document, pool string) bool {
	size := func(doc document) int64 { return count(doc["BUFFER_POOL"][pool]["xoff"]) }
	return slices.ContainsFunc(ends, func(end document) bool {
		for key := range now["BUFFER_PG"] {
			for _, pg := range claimed(key) {
				_, here := profileAt(now, portOf(key), pg)
				if here["pool"] != pool || here["xoff"] == "" {
					continue
				}
				name, there := profileAt(end, portOf(key), pg)
				computed := name == "NULL" || there["headroom_type"] == "dynamic"
				if there["xoff"] == "" && !computed || !computed && count(there["xoff"]) < count(here["xoff"]) {
					return false
				}
			}
		}
		return size(now) >= size(end)
	})
}

// loose are references to nothing, and indices that two rows claim.
func loose(now document) (found []string) {
	for table, to := range map[string]string{"BUFFER_PG": "BUFFER_PROFILE", "BUFFER_QUEUE": "BUFFER_PROFILE"} {
		taken := make(map[string]string)
		for key, row := range now[table] {
			if _, ok := now[to][row["profile"]]; !ok && row["profile"] != "NULL" {
				found = append(found, key+" refers to "+row["profile"])
			}
			for _, i := range claimed(key) {
				index := portOf(key) + "|" + strconv.Itoa(i)
				if other, ok := taken[index]; ok {
					found = append(found, key+" and "+other+" overlap")
				}
				taken[index] = key
			}
		}
	}
	for key, row := range now["BUFFER_PROFILE"] {
		if _, ok := now["BUFFER_POOL"][row["pool"]]; !ok {
			found = append(found, key+" refers to "+row["pool"])
		}
	}
	for key, row := range now["QUEUE"] {
		if _, ok := now["SCHEDULER"][row["scheduler"]]; !ok && row["scheduler"] != "" {
			found = append(found, key+" refers to "+row["scheduler"])
		}
	}
	for table, rows := range now {
		if len(rows) == 0 {
			found = append(found, table+" is empty")
		}
	}
	return slices.Sorted(slices.Values(found))
}
