package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Whole reports on files of every format: with and without what their caller declares, for a
// device, for a fabric of which devices are missing, strange or otherwise configured.
func TestVerdictsInFull(t *testing.T) {
	catalogue, _ := chips.Load()
	read := func(path string) string {
		text := must.Get(os.ReadFile(path))(t)
		return string(text)
	}
	eos := read("../golden/tomahawk-eos-pod/leaf-1/eos.cfg")
	sonic := read("testdata/config_db.json")
	everything := func(format, ending string) string {
		return read("../read/" + format + "/testdata/everything." + ending)
	}
	var own, strict []File
	paths, _ := filepath.Glob("../golden/tomahawk-eos-pod/*/eos.cfg")
	for _, path := range paths {
		device := filepath.Base(filepath.Dir(path))
		own = append(own, Text(device+"/eos.cfg", []byte(read(path))))
		strict = append(strict, Text(device+"/eos.cfg", []byte(strings.NewReplacer("priority 3 no-drop", "priority 4 no-drop").Replace(read(path)))))
	}
	p, _ := planOf(t, "tomahawk-eos-pod")
	of := &Fabric{Plan: p, Targets: target.All()}
	microsecond := units.Microsecond
	cables := Cables{{Switch: "leaf-1", Port: "Ethernet1/1"}: {Length: 300 * units.Metre, Speed: 100 * units.Gbps}, {Switch: "leaf-1", Port: "Ethernet2/1"}: {Length: 5 * units.Metre, Speed: 25 * units.Gbps}, {Switch: "other", Port: "x"}: {Length: units.Metre}}
	peers := Peers{Response: &microsecond, LosslessFrame: 4200, Of: map[plan.LinkEnd]*plan.Assumed{{Switch: "leaf-1", Port: "Ethernet1/1"}: {LosslessFrame: plan.Of[units.Bytes](1500, nil)}}}
	var out strings.Builder
	for _, c := range []struct {
		name, chip string
		files      []File
		o          Options
	}{
		{"a ConfigDB", "", []File{Text("leaf-1/config_db.json", []byte(sonic))}, Options{}},
		{"a ConfigDB of a chip", "trident3", []File{Text("leaf-1/config_db.json", []byte(sonic))}, Options{}},
		{"a ConfigDB of another chip", "tomahawk5", []File{Text("leaf-1/config_db.json", []byte(sonic))}, Options{}},
		{"a ConfigDB with every table", "spectrum3", []File{Text("leaf-1/config_db.json", []byte(everything("sonic", "json")))}, Options{}},
		{"a plain running-config", "tomahawk", []File{Text("leaf-1/eos.cfg", []byte(read("testdata/plain.cfg")))}, Options{}},
		{"with cables", "tomahawk", []File{Text("leaf-1/eos.cfg", []byte(read("testdata/plain.cfg")))}, Options{Cables: cables}},
		{"with cables and peers", "tomahawk", []File{Text("leaf-1/eos.cfg", []byte(eos))}, Options{Cables: cables, Peers: peers}},
		{"a compiled running-config", "tomahawk", []File{Text("leaf-1/eos.cfg", []byte(eos))}, Options{}},
		{"without its pool", "tomahawk", []File{Text("leaf-1/eos.cfg", []byte(strings.ReplaceAll(eos, "headroom-pool limit", "headroom-pool limitless")))}, Options{}},
		{"a running-config with every line", "tomahawk5", []File{Text("leaf-1/eos.cfg", []byte(everything("eos", "cfg")))}, Options{}},
		{"NVUE", "spectrum4", []File{Text("leaf-1/nvue.yaml", []byte(everything("nvue", "yaml")))}, Options{}},
		{"NVUE's RoCE", "spectrum4", []File{Text("leaf-1/nvue.yaml", []byte(read("../read/nvue/testdata/roce.yaml")))}, Options{}},
		{"Junos", "", []File{Text("leaf-1/junos.conf", []byte(everything("junos", "conf")))}, Options{}},
		{"Junos on a chip", "tomahawk5", []File{Text("leaf-1/junos.conf", []byte(everything("junos", "conf")))}, Options{}},
		{"Junos on a chip without a box", "trident3", []File{Text("leaf-1/junos.conf", []byte(everything("junos", "conf")))}, Options{}},
		{"SR Linux", "tomahawk4", []File{Text("leaf-1/srlinux.json", []byte(everything("srlinux", "json")))}, Options{}},
		{"OpenConfig", "tomahawk", []File{Text("leaf-1/openconfig.json", []byte(everything("openconfig", "json")))}, Options{}},
		{"NX-OS", "", []File{Text("leaf-1/nxos.cfg", []byte(everything("nxos", "cfg")))}, Options{}},
		{"two files of a device", "tomahawk", []File{Text("leaf-1/eos.cfg", []byte(eos)), Text("leaf-1/openconfig.json", []byte(read("../golden/tomahawk-eos-pod/leaf-1/openconfig.json")))}, Options{}},
		{"no file", "", nil, Options{}},
		{"no file of the fabric", "", nil, Options{Fabric: of}},
		{"files of no format", "tomahawk", []File{Text("a/eos.cfg", nil), Text("b/x.txt", []byte("hello\n")), Text("c/config_db.json", []byte("{}")), Text("d", []byte{0xff, 0, 1})}, Options{}},
		{"the fabric", "", own, Options{Fabric: of}},
		{"the fabric, with another chip", "trident4", own[:1], Options{Fabric: of}},
		{"a device of the fabric", "", own[:1], Options{Fabric: of, Cables: cables}},
		{"a device under another's name", "", []File{Text("spine-1/eos.cfg", []byte(eos)), Text("nobody/eos.cfg", []byte(eos))}, Options{Fabric: of}},
		{"a device in another language", "", []File{Text("leaf-1/junos.conf", []byte(everything("junos", "conf")))}, Options{Fabric: of}},
		{"another priority everywhere", "", strict, Options{Fabric: of}},
		{"another priority somewhere", "", append(strict[:1:1], own[1:]...), Options{Fabric: of}},
	} {
		c.o.Catalogue = catalogue
		c.o.Chip, _ = catalogue.Find(c.chip)
		r, err := Judge(c.files, c.o)
		fmt.Fprintf(&out, "== %s %s\n", c.name, c.chip)
		if err != nil {
			fmt.Fprintf(&out, "error: %v\n", err)
			continue
		}
		inFull(&out, r)
	}
	diagtest.Golden(t, "../golden/verdicts.txt", out.String())
}

