package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// Files of two devices with equal numbers, as compile writes them, are read once and told together: in each system they differ
// in one place, the name.
func TestEqualDevicesAreOneShape(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, file := range []string{"ucloud-pod/leaf-1/config_db.json", "tomahawk-eos-pod/leaf-1/eos.cfg", "cumulus-storage/leaf-1/nvue.yaml", "junos-rail/leaf-1/junos.conf", "srlinux-rail/leaf-1/srlinux.json"} {
		text := string(must.Get(os.ReadFile(filepath.Join("../golden", file)))(t))
		base := filepath.Base(file)
		r := judge(t, Options{Catalogue: catalogue}, Text("leaf-1/"+base, []byte(text)), Text("leaf-2/"+base, []byte(strings.ReplaceAll(text, "leaf-1", "leaf-2"))))
		if len(r.Switches) != 1 || len(r.Switches[0].Names) != 2 {
			t.Errorf("%s: %d shapes", file, len(r.Switches))
		}
	}
}
