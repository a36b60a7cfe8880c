package verify

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// sample is a file that is proved where peers respond within 1.5 us.
func sample(t *testing.T) []byte {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/config_db.json"))(t)
	return text
}

func trident3(t *testing.T) Options {
	t.Helper()
	catalogue, _ := chips.Load()
	chip, ok := catalogue.Find("trident3")
	if !ok {
		t.Fatal("the catalogue has no trident3")
	}
	response := 1500 * units.Nanosecond
	return Options{Catalogue: catalogue, Chip: chip, Peers: Peers{Response: &response}}
}

func judge(t *testing.T, o Options, files ...File) *Report {
	t.Helper()
	r := must.Get(Judge(files, o))(t)
	return r
}

// Where no lossless group was read there is no verdict: never a proof.
func TestNothingRead(t *testing.T) {
	for _, text := range []string{"", "{}", "hello world", "null", "[]", "\ufeff", "\ufeff{}", "---\n", "!\n", "hostname x\n", `{"PORT": {"Ethernet0": {"speed": "100000"}}}`} {
		r := judge(t, trident3(t), Text("config", []byte(text)))
		// A switch that has ports and no RoCE is no error, and no proof either.
		ports := strings.Contains(text, "PORT")
		if r.Verdict() != NotJudged || r.Passes(false) || r.Findings.HasErrors() == ports || len(r.Findings) == 0 {
			t.Errorf("%q is %v, passes %v, found %v", text, r.Verdict(), r.Passes(false), r.Findings)
		}
	}
}

// A line that could have made ports lossless and was not read is named, where no port has PFC.
func TestNothingReadOfRange(t *testing.T) {
	text := "! device: leaf-1 (DCS-7050SX3-48YC8, EOS-4.30.1F)\nhostname leaf-1\ninterface Ethernet1/1-4/1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\ninterface Ethernet5\n   no shutdown\n"
	r := judge(t, trident3(t), Text("leaf-1.cfg", []byte(text)))
	named := func(r Reason) bool {
		return strings.Contains(r.Message, "interface Ethernet1/1-4/1") && strings.Contains(r.Message, "not documented")
	}
	if because := r.Switches[0].Because; r.Verdict() != NotJudged || !slices.ContainsFunc(because, named) {
		t.Errorf("%v: %v", r.Verdict(), because)
	}
}

// A largest frame without a response leaves the response to the standard, which the proof
// takes from IEEE 802.3: nothing is declared of it. It was 0 once.
func TestFrameAlone(t *testing.T) {
	a := Peers{LosslessFrame: 1500}.assumed()
	if a.Declared || a.LosslessFrame.Value != 1500 {
		t.Errorf("declared is %+v", a)
	}
}

// A byte order mark changes nothing.
func TestByteOrderMark(t *testing.T) {
	plain := judge(t, trident3(t), Text("config_db.json", sample(t)))
	marked := judge(t, trident3(t), Text("config_db.json", append([]byte("\ufeff"), sample(t)...)))
	if plain.Verdict() != Proved || marked.Verdict() != Proved {
		t.Errorf("plain %v, marked %v: %v", plain.Verdict(), marked.Verdict(), marked.Findings)
	}
}

// A declared response proves under that declaration, and the report says so.
func TestDeclaredIsListed(t *testing.T) {
	r := judge(t, trident3(t), Text("config_db.json", sample(t)))
	if !slices.Contains(r.Switches[0].Declared, "every peer responds to a pause within 1.5us") {
		t.Errorf("declared: %v", r.Switches[0].Declared)
	}
}

