package roceplan_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/typist"
)

var edits = flag.Int("edits", 40, "how many random edits each fabric gets in TestMemory")

// A fabric that is loaded with a Memory after each of many edits is what it is without: the same
// findings at the same places, the same numbers with the same reasons.
func TestMemory(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, example := range []string{"ucloud-pod", "mixed-cabling", "tomahawk5-ai-pod", "spectrum4-storage"} {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join("examples", example)
			text := must.Get(os.ReadFile(filepath.Join(folder, "fabric.hcl")))(t)
			load := func(text string, memory *roceplan.Memory) *roceplan.Fabric {
				return roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}},
					Folder: os.DirFS(folder), Catalogue: catalogue, Memory: memory})
			}
			var memory roceplan.Memory
			hand := typist.New(rand.New(rand.NewPCG(1, uint64(len(text)))), string(text))
			planned := 0
			for i := range *edits {
				now := hand.Type()
				fresh, err := sameWithout(load(now, &memory), load(now, nil))
				if err != nil {
					t.Fatalf("edit %d: %v\n%s", i, err, now)
				}
				if fresh {
					planned++
				} else {
					hand.Undo()
				}
			}
			if planned < *edits/4 {
				t.Errorf("of %d texts only %d could be planned", *edits, planned)
			}
		})
	}
}

// sameWithout compares two fabrics, and reports whether they have a plan.
func sameWithout(with, without *roceplan.Fabric) (planned bool, err error) {
	got, told := with.Plan()
	want, found := without.Plan()
	if !reflect.DeepEqual(told, found) {
		return false, fmt.Errorf("findings\n%v\nwithout a memory\n%v", told, found)
	}
	if !reflect.DeepEqual(got, want) {
		return false, fmt.Errorf("the plan differs")
	}
	return len(want.Switches) > 0, nil
}

// What an edit does not touch is not computed again: a remark above all moves every line, and
// each shape stays the one that it was; another cable is another shape, and the other stays.
func TestMemoryIsUsed(t *testing.T) {
	catalogue, _ := chips.Load()
	raw := must.Get(os.ReadFile("examples/ucloud-pod/fabric.hcl"))(t)
	text := string(raw)
	var memory roceplan.Memory
	shapes := func(text string) map[string]any {
		p := must.Sound(roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue, Memory: &memory}).Plan())(t)
		out := map[string]any{}
		for _, sw := range p.Switches {
			out[sw.Names[0]] = sw
		}
		return out
	}
	before := shapes(text)
	if after := shapes("# a remark\n\n" + text); !reflect.DeepEqual(addresses(before), addresses(after)) {
		t.Error("a remark makes shapes be computed again")
	}
	shorter := strings.Replace(text, `cable  = "15m"`, `cable  = "14m"`, 1)
	if shorter == text {
		t.Fatal("the example has no cable of 15 m")
	}
	after := shapes(shorter)
	if before["tor-01"] == after["tor-01"] {
		t.Error("another cable is planned as the one before")
	}
}

func addresses(shapes map[string]any) map[string]uintptr {
	out := map[string]uintptr{}
	for name, sw := range shapes {
		out[name] = reflect.ValueOf(sw).Pointer()
	}
	return out
}
