package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// Lists of cables, and where in them what is wrong stands.
func TestReadCables(t *testing.T) {
	for _, c := range []struct {
		text         string
		want         Cables
		message      string
		line, column int
	}{
		{"switch,port,cable\na,p1,5\nb,p2,40m\n", Cables{{Switch: "a", Port: "p1"}: {Length: 5 * units.Metre}, {Switch: "b", Port: "p2"}: {Length: 40 * units.Metre}}, "", 0, 0},
		{"Cable, Switch ,PORT,speed\n5,a,p1,100000\n6,a,p2,\n7,a,p3\n8,a,p4,25Gbps\n", Cables{
			{Switch: "a", Port: "p1"}: {5 * units.Metre, 100 * units.Gbps}, {Switch: "a", Port: "p2"}: {6 * units.Metre, 0}, {Switch: "a", Port: "p3"}: {7 * units.Metre, 0},
			{Switch: "a", Port: "p4"}: {8 * units.Metre, 25 * units.Gbps},
		}, "", 0, 0},
		{"switch,port\na,p1\n", Cables{}, "the first line has no column cable", 1, 1},
		{"", Cables{}, "the first line has no column switch", 1, 1},
		{"switch,port,cable\na,p1\nb,p2,5\n", Cables{{Switch: "b", Port: "p2"}: {Length: 5 * units.Metre}}, "a row must have a switch, a port and a cable", 2, 1},
		{"switch,port,cable\na,p1,5\n  b,p2,far\n", Cables{{Switch: "a", Port: "p1"}: {Length: 5 * units.Metre}}, `"far`, 3, 8},
		{"switch,port,cable,speed\na,p1,5,fast\n", Cables{}, `"fast`, 2, 8},
		{"switch,port,cable\na,\"p1,5\n", Cables{}, "quote", 1, 1},
	} {
		got, found := ReadCables("cables.csv", []byte(c.text))
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
		if (c.message == "") != (len(found) == 0) {
			t.Errorf("%q: %v", c.text, found)
			continue
		}
		if c.message == "" {
			continue
		}
		at := found[0].Subject
		if len(found) != 1 || !strings.Contains(found[0].Message, c.message) || at.Start.Line != c.line || at.Start.Column != c.column || at.Filename != "cables.csv" {
			t.Errorf("%q: %v at %v, want %q at %d:%d", c.text, found, at, c.message, c.line, c.column)
		}
		// The byte is where line and column are.
		before := c.text[:at.Start.Byte]
		if strings.Count(before, "\n") != at.Start.Line-1 || len(before)-strings.LastIndexByte(before, '\n') != at.Start.Column {
			t.Errorf("%q: byte %d is not line %d, column %d", c.text, at.Start.Byte, at.Start.Line, at.Start.Column)
		}
	}
}

