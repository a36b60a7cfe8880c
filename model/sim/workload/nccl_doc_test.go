package workload

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// The page says the figures that operations are cut by.
func TestPageHasDefaults(t *testing.T) {
	page := must.Get(os.ReadFile("../../../docs/sim-results.md"))(t)
	for _, want := range []string{
		fmt.Sprintf("ahead of its receiver | %d |", fifoSteps),
		fmt.Sprintf("step of a ring moves | %d MiB |", chunkBytes/units.MiB),
		fmt.Sprintf("is cut into | %d, of at least %d KiB |", slicesPerChunk, smallestSlice/units.KiB),
		fmt.Sprintf("step of a tree moves | %d KiB, halved down to %d KiB", treeChunk/units.KiB, leastTreeChunk/units.KiB),
		fmt.Sprintf("sends to at a time | %d |", peersAtOnce),
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/sim-results.md does not say %q", want)
		}
	}
}
