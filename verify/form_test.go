package verify

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/nvue"
	"github.com/roceplan/roceplan/emit/sonic"
)

// A file of Cumulus Linux that gives lengths of cables is compared with what the fabric compiles
// to in that form, and one that gives headroom with the other, whatever they are called.
func TestFormOfHeadroom(t *testing.T) {
	p, catalogue := planOf(t, "cumulus-storage")
	planned := plannedSwitch(t, p, "leaf-1")
	for _, form := range nvue.Target().Forms {
		files, found := form.Emit(planned)
		if found.HasErrors() {
			t.Fatal(found)
		}
		for _, name := range []string{"leaf-1/nvue.yaml", "leaf-1/nvue-cable-length.yaml", "leaf-1/startup.yaml", "leaf-1/nvue.sh"} {
			o := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{nvue.Target()}}}
			r := judge(t, o, Text(name, files[0].Body.AppendFor(nil, "leaf-1")))
			for _, d := range r.Findings {
				if strings.HasPrefix(string(d.Code), "fabric-") {
					t.Errorf("form %s as %s: %s %s", form.Name, name, d.Code, d.Message)
				}
			}
		}
	}
}

// A file in which no port was read says nothing that could differ from the fabric: that it says nothing is told.
func TestNothingToCompare(t *testing.T) {
	p, catalogue := planOf(t, "mixed-cabling")
	o := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{sonic.Target()}}}
	for text, want := range map[string]bool{
		`{"DEVICE_METADATA": {"localhost": {"hostname": "tor-1"}}}`:                                             false,
		`{"DEVICE_METADATA": {"localhost": {"hostname": "tor-1"}}, "PORT": {"Ethernet0": {"speed": "100000"}}}`: true,
	} {
		differs := false
		for _, d := range judge(t, o, Text("tor-1/config_db.json", []byte(text))).Findings {
			differs = differs || strings.HasPrefix(string(d.Code), "fabric-")
		}
		if differs != want {
			t.Errorf("%s: differs %v", text, differs)
		}
	}
}