// A list of cables goes before the file, and what they contradict each other in is said.
func TestCablesFill(t *testing.T) {
	said := diag.Range{Filename: "config_db.json"}
	ports := func() *plan.Switch {
		return &plan.Switch{Names: []string{"a", "b"}, Ports: []plan.Port{
			{Name: "p1", Speed: 100 * units.Gbps, Cable: 40 * units.Metre, CableRange: said}, {Name: "p2", Cable: 300 * units.Metre}, {Name: "p3"},
		}}
	}
	for _, c := range []struct {
		list  Cables
		known int
		cable units.Length // of p1
		speed units.BitRate
		codes []diag.Code
	}{
		{Cables{}, 0, 40 * units.Metre, 100 * units.Gbps, nil},
		{Cables{{Switch: "a", Port: "p1"}: {40 * units.Metre, 100 * units.Gbps}}, 1, 40 * units.Metre, 100 * units.Gbps, nil},
		{Cables{{Switch: "b", Port: "p1"}: {Length: 5 * units.Metre}}, 1, 5 * units.Metre, 100 * units.Gbps, []diag.Code{CablesDiffer}},
		{Cables{{Switch: "a", Port: "p1"}: {40 * units.Metre, 25 * units.Gbps}}, 1, 40 * units.Metre, 25 * units.Gbps, []diag.Code{CablesDiffer}},
		// The first of its devices that is in the list counts; a default of the reader is nobody's word.
		{Cables{{Switch: "a", Port: "p1"}: {Length: 40 * units.Metre}, {Switch: "b", Port: "p1"}: {Length: 7 * units.Metre}, {Switch: "a", Port: "p2"}: {Length: 1}}, 2, 40 * units.Metre, 100 * units.Gbps, nil},
		{Cables{{Switch: "a", Port: "p9"}: {Length: 1}, {Switch: "c", Port: "p9"}: {Length: 1}}, 0, 40 * units.Metre, 100 * units.Gbps, []diag.Code{CablesPortMissing}},
	} {
		sw := ports()
		known, found := c.list.fill(sw)
		if known != c.known || sw.Ports[0].Cable != c.cable || sw.Ports[0].Speed != c.speed || !slices.Equal(codes(found), c.codes) {
			t.Errorf("%v: %d known, %v %v, %v", c.list, known, sw.Ports[0].Cable, sw.Ports[0].Speed, found)
		}
	}
	if _, found := (Cables{{Switch: "a", Port: "p1"}: {}}).fill(&plan.Switch{Names: []string{"a"}}); len(found) > 0 {
		t.Errorf("a file in which nothing could be read: %v", found)
	}
	for n, want := range map[int]string{1: "p0", 3: "p0, p1, p2", 4: "p0, p1, p2 and 1 more ports", 5: "p0, p1, p2 and 2 more ports"} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint("p", i))
		}
		must.Equalf(t, listed(names), want, "%d ports:", n)
	}
}

// The names of verdicts are read as they are written, and nothing else is.
func TestVerdictText(t *testing.T) {
	for v, want := range map[Verdict]string{Proved: "proved", Conditional: "conditional", NotJudged: "not judged", Refuted: "refuted"} {
		text, err := v.MarshalText()
		if string(text) != want || err != nil {
			t.Errorf("%d is %q, want %q", v, text, want)
		}
		back := Verdict(99)
		if err := back.UnmarshalText(text); err != nil || back != v {
			t.Errorf("%q is read as %d, %v", text, back, err)
		}
	}
	if err := new(Verdict).UnmarshalText([]byte("good")); err == nil || err.Error() != `"good" is none of [proved conditional not judged refuted]` {
		t.Errorf("%v", err)
	}
	for from, want := range map[proof.Verdict]Verdict{proof.Holds: Proved, proof.Conditional: Conditional, proof.Unjudged: NotJudged, proof.Fails: Refuted} {
		must.Equalf(t, verdictOf(from), want, "%v is", from)
	}
	g := Group{Verdict: Conditional}
	if g.worsen(Proved); g.Verdict != Conditional {
		t.Errorf("a better verdict counts: %v", g.Verdict)
	}
	if g.worsen(Refuted); g.Verdict != Refuted {
		t.Errorf("a worse verdict does not count: %v", g.Verdict)
	}
}

// What is known of formats is found by the name of their target.
func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		if got, ok := FormatOf(f.Name); !ok || got.Title != f.Title {
			t.Errorf("%s is %q, %v", f.Name, got.Title, ok)
		}
		if Telling(f) >= Telling(read.Format{Name: "gone"}) {
			t.Errorf("%s has no place by how much it says", f.Name)
		}
	}
	if got, ok := FormatOf("gone"); ok || got.Name != "" {
		t.Errorf("a format that is not there: %q", got.Name)
	}
	must.Equal(t, FormatTitles(), "NVUE, OpenConfig, Nokia SR Linux, SONiC, NX-OS, Junos Evolved, EOS")
}

