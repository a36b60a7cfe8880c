package adopt_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/nvue"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/verify"
)

// A file of Cumulus Linux that gives lengths of cables and no headroom is compared with what
// compile writes in that form, and which form that is is said.
func TestFormOfHeadroom(t *testing.T) {
	c := catalogue(t)
	_, p := plantest.Folder(t, c, "../examples/cumulus-storage")
	chip, _ := c.Find("spectrum4")
	for form, want := range map[string]bool{emit.Full: false, "cable-length": true} {
		var files []verify.File
		for _, f := range nvue.Target().Forms {
			if f.Name != form {
				continue
			}
			written := must.Sound(f.Emit(p.Switches[0]))(t)
			files = append(files, verify.Text("startup.yaml", written[0].Body.AppendFor(nil, "leaf-1")))
		}
		r := adopt.Import(gather(t, files), adopt.Options{Name: "pod", Catalogue: c, Chips: []adopt.Choice{{Chip: chip}}, Targets: target.All()})
		told := slices.ContainsFunc(r.Found, func(d diag.Diagnostic) bool {
			return d.Code == adopt.Differs && strings.Contains(d.Fix, "--form cable-length")
		})
		must.Equalf(t, told, want, "form %s: that headroom is left to the switch is told:", form)
		for _, d := range r.Found {
			if want && d.Code == adopt.Differs && (strings.Contains(d.Message, "reserve") || strings.Contains(d.Message, "headroom on")) {
				t.Errorf("form %s: %s", form, d.Message)
			}
		}
	}
}

// Amounts in cells of a running-config of EOS are those of the model that it names.
func TestCellsOfTheModel(t *testing.T) {
	text := "! device: l (DCS-7060X6-64PE-B, EOS-4.34.2F)\nhostname l\nplatform trident mmu headroom-pool limit cells 9600\ninterface Ethernet1/1\n   speed 400g-4\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
	shapes := gather(t, []verify.File{verify.Text("running-config", []byte(text))})
	if found := shapes[0].Found; len(found) > 0 || shapes[0].Said.Pools[0].Headroom.Value != 9600*254 { // chips/catalogue/tomahawk5.hcl
		t.Errorf("%v, headroom pool %v", found, shapes[0].Said.Pools[0].Headroom.Value)
	}
}