func inFull(out *strings.Builder, r *Report) {
	fmt.Fprintf(out, "%v, passes %t, strictly %t; %d links; devices %v\n", r.Verdict(), r.Passes(false), r.Passes(true), r.Links, r.Devices())
	for _, d := range r.Findings {
		fmt.Fprintf(out, "  %v:%d:%d-%d %v[%s] %s; %s", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Subject.End.Column, d.Severity, d.Code, d.Message, d.Fix)
		for _, n := range d.Related {
			fmt.Fprintf(out, "; %s:%d %s", n.Range.Filename, n.Range.Start.Line, n.Message)
		}
		fmt.Fprintln(out)
	}
	for _, s := range r.Switches {
		fmt.Fprintf(out, "%s %q %v %s %s: %v; counts %t, as planned %t; %+v\n", s.Title(), s.Names, s.Files, s.Format, s.Chip, s.Verdict, s.Counts(), s.AsPlanned(), s.Coverage)
		for _, b := range s.Because {
			fmt.Fprintf(out, "  because %+v\n", b)
		}
		for _, g := range s.Groups {
			fmt.Fprintf(out, "  group %+v\n", g)
		}
		for _, d := range s.Declared {
			fmt.Fprintf(out, "  declared %s\n", d)
		}
		for _, a := range s.Assumptions {
			fmt.Fprintf(out, "  assumed %s\n", a)
		}
		for _, c := range s.Conditions {
			fmt.Fprintf(out, "  if %s %s %d %s: %s\n", c.ID, c.Where, c.Bound, c.Unit, c.Assumes)
		}
		for _, o := range s.Obligations {
			fmt.Fprintf(out, "  %s %s: %v %v %v %s %s %s %d\n", o.ID, o.Where, o.Verdict, o.Left.Value, o.Right.Value, o.Unit, o.Because, o.At, len(o.Conditions))
		}
	}
	if d := r.Deadlock; d != nil {
		fmt.Fprintf(out, "deadlocks: %+v\n", *d)
	}
}