// linked is a plan of switches with as many lossless ports as are named, and cables "a-b".
func linked(ports map[string]int, hosts string, cables ...string) *plan.Plan {
	p := &plan.Plan{Hosts: []*plan.Host{{Name: "nic"}}}
	for _, name := range []string{"a", "b", "c", "d"} {
		if ports[name] == 0 {
			continue
		}
		sw := &plan.Switch{Names: []string{name}, Ports: []plan.Port{{Name: "lossy", QoS: &plan.PortQoS{}, Peer: "nic"}, {Name: "bare", Peer: "nic"}}}
		for i := range ports[name] {
			port := plan.Port{Name: fmt.Sprint("p", i), QoS: &plan.PortQoS{PFC: 1 << 3}}
			if i == 0 && strings.Contains(hosts, name) {
				port.Peer = "nic"
			}
			sw.Ports = append(sw.Ports, port)
		}
		p.Switches = append(p.Switches, sw)
	}
	for _, cable := range cables {
		a, b, _ := strings.Cut(cable, "-")
		p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: a}, B: plan.LinkEnd{Switch: b}})
	}
	return p
}

// Where packets begin and end: at switches with a NIC, else at those with a lossless port that no
// cable takes, else everywhere.
func TestTopology(t *testing.T) {
	for _, c := range []struct {
		name  string
		p     *plan.Plan
		edges string
		links int
	}{
		{"NICs at a and b", linked(map[string]int{"a": 2, "b": 2, "c": 2}, "ab", "a-c", "b-c"), "ab", 2},
		{"a port is left at a", linked(map[string]int{"a": 2, "b": 1, "c": 2}, "", "a-c", "b-c"), "a", 2},
		{"every port has a cable", linked(map[string]int{"a": 1, "b": 1, "c": 2}, "", "a-c", "b-c"), "abc", 2},
		{"a cable to a device outside", linked(map[string]int{"a": 1, "b": 1, "c": 3}, "", "a-c", "b-c", "c-x"), "c", 2},
		{"all ports are taken, one by a cable to a device outside", linked(map[string]int{"a": 1, "b": 1, "c": 2}, "", "a-c", "b-c", "c-x"), "c", 2},
		{"a cable to oneself takes no port", linked(map[string]int{"a": 2, "b": 1}, "", "a-b", "a-a"), "a", 1},
	} {
		top := topologyOf(c.p)
		edges := ""
		for _, d := range top.Devices {
			if d.Edge {
				edges += d.Name
			}
		}
		if edges != c.edges || len(top.Links) != c.links {
			t.Errorf("%s: %q with %d links, want %q with %d", c.name, edges, len(top.Links), c.edges, c.links)
		}
	}
}

// A line of switches has no circle and is cut by each failure. In a ring of four with hosts at all,
// packets go to the opposite switch both ways, a-b-c, b-c-d, c-d-a and d-a-b: that is a circle.
func TestDeadlocks(t *testing.T) {
	if r, found, err := checkDeadlock(linked(map[string]int{"a": 1}, "a"), nil); r != nil || len(found) > 0 || err != nil {
		t.Errorf("without cables: %v, %v, %v", r, found, err)
	}
	steps := 0
	r, found, err := checkDeadlock(linked(map[string]int{"a": 2, "b": 3, "c": 2}, "ac", "a-b", "b-c"), func(int, int) { steps++ })
	if err != nil || r.Devices != 3 || r.Links != 2 || !r.Free || r.Singles == 0 || r.SinglesExamined == 0 || steps == 0 {
		t.Errorf("a line: %+v, %v, %d steps", r, err, steps)
	}
	// Two cables are alike: with one failed, a and c have no path; so with both.
	if len(r.AfterFailure) != 2 || r.AfterFailure[0].Cut != 1 || r.AfterFailure[0].Alike != 2 || !slices.Equal(codes(found), []diag.Code{PathCut}) {
		t.Errorf("a line: %+v, %v", r.AfterFailure, found)
	}
	if !strings.Contains(found[0].Message, "failed (or a similar one), no path joins 1 pair of switches with hosts") {
		t.Error(found[0].Message)
	}
	r, found, err = checkDeadlock(linked(map[string]int{"a": 3, "b": 3, "c": 3, "d": 3}, "abcd", "a-b", "b-c", "c-d", "d-a"), nil)
	if err != nil || r.Free || len(found) == 0 || found[0].Code != DeadlockCycle || !strings.Contains(found[0].Message, "a → b, b → c, c → d, d → a") {
		t.Errorf("a ring: free %v, and %v, %v", r.Free, found, err)
	}
	// Two leaves under two spines: what can wait in a circle while routing converges is told once.
	r, found, err = checkDeadlock(linked(map[string]int{"a": 3, "b": 3, "c": 2, "d": 2}, "ab", "a-c", "a-d", "b-c", "b-d"), nil)
	told := 0
	for _, d := range found {
		if d.Code == DeadlockConverging {
			if told++; !strings.Contains(d.Message, "converges after "+r.Converging[0].Failed[0]+" failed") {
				t.Error(d.Message)
			}
		}
	}
	if err != nil || !r.Free || len(r.Converging) == 0 || told != 1 {
		t.Errorf("leaves and spines: %+v, %d told, %v, %v", r, told, found, err)
	}
	if others(1) != "" || others(2) != " (or a similar one)" {
		t.Errorf("%q, %q", others(1), others(2))
	}
}

