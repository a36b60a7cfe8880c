package patch_test

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A text is a ConfigDB where encoding/json takes it as tables of rows of fields, whatever is cut off
// or replaced; where it is none, one finding of one byte says so, at the byte that encoding/json
// names if it is no JSON at all.
func TestReadIsOfJSON(t *testing.T) {
	const whole = `{"T": {"a": {"f": "1", "g": ["x", "y"]}, "b": {}}, "U": {"c": {"h": "é"}}}`
	texts := []string{whole}
	for i := range whole {
		texts = append(texts, whole[:i], whole[:i]+whole[i+1:])
		for _, c := range []string{"x", "{", "}", `"`, ",", ":", "5", "["} {
			texts = append(texts, whole[:i]+c+whole[i+1:])
		}
	}
	refused := 0
	for _, text := range texts {
		var rows map[string]map[string]map[string]json.RawMessage
		wrong := json.Unmarshal([]byte(text), &rows)
		r, found := patch.Read("running.json", []byte(text))
		if (r == nil) != (wrong != nil) || (len(found) == 1) != (wrong != nil) {
			t.Errorf("%s: %v, and encoding/json says %v", text, found, wrong)
			continue
		}
		if wrong == nil {
			for table := range rows {
				for row := range rows[table] {
					if len(r.DB[table][row]) != len(rows[table][row]) {
						t.Errorf("%s: %s|%s has %d fields, want %d", text, table, row, len(r.DB[table][row]), len(rows[table][row]))
					}
				}
			}
			continue
		}
		refused++
		at := found[0].Subject
		var syntax *json.SyntaxError
		if errors.As(wrong, &syntax) && !strings.Contains(found[0].Message, "an object is expected") && at.Start.Byte != int(syntax.Offset)-1 && text != "" {
			t.Errorf("%s: it points at byte %d, want %d", text, at.Start.Byte, syntax.Offset-1)
		}
		if at.End.Byte != min(at.Start.Byte+1, len(text)) || !strings.Contains(found[0].Message, "this is not a ConfigDB") {
			t.Errorf("%s: bytes %d to %d: %s", text, at.Start.Byte, at.End.Byte, found[0].Message)
		}
	}
	if refused < 300 {
		t.Errorf("%d texts are refused", refused)
	}
	for text, want := range map[string]error{"": io.EOF, `{"T"`: io.EOF, `{"T": {"a": {"f": "1"`: io.EOF} {
		if _, found := patch.Read("x", []byte(text)); len(found) != 1 || !strings.HasSuffix(found[0].Message, want.Error()) {
			t.Errorf("%s: %v", text, found)
		}
	}
}

// What SONiC's form refuses, patches refuse with the same words, wherever it comes in.
func TestWhatCannotBeToldIsRefused(t *testing.T) {
	good := withLanes()
	bad := withLanes()
	bad.Watchdog = &plan.Watchdog{Action: "explode", Poll: plan.Of(200*units.Millisecond, nil), Detection: plan.Of(400*units.Millisecond, nil), Restoration: plan.Of(400*units.Millisecond, nil)}
	_, want := sonic.Overlay(bad)
	if !want.HasErrors() {
		t.Fatal("the form takes it")
	}
	told := func(what string, found diag.List) {
		t.Helper()
		must.NoDiffIn(t, cmp.Diff(messages(want), messages(found)), "%s (-want +got):", what)
	}
	device, found := patch.NewDevice(bad, "tor-1")
	if device != nil {
		t.Error("there is a device")
	}
	told("a device", found)
	device, _ = patch.NewDevice(good, "tor-1")
	p, found := device.Change(bad, nil)
	if p != nil {
		t.Error("there is a change")
	}
	told("a change", found)
	p, found = patch.Make(bad, "tor-1", running(t, full(t, good)), nil)
	if p != nil {
		t.Error("there is a patch")
	}
	told("a patch", found)
	if p, found := device.Change(good, nil); p == nil || len(p.Steps) > 0 || found.HasErrors() {
		t.Errorf("the device is not what it was: %v, %v", p, found)
	}
}

func messages(found diag.List) (all []string) {
	for _, d := range found {
		all = append(all, string(d.Code)+" "+d.Message)
	}
	slices.Sort(all)
	return all
}

