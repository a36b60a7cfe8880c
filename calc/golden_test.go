package calc_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/policy"
)

// The plans of the examples are what the golden files say, in all that a file carries of them.
func TestExamplesAreTheGoldens(t *testing.T) {
	goldentest.Examples(t, "..", "config_db.json", "eos.cfg", "openconfig.json", "nvue.yaml", "junos.conf", "srlinux.json")
}

// What each line of a fabric, and each number in it, means to the plan. The first ports of a
// kind stand for all.
func TestWhatLinesOfFabricsMean(t *testing.T) {
	catalogue, _ := chips.Load()
	var out strings.Builder
	for _, example := range []string{"tomahawk-eos-pod", "spectrum4-storage", "ucloud-pod"} {
		root := os.DirFS("../examples/" + example)
		text := must.Get(os.ReadFile("../examples/" + example + "/fabric.hcl"))(t)
		fmt.Fprintf(&out, "%s\n%s", example, readtest.Meaning(string(text), func(text string) map[string]string {
			values := map[string]string{}
			_, p, found := plantest.Compile(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Root: root, Catalogue: catalogue})
			readtest.Found(values, found)
			for _, sw := range p.Switches {
				sw.Ports = append(sw.Ports[:1:1], sw.Ports[max(1, len(sw.Ports)-1):]...)
			}
			readtest.Values(values, p)
			return values
		}))
	}
	readtest.Golden(t, "../golden/ledger/meaning-fabric.txt", out.String())
}
