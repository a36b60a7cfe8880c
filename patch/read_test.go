package patch_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/patch"
)

// Whatever a running configuration holds, reading it and making a patch ends with
// findings or with a patch, and applying that gives what it promises.
func FuzzMake(f *testing.F) {
	for _, name := range []string{"running.json", "other.json", "old.json", "recreated.json", "unsafe.json", "text.json"} {
		f.Add(script(f, name))
	}
	f.Add([]byte(`{"PORT":{"Ethernet0":{"speed":100000,"lanes":["1"]},"Ethernet4":{"speed":"100000"},"Ethernet8":{"speed":"100000"}},"BUFFER_PG":{"|":{},"Ethernet0|3-2":{},"Ethernet0":{"profile":"x"}},"X":{}}`))
	f.Add([]byte(`{"PORT":{},"PORT":{"a":{"b":1,"b":null}}}`))
	f.Add([]byte(strings.Repeat(`{"a":`, 20000)))
	f.Fuzz(func(t *testing.T, src []byte) {
		old, found := patch.Read("running.json", src)
		if (old == nil) != found.HasErrors() {
			t.Fatalf("%v with %v", old, found)
		}
		if old == nil {
			return
		}
		p, found := patch.Make(defaults(), "tor-1", old, nil)
		if (p == nil) != found.HasErrors() {
			t.Fatalf("%v with %v", p, found)
		}
		for _, d := range found {
			if at := d.Subject; at.Start.Byte > at.End.Byte || at.End.Byte > len(src) {
				t.Errorf("%s lies outside of the file: %v", d.Message, at)
			}
		}
		if p == nil || len(p.Steps) == 0 {
			return
		}
		now := running(t, apply(t, src, p.Operations()...))
		if diff := cmp.Diff(p.Target, now.DB); diff != "" {
			t.Errorf("(-promised +patched):\n%s", diff)
		}
		if again, _ := patch.Make(defaults(), "tor-1", now, nil); again == nil || len(again.Steps) > 0 {
			t.Error("a patched switch is patched again")
		}
	})
}

// A file without the same text but of the same meaning needs no patch.
func TestSameMeaning(t *testing.T) {
	src := full(t, withLanes())
	for from, to := range map[string]string{
		`"pfc_enable": "5"`: `"pfc_enable": " 5"`,
		`"size": "0"`:       `"size": 0`,
	} {
		if !strings.Contains(string(src), from) {
			t.Fatalf("no %s in\n%s", from, src)
		}
		p, found := patch.Make(defaults(), "tor-1", running(t, []byte(strings.ReplaceAll(string(src), from, to))), nil)
		if len(found) > 0 || len(p.Steps) > 0 {
			t.Errorf("%s: %v\n%s", to, found, show(p))
		}
	}
}