// Of what the form warns of, a change says again only that a group has not the number of its
// priority, since that is lost at the change.
func TestChangeWarnsOfGroups(t *testing.T) {
	sw := withLanes()
	sw.Maps.PFCToPG[5], sw.Maps.TCToPG[5], sw.Ports[0].QoS.PGs[1].ID = 4, 4, 4
	sw.LoadBalancing = "by the moon" // which is warned of, too
	_, said := sonic.Overlay(sw)
	if said.HasErrors() {
		t.Fatal(said)
	}
	var want diag.List
	for _, d := range said {
		if d.Code == sonic.PGNotPriority {
			want = append(want, d)
		}
	}
	if len(want) == 0 || len(want) == len(said) {
		t.Fatalf("%d of %d findings are of groups", len(want), len(said))
	}
	_, found := changed(t, sw, sw)
	must.NoDiffIn(t, cmp.Diff(messages(want), messages(found)), "(-want +got):")
	if _, found := patch.Make(sw, "tor-1", running(t, full(t, sw)), nil); len(slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code != sonic.PGNotPriority })) != len(want) {
		t.Errorf("a patch says %v", found)
	}
}

// A change on whose way a judge finds a fault is not made, and the device stays as it is.
func TestUnsafeChangeIsNotMade(t *testing.T) {
	catalogue, _ := chips.Load()
	near, far := variant(t, catalogue, "trident3", "", 5, "40m", "15%"), variant(t, catalogue, "trident3", "", 5, "300m", "15%")
	far.Range.Filename = "far.hcl"
	device, _ := patch.NewDevice(near, "tor-1")
	asked := 0
	p, found := device.Change(far, func([]byte) (map[string]bool, error) {
		if asked++; asked <= 2 { // of both ends
			return nil, nil
		}
		return map[string]bool{"a packet is lost": true}, nil
	})
	i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == patch.Unsafe })
	if p != nil || i < 0 || !strings.Contains(found[i].Message, "the changes of tor-1: after the step") || !strings.HasSuffix(found[i].Message, "a packet is lost") ||
		found[i].Subject.Filename != "far.hcl" {
		t.Fatalf("%v; %v", p, found)
	}
	if p, _ := device.Change(near, nil); p == nil || len(p.Steps) > 0 {
		t.Error("the device is not as it was")
	}
	if p, found := device.Change(far, nil); p == nil || len(p.Steps) == 0 {
		t.Errorf("no judge, no change: %v", found)
	}
}

// The running switch's own model, ports and speeds are those of the plan, or there is no patch.
func TestRunningIsAnother(t *testing.T) {
	sw := withLanes()
	src := string(full(t, sw))
	for _, c := range []struct {
		name     string
		old, now string
		code     diag.Code // empty: none
		message  string
	}{
		{"the dynamic model", `"buffer_model": "traditional"`, `"buffer_model": "dynamic"`, patch.ModelDiffers, "the switch runs the dynamic buffer model, but the fabric has the traditional one"},
		{"no model is the traditional one", `"buffer_model": "traditional",`, ``, "", ""},
		{"no port", `"Ethernet0": {`, `"Ethernet999": {`, patch.PortMissing, "the running switch has no port Ethernet0"},
	} {
		text := src
		if strings.Contains(src, c.old) {
			text = strings.Replace(src, c.old, c.now, 1)
		} else {
			text = strings.Replace(src, `"localhost": {`, `"localhost": {`+c.now+",", 1)
		}
		p, found := patch.Make(sw, "tor-1", running(t, []byte(text)), nil)
		var errs []string
		for _, d := range found {
			if d.Severity == diag.Error {
				errs = append(errs, string(d.Code)+" "+d.Message)
			}
		}
		switch {
		case c.code == "" && (len(errs) > 0 || p == nil):
			t.Errorf("%s: %v", c.name, errs)
		case c.code != "" && (p != nil || len(errs) != 1 || !strings.HasPrefix(errs[0], string(c.code)+" "+c.message)):
			t.Errorf("%s: %v, want %s", c.name, errs, c.message)
		}
	}
	wanted := withLanes()
	wanted.BufferModel = plan.Traditional
	if p, found := patch.Make(wanted, "tor-1", running(t, []byte(src)), nil); p == nil {
		t.Errorf("the traditional model is what runs: %v", found)
	}
}