func TestScope(t *testing.T) {
	sw := &plan.Switch{Ports: []plan.Port{
		{Name: "a", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}, {ID: 0}}}},
		{Name: "b", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 0}}}},
	}}
	for i := range uint8(8) {
		sw.Maps.TCToQueue[i] = i
	}
	sw.Maps.TCToPG[3], sw.Maps.DSCPToTC[26] = 3, 3
	l, g := losslessOf(sw), &Group{Group: proof.Group{Ports: []string{"a"}, PG: 3}}
	for _, c := range []struct {
		scope read.Scope
		want  bool
	}{
		{read.Scope{}, true},
		{read.Scope{Ports: []string{"a"}}, true},
		{read.Scope{Ports: []string{"b"}}, false},
		{read.Scope{Ports: []string{"unknown"}}, true},
		{read.Scope{Queues: 1 << 3}, true},
		{read.Scope{Queues: 1 << 2}, false},
		{read.Scope{PGs: 1 << 3}, true},
		{read.Scope{PGs: 1<<0 | 1<<4}, false},
		{read.Scope{TCs: 1 << 3}, true},
		{read.Scope{TCs: 1 << 0}, false},
		{read.Scope{DSCPs: 1 << 26}, true},
		{read.Scope{DSCPs: 1 << 27}, false},
		{read.Scope{Ports: []string{"a"}, Queues: 1 << 2}, false},
	} {
		must.Equalf(t, l.touches(c.scope, g), c.want, "%+v touches:", c.scope)
	}
}

// What is put into a tunnel leaves by a queue of its own. What comes out of it may lie in a lossless group
// by the tunnel's map alone: here class 2, to which code point 10 inside leads.
func TestScopeOfTunnel(t *testing.T) {
	sw := &plan.Switch{Ports: []plan.Port{{Name: "a", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}, {ID: 0}}}}}, Tunnel: &plan.Tunnel{}}
	for i := range uint8(8) {
		sw.Maps.TCToQueue[i] = i
	}
	sw.Maps.TCToPG[3], sw.Maps.DSCPToTC[26] = 3, 3
	sw.Tunnel.TCToQueue[3], sw.Tunnel.TCToPG[2], sw.Tunnel.DSCPToTC[10] = 6, 3, 2
	want := lossless{tcs: 1<<2 | 1<<3, queues: 1<<2 | 1<<3 | 1<<6, dscps: 1<<10 | 1<<26}
	if l := losslessOf(sw); l.tcs != want.tcs || l.queues != want.queues || l.dscps != want.dscps {
		t.Errorf("%+v, want %+v", l, want)
	}
}

// A certificate from which any obligation on lossless packets was taken is refused, and so is
// one from which a whole group was.
func TestRecheckDemandsAll(t *testing.T) {
	open := func(name string) File { return Text(name, sample(t)) }
	r := judge(t, trident3(t), Text("config_db.json", sample(t)))
	whole := must.Get(r.Certificates())(t)
	text := must.Get(whole.Marshal())(t)
	problems := func(change func(c *proof.Certificate)) []Reason {
		list := must.Get(ParseCertificates(text))(t)
		change(list.Shapes[0])
		got := must.Get(Recheck(list, open, nil))(t)
		return got.Problems
	}
	if got := problems(func(*proof.Certificate) {}); len(got) > 0 {
		t.Fatalf("as it is: %v", got)
	}
	all := whole.Shapes[0].Obligations
	for i, o := range all {
		if got := problems(func(c *proof.Certificate) { c.Obligations = slices.Delete(c.Obligations, i, i+1) }); len(got) == 0 {
			t.Errorf("without %s, %s: no problem", o.ID, o.Where)
		}
	}
	if got := problems(func(c *proof.Certificate) {
		c.Obligations = slices.DeleteFunc(c.Obligations, func(o proof.Claim) bool { return strings.Contains(o.Where, "PG 5") })
	}); len(got) == 0 {
		t.Error("without the group: no problem")
	}
	if got := problems(func(c *proof.Certificate) {
		c.Obligations = nil
		c.Model.Ports, c.Model.Config.Ports = nil, nil
	}); len(got) == 0 {
		t.Error("without anything: no problem")
	}
}

// A format whose reader accounts for nothing proves nothing.
func TestNothingAccounted(t *testing.T) {
	shapes := must.Get(Read([]File{Text("config_db.json", sample(t))}, 0))(t)
	for _, ledger := range []read.Ledger{shapes[0].Ledger, {}} {
		shape := *shapes[0]
		shape.Ledger = ledger
		got := must.Get(New(trident3(t)).Shapes([]*Shape{&shape}))(t)
		want := Proved
		if len(ledger.Statements) == 0 {
			want = NotJudged
		}
		if s := got[0]; s.Verdict != want || len(s.Groups) == 0 || s.Groups[0].Verdict != want {
			t.Errorf("with %d statements: %v, groups %v, because %v", len(ledger.Statements), s.Verdict, s.Groups, s.Because)
		}
	}
}

