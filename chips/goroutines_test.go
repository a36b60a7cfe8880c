package chips

import (
	"sync"
	"testing"
)

// One catalogue serves goroutines side by side, which all read what nobody has read before. The race
// detector of .ci/run looks at this test.
func TestGoroutinesShareACatalogue(t *testing.T) {
	c := ownCatalogue()
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for _, name := range []string{"trident3", "spectrum4", "jericho2"} {
				if chip, ok := c.Find(name); !ok || chip.Name != name {
					t.Errorf("%s is not found", name)
				}
			}
			if _, ok := c.Box("x86_64-nvidia_sn5600-r0"); !ok {
				t.Error("the box is not found")
			}
			if len(c.NICs()) == 0 || len(c.Platforms()) == 0 {
				t.Error("there are no NICs or no platforms")
			}
		})
	}
	readers.Wait()
}