// Findings of switches and files that do not match.
func TestMissing(t *testing.T) {
	v := &Verifier{planned: map[string]*plan.Switch{"a": {}, "b": {}, "c": {}}}
	found := v.missing([]*Switch{{Names: []string{"b", "x"}, Files: []string{"b.json", "x.json"}}})
	var told []string
	for _, d := range found {
		told = append(told, fmt.Sprintf("%s %s %s", d.Code, d.Subject.Filename, d.Message))
	}
	want := []string{
		"switch-unknown x.json x is not a switch of the fabric, so it is judged by itself",
		"switch-missing  the switch a of the fabric has no file", "switch-missing  the switch c of the fabric has no file",
	}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// Files in the folder of another device, and two of one name for one device.
func TestMisplaced(t *testing.T) {
	v := &Verifier{planned: map[string]*plan.Switch{"a": {}}}
	file := func(name, device, folder string, named bool) sighting {
		s := sighting{file: File{Name: name}, device: device, folder: folder, named: named}
		if named && folder != "" && folder != device {
			s.at = diag.Range{Filename: name}
		}
		return s
	}
	for _, c := range []struct {
		name string
		seen []sighting
		want []diag.Code
	}{
		{"each in its own", []sighting{file("a/c.json", "a", "a", true), file("b/c.json", "b", "b", true)}, nil},
		{"b's in the folder of a", []sighting{file("a/c.json", "b", "a", true)}, []diag.Code{DeviceMisplaced}},
		{"in a folder that is no device's", []sighting{file("new/c.json", "b", "new", true)}, nil},
		{"twice", []sighting{file("1/c.json", "b", "", true), file("2/c.json", "b", "", true)}, []diag.Code{DeviceTwice}},
		{"two files of other names", []sighting{file("1/c.json", "b", "", true), file("1/d.json", "b", "", true)}, nil},
		{"nobody says that it is b's", []sighting{file("1/c.json", "b", "", true), file("2/c.json", "b", "", false)}, nil},
	} {
		if got := codes(v.misplaced(c.seen)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// How a file's device is called: by its text, its folder, or its own name; and its line.
func TestSee(t *testing.T) {
	all := Formats()
	usual := usualNames(all)
	const eos = "! Command: show running-config\nhostname tor-1\n!\nqos profile x\n"
	for _, c := range []struct{ name, text, device, folder, at string }{
		{"tor-1/eos.cfg", eos, "tor-1", "tor-1", ""},
		{"tor-2/eos.cfg", eos, "tor-1", "tor-2", "2,10-15"},
		{"eos.cfg", eos, "tor-1", "", ""},
		{"x/tor-9.cfg", "nothing known", "tor-9", "", ""},
		{"tor-7/config_db.json", "nothing known", "tor-7", "tor-7", ""},
	} {
		s, err := see(all, usual, Text(c.name, []byte(c.text)))
		at := ""
		if s.at.Filename != "" {
			at = fmt.Sprintf("%d,%d-%d", s.at.Start.Line, s.at.Start.Column, s.at.End.Column)
			must.Equalf(t, c.text[s.at.Start.Byte:s.at.End.Byte], s.device, "%s: the bytes are", c.name)
		}
		if err != nil || s.device != c.device || s.folder != c.folder || at != c.at {
			t.Errorf("%s: device %q, folder %q, at %q, %v; want %q, %q, %q", c.name, s.device, s.folder, at, err, c.device, c.folder, c.at)
		}
	}
	shapes, err := Read([]File{Text("b.txt", []byte("nothing known")), Text("a.txt", []byte("nothing known")), Text("c.txt", []byte("nothing else"))}, 0)
	if err != nil || len(shapes) != 2 || !slices.Equal(shapes[0].Devices, []string{"a", "b"}) || shapes[0].First() != "a.txt" || !slices.Equal(codes(shapes[1].Found), []diag.Code{FormatUnknown}) {
		t.Errorf("%d shapes, %v", len(shapes), err)
	}
}

// Names of what no line of a lossless group gives.
func TestMissingAmounts(t *testing.T) {
	why := &plan.Why{Kind: plan.ReadBack}
	whole := plan.PG{Headroom: plan.Of(units.Bytes(1), why), Limit: plan.Of(plan.Limit{}, why), XOn: plan.Of(units.Bytes(1), why), Reserved: plan.Of(units.Bytes(1), why)}
	for _, c := range []struct {
		edit func(*plan.PG)
		want string
	}{
		{func(*plan.PG) {}, ""},
		{func(pg *plan.PG) { pg.Headroom.Why = nil }, "headroom"},
		{func(pg *plan.PG) { pg.Limit.Why = nil }, "threshold"},
		{func(pg *plan.PG) { pg.XOn.Why = nil }, "distance at which it resumes"},
		{func(pg *plan.PG) { pg.XOn.Why, pg.XOnOffset.Why = nil, why }, ""},
		{func(pg *plan.PG) { pg.Reserved.Why, pg.Headroom.Why = nil, nil }, "headroom, reserve"},
	} {
		pg := whole
		c.edit(&pg)
		must.Equal(t, strings.Join(missingOf(&pg), ", "), c.want)
	}
	// The place is that of the first lossless group with headroom.
	at := func(line int) diag.Range { r := diag.Range{Filename: "f"}; r.Start.Line = line; return r }
	sw := &plan.Switch{Ports: []plan.Port{{QoS: &plan.PortQoS{PGs: []plan.PG{
		{ID: 0, Headroom: plan.Of(units.Bytes(1), &plan.Why{Range: at(1)})}, {ID: 3, Lossless: true}, {ID: 4, Lossless: true, Headroom: plan.Of(units.Bytes(1), &plan.Why{Range: at(3)})},
	}}}}}
	if got := (&Switch{Plan: sw}).losslessRange(); got.Start.Line != 3 {
		t.Errorf("line %d, want 3", got.Start.Line)
	}
}

// A group or queue without a threshold gets the whole pool, one that has a threshold or headroom
// keeps what it has, and one that is not there is made in its place.
func TestUnbound(t *testing.T) {
	why := &plan.Why{Kind: plan.ReadBack}
	qos := &plan.PortQoS{
		PGs:    []plan.PG{{ID: 0}, {ID: 3, Lossless: true}, {ID: 5, Limit: plan.Of(plan.Limit{Static: 7}, why)}},
		Queues: []plan.Queue{{ID: 0}, {ID: 5, Limit: plan.Of(plan.Limit{Static: 7}, why)}},
	}
	for id, want := range map[uint8]bool{0: true, 3: false, 5: false, 4: true} {
		must.Equalf(t, unboundGroup(qos, id), want, "group %d:", id)
	}
	for id, want := range map[uint8]bool{0: true, 5: false, 2: true} {
		must.Equalf(t, unboundQueue(qos, id), want, "queue %d:", id)
	}
	var groups, queues []string
	for _, pg := range qos.PGs {
		groups = append(groups, fmt.Sprint(pg.ID, pg.Limit.Value.Static == plan.NoLimit))
		if free := pg.ID == 0 || pg.ID == 4; free && pg.Limit.Why.Kind != plan.Default {
			t.Errorf("group %d: the limit is %v, and nobody gave one", pg.ID, pg.Limit.Why.Kind)
		}
	}
	for _, q := range qos.Queues {
		queues = append(queues, fmt.Sprint(q.ID, q.Limit.Value.Static == plan.NoLimit, q.Scheduler.Strict))
	}
	must.Equalf(t, strings.Join(groups, "; "), "0 true; 3 false; 4 true; 5 false", "groups:")
	must.Equalf(t, strings.Join(queues, "; "), "0 true false; 2 true true; 5 false false", "queues:")
}

// Of a device the worst of its files that count is counted, and strictness asks for proof.
func TestDevices(t *testing.T) {
	of := func(v Verdict, names ...string) *Switch {
		return &Switch{Names: names, Verdict: v, shape: &Shape{Format: read.Format{Name: "sonic"}}, Coverage: Coverage{Groups: 1}}
	}
	spared := of(NotJudged, "c", "d") // another file has the verdict on c, and none is left for d
	spared.spared = true
	r := &Report{Switches: []*Switch{of(Proved, "a", "b"), of(Conditional, "b"), of(Proved, "c"), spared}}
	if got := r.Devices(); got[Proved] != 2 || got[Conditional] != 1 || len(got) != 2 {
		t.Errorf("%v", got)
	}
	if r.Verdict() != Conditional || !r.Passes(false) || r.Passes(true) {
		t.Errorf("%v, passes %v, strictly %v", r.Verdict(), r.Passes(false), r.Passes(true))
	}
	r.Switches = r.Switches[:1]
	if r.Verdict() != Proved || !r.Passes(true) {
		t.Errorf("%v, strictly %v", r.Verdict(), r.Passes(true))
	}
	r.Findings.Warnf(PathCut, diag.Range{}, "a warning")
	if !r.Passes(true) {
		t.Error("a warning counts")
	}
	r.Findings.Errorf(PathCut, diag.Range{}, "an error")
	if r.Passes(false) {
		t.Error("an error does not count")
	}
	if (&Report{Switches: []*Switch{of(NotJudged, "a")}}).Passes(false) {
		t.Error("what is not judged passes")
	}
}

// A certificate names its switch, or the first of several.
func TestProblemNames(t *testing.T) {
	for want, switches := range map[string][]string{"no switch: x": nil, "a: x": {"a"}, "a and 1 device more: x": {"a", "b"}, "a and 2 devices more: x": {"a", "b", "c"}} {
		r := &Rechecked{}
		r.problem(&proof.Certificate{Switches: switches}, "x")
		must.Equal(t, r.Problems[0].Message, want)
	}
	if cellOf(&proof.Certificate{}) != 0 {
		t.Error("a certificate without a model has a cell")
	}
	if _, err := ParseCertificates([]byte("{}")); err == nil || err.Error() != "this is not a file of certificates: it has no schema" {
		t.Errorf("%v", err)
	}
	const older = `{"schema": "roceplan/certificates/1", "devices": [], "certificates": [{"schema": "roceplan/certificate/6"}]}`
	if _, err := ParseCertificates([]byte(older)); err == nil || err.Error() != `the schema is "roceplan/certificates/1", this program reads "roceplan/certificates/2": write the certificates again` {
		t.Errorf("%v", err)
	}
	if _, err := ParseCertificates([]byte("[1]")); err == nil || !strings.HasPrefix(err.Error(), "this is not a file of certificates: ") {
		t.Errorf("%v", err)
	}
	if _, err := ParseCertificates([]byte(`{"schema": "roceplan/certificates/2", "certificates": [1]}`)); err == nil || !strings.HasPrefix(err.Error(), "certificate 1: ") {
		t.Errorf("%v", err)
	}
}

// What is shown where nobody asks for progress or a chip: margins of each shape in its place.
func TestMarginsOfEach(t *testing.T) {
	p, catalogue := planOf(t, "tomahawk-eos-pod")
	steps := 0
	v := New(Options{Catalogue: catalogue, Context: context.Background(), Step: func() { steps++ }})
	all, err := v.Margins(p)
	if err != nil || len(all) != len(p.Switches) || steps != len(all) {
		t.Fatalf("%d of %d, %d steps, %v", len(all), len(p.Switches), steps, err)
	}
	for i, margins := range all {
		if len(margins) == 0 {
			t.Errorf("%s has no margin", p.Switches[i].Names[0])
		}
	}
}