// A line that is not modelled keeps the certificate from saying that anything holds, and a
// certificate that keeps quiet about it is refused.
func TestCertificateOfOpenLine(t *testing.T) {
	text := bytes.Replace(sample(t), []byte("{"), []byte(`{"TABLE_OF_NOBODY": {"Ethernet0": {"obeyed": "true"}},`), 1)
	open := func(name string) File { return Text(name, text) }
	r := judge(t, trident3(t), Text("config_db.json", text))
	if r.Verdict() != NotJudged {
		t.Fatalf("the verdict is %v", r.Verdict())
	}
	list, err := r.Certificates()
	if err != nil || len(list.Shapes) != 1 {
		t.Fatal(list, err)
	}
	c := list.Shapes[0]
	if c.Verdict != proof.Unjudged || len(c.Because) != 1 || !strings.Contains(c.Because[0], "TABLE_OF_NOBODY") || !strings.HasPrefix(c.Because[0], "line 1: ") {
		t.Errorf("the certificate says %q, because %q", c.Verdict, c.Because)
	}
	problems := func() []Reason {
		got := must.Get(Recheck(list, open, nil))(t)
		if got.Proved != (c.Because == nil) {
			t.Errorf("proved %v, because %q", got.Proved, c.Because)
		}
		return got.Problems
	}
	if got := problems(); len(got) > 0 {
		t.Errorf("as it is: %v", got)
	}
	whole := c.Standing
	for name, standing := range map[string]proof.Standing{
		"without its reason":   {Coverage: whole.Coverage, Declared: whole.Declared},
		"without its coverage": {Declared: whole.Declared, Because: whole.Because},
		"without the chip":     {Coverage: whole.Coverage, Because: whole.Because},
	} {
		c.Stand(standing)
		if got := problems(); len(got) != 1 {
			t.Errorf("%s: %v", name, got)
		}
	}
	c.Stand(whole)
	c.Declared = c.Declared[:1] // the chip alone, without what was declared of peers
	if got, err := Recheck(list, open, r); err != nil || len(got.Problems) != 1 {
		t.Errorf("without the response, against a fresh proof: %v, %v", got, err)
	}
}

// Without its buffer profile a switch of EOS has defaults that nobody knows: it is neither
// proved nor refuted, and what is missing is named. It had 0 bytes once, and lost packets.
func TestDefaultsOfEOS(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk")
	o := Options{Catalogue: catalogue, Chip: chip, Cables: Cables{}, Peers: trident3(t).Peers}
	for _, port := range []string{"Ethernet1/1", "Ethernet2/1"} {
		o.Cables[plan.LinkEnd{Switch: "leaf-1", Port: port}] = Cable{Length: 5 * units.Metre, Speed: 100 * units.Gbps}
	}
	text := must.Get(os.ReadFile("testdata/plain.cfg"))(t)
	profile := "platform trident mmu queue profile own\n ingress headroom 200000\n ingress resume 8000\n ingress priority-group 3 reserved 1248\n" +
		" ingress priority-group 3 threshold 1\nplatform trident mmu queue profile own apply\n"
	for _, c := range []struct {
		gone    string
		verdict Verdict
		missing string
	}{
		{profile, NotJudged, "no headroom, no threshold, no distance at which it resumes, no reserve"},
		{" ingress headroom 200000\n", NotJudged, "no headroom: EOS has defaults"},
		{" ingress resume 8000\n", NotJudged, "no distance at which it resumes: EOS has defaults"},
		{" ingress priority-group 3 reserved 1248\n", NotJudged, "no reserve: EOS has defaults"},
		{" ingress priority-group 3 threshold 1\n", NotJudged, "no threshold: EOS has defaults"},
		{"", Conditional, ""}, // EOS is not told how memory is divided
	} {
		whole := strings.Replace(profile, c.gone, "", 1) + string(text)
		if c.gone == "" {
			whole = profile + string(text)
		}
		s := judge(t, o, Text("leaf-1.cfg", []byte(whole))).Switches[0]
		if s.Verdict != c.verdict {
			t.Errorf("without %q: %v, because %v", c.gone, s.Verdict, s.Because)
			continue
		}
		if c.missing != "" && !slices.ContainsFunc(s.Because, func(r Reason) bool { return strings.Contains(r.Message, c.missing) && r.At != "" }) {
			t.Errorf("without %q: because %v", c.gone, s.Because)
		}
	}
}

