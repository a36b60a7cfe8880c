package chips

import (
	"reflect"
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

// All of a process share the embedded catalogue: what a user's file changes is changed in a copy.
func TestLoadLeavesTheEmbeddedCatalogue(t *testing.T) {
	_, found := Load(Source{"own.hcl", []byte(`
chip "tomahawk5" {
  extends = "tomahawk5"
  port_speeds {
    value      = ["800Gbps"]
    confidence = "published"
    source     = "a data sheet"
  }
}
nic "connectx-7" {
  extends = "connectx-7"
  port_speeds {
    value      = ["400Gbps"]
    confidence = "published"
    source     = "a data sheet"
  }
}
platform "sn5600" {
  extends = "sn5600"
  names   = ["another"]
}`)})
	if len(found) > 0 {
		t.Fatal(found)
	}
	own, _ := Load()
	fresh := ownCatalogue()
	if !reflect.DeepEqual(own.Chips(), fresh.Chips()) || !reflect.DeepEqual(own.NICs(), fresh.NICs()) || !reflect.DeepEqual(own.Platforms(), fresh.Platforms()) {
		t.Error("a user's file changed what the program knows")
	}
}
