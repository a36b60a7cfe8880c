package patch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/patch"
)

// What is said of a running switch whose file differs in one place from what the plan was made
// for, and where in the file.
func TestFindingsOnRunning(t *testing.T) {
	src := string(full(t, withLanes()))
	for _, c := range []struct {
		name     string
		old, now string
		code     diag.Code // that comes; empty: none comes
		at       string    // what of the file it points at
	}{
		{"as it is", "", "", "", ""},
		{"another speed", `"speed": "100000"`, `"speed": "40000"`, patch.PortDiffers, `"speed"`},
		{"another lane", `"lanes": "1"`, `"lanes": "9"`, patch.PortDiffers, `"lanes"`},
		{"a lane with blanks", `"lanes": "1"`, `"lanes": " 1"`, "", ""},
		{"no admin_status", `"admin_status": "up",`, ``, patch.PortUnset, `"Ethernet0"`},
		{"a pool that is made otherwise", `"mode": "dynamic"`, `"mode": "static"`, patch.Recreated, `"mode"`},
		{"a reference in brackets", `"pool": "`, `"pool": "[BUFFER_POOL|x]`, patch.OldForm, `"pool"`},
	} {
		text := src
		if c.old != "" {
			if !strings.Contains(src, c.old) {
				t.Fatalf("%s: no %s in\n%.2000s", c.name, c.old, src)
			}
			text = strings.Replace(src, c.old, c.now, 1)
		}
		_, found := patch.Make(withLanes(), "tor-1", running(t, []byte(text)), nil)
		found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code == patch.UpdaterRefuses })
		if c.code == "" {
			if len(found) > 0 {
				t.Errorf("%s: %v", c.name, found)
			}
			continue
		}
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == c.code })
		if i < 0 {
			t.Errorf("%s: no %s in %v", c.name, c.code, found)
			continue
		}
		if at := found[i].Subject; !strings.Contains(text[at.Start.Byte:at.End.Byte], c.at) || at.Start.Line != 1+strings.Count(text[:at.Start.Byte], "\n") {
			t.Errorf("%s: it points at %q, line %d, want %s", c.name, text[at.Start.Byte:at.End.Byte], at.Start.Line, c.at)
		}
	}
}

// What follows the object is not part of a ConfigDB, and the finding points at it.
func TestSomethingFollows(t *testing.T) {
	r, found := patch.Read("running.json", []byte("{}\n {}"))
	if r != nil || len(found) != 1 || found[0].Code != patch.NotConfigDB {
		t.Fatal(found)
	}
	if at := found[0].Subject.Start; at.Line != 2 || at.Column != 2 || at.Byte != 4 {
		t.Errorf("it points at line %d, column %d, byte %d; want 2, 2, 4", at.Line, at.Column, at.Byte)
	}
}

// A patch that is refused by the release that the switch runs says so, also where the device is
// changed by patches alone.
func TestChangeIsJudgedByTheRelease(t *testing.T) {
	from, to := withLanes(), withLanes()
	from.Chip, to.Chip, to.Release = "trident3", "trident3", "202511"
	to.Pools[1].Size.Value++ // no updater from 202511 on changes a pool
	p, found := changed(t, from, to)
	if p == nil || !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == patch.UpdaterRefuses }) {
		t.Errorf("%v", found)
	}
}