// A speed that the file says and what the fabric compiles to does not is checked against the
// fabric.
func TestSpeedAgrees(t *testing.T) {
	p, catalogue := planOf(t, "tomahawk-eos-pod")
	text := must.Get(os.ReadFile("../golden/tomahawk-eos-pod/leaf-1/eos.cfg"))(t)
	for line, want := range map[string]bool{"speed forced 100gfull": false, "speed forced 25gfull": true} {
		edited := bytes.Replace(text, []byte("interface Ethernet5/1\n"), []byte("interface Ethernet5/1\n   "+line+"\n"), 1)
		s := judge(t, Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{eos.Target()}}}, Text("leaf-1/eos.cfg", edited)).Switches[0]
		if got := slices.Contains(codes(s.Findings), lint.FabricPortDiffers); got != want {
			t.Errorf("%s: %v, %v", line, got, s.Findings)
		}
	}
}

// Files of a tree: hidden ones and others that look like configuration are skipped, a
// folder that is a link and what is not a regular file are refused.
func TestBelow(t *testing.T) {
	tree := fstest.MapFS{
		"leaf-1/config_db.json": {Data: []byte("{}")}, "leaf-1/model.json": {}, "leaf-1/.old.json": {}, ".git/a.json": {}, "leaf-2/running-config": {}, "readme.md": {},
	}
	files, err := Below(tree, ".", "model.json")
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if want := []string{"leaf-1/config_db.json", "leaf-2/running-config"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v, want %v", names, err, want)
	}
	if _, err := In(fstest.MapFS{"pipe": {Mode: fs.ModeNamedPipe}}, "pipe").Read(); err == nil {
		t.Error("a pipe is read")
	}
	if _, err := In(fstest.MapFS{"large": {Data: make([]byte, regular.Most+1)}}, "large").Read(); err == nil {
		t.Error("a file of more than regular.Most bytes is read")
	}
}

// Files that differ by the device's name alone are judged once.
func TestShapes(t *testing.T) {
	second := bytes.Replace(sample(t), []byte("leaf-1"), []byte("leaf-2"), 1)
	r := judge(t, trident3(t), Text("a/config_db.json", sample(t)), Text("b/config_db.json", second))
	if len(r.Switches) != 1 || !slices.Equal(r.Switches[0].Names, []string{"leaf-1", "leaf-2"}) || r.Devices()[Proved] != 2 {
		t.Errorf("switches: %v", r.Switches)
	}
}

func codes(found diag.List) (list []diag.Code) {
	for _, d := range found {
		list = append(list, d.Code)
	}
	return list
}

// The same bytes get the same verdict with and without the fabric, except for what it declares.
func TestFabricAddsFactsAlone(t *testing.T) {
	p, catalogue := planOf(t, "tomahawk-eos-pod")
	planned := plannedSwitch(t, p, "leaf-1")
	text := must.Get(os.ReadFile("../golden/tomahawk-eos-pod/leaf-1/eos.cfg"))(t)
	file := Text("leaf-1/eos.cfg", text)
	with := judge(t, Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p}}, file)
	alone := Options{Catalogue: catalogue, Cables: Cables{}}
	alone.Chip, _ = catalogue.Find(planned.Chip)
	for _, port := range planned.Ports {
		alone.Cables[plan.LinkEnd{Switch: "leaf-1", Port: port.Name}] = Cable{Length: port.Cable, Speed: port.Speed}
	}
	without := judge(t, alone, file)
	if with.Switches[0].Verdict != without.Switches[0].Verdict {
		t.Errorf("with the fabric %v, without %v: %v", with.Switches[0].Verdict, without.Switches[0].Verdict, codes(without.Findings))
	}
	pools := func(s *Switch) (all []string) {
		for _, p := range s.Plan.Pools {
			all = append(all, p.Name+" "+p.Size.Value.String())
		}
		return all
	}
	if a, b := pools(with.Switches[0]), pools(without.Switches[0]); !slices.Equal(a, b) {
		t.Errorf("pools with the fabric %v, without %v", a, b)
	}
}
