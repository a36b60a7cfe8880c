package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Whichever read of a file fails, what was asked for fails with it: there is no verdict on a file
// that was read in part, and none on one that is another one by then.
func TestEveryReadMayFail(t *testing.T) {
	text := sample(t)
	broken := errors.New("the disk is gone")
	// pair is two files of one shape, of which some read of the second is not what it was.
	pair := func(at int, now func() ([]byte, error)) (files []File, reads *int) {
		reads = new(int)
		return []File{Text("a/config_db.json", text), {Name: "b/config_db.json", Read: func() ([]byte, error) {
			if *reads++; *reads == at {
				return now()
			}
			return text, nil
		}}}, reads
	}
	all := func(files []File) error {
		r, err := Judge(files, trident3(t))
		if err != nil {
			return err
		}
		list, err := r.Certificates()
		if err != nil {
			return err
		}
		_, err = Recheck(list, func(name string) File {
			for _, f := range files {
				if f.Name == name {
					return f
				}
			}
			return File{Read: func() ([]byte, error) { return nil, fs.ErrNotExist }}
		}, nil)
		return err
	}
	files, reads := pair(0, nil)
	must.Do(t, all(files))
	if *reads < 3 {
		t.Fatalf("%d reads", *reads)
	}
	for at := 1; at <= *reads; at++ {
		files, _ := pair(at, func() ([]byte, error) { return nil, broken })
		if err := all(files); !errors.Is(err, broken) {
			t.Errorf("read %d fails: %v", at, err)
		}
	}
	// The certificate reads again: another text by then has no certificate.
	files, _ = pair(2, func() ([]byte, error) { return bytes.Replace(text, []byte("{"), []byte("{ "), 1), nil })
	if err := all(files); err == nil || !strings.Contains(err.Error(), "b/config_db.json changed while it was read") {
		t.Errorf("%v", err)
	}
	// The first file of a shape is read twice before anything is judged.
	first := 0
	files = []File{{Name: "config_db.json", Read: func() ([]byte, error) {
		if first++; first == 2 {
			return nil, broken
		}
		return text, nil
	}}}
	if _, err := Judge(files, trident3(t)); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if _, _, err := readShapes(context.Background(), []File{{Name: "x", Read: func() ([]byte, error) { return nil, broken }}}, 0); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// What looks like configuration is taken, whatever is hidden or named otherwise is left; a folder
// that cannot be read is an error.
func TestBelowTakes(t *testing.T) {
	fsys := fstest.MapFS{
		"site/a/config_db.json": {}, "site/a/notes.txt": {}, "site/.git/config_db.json": {}, "site/.hidden.json": {}, "site/b.cfg": {}, "site/c.conf": {}, "site/report.json": {}, "site/d/e/f.json": {}, "site/g/startup.yaml": {}, "site/g/nvue.yaml": {}, "site/g/vars.yaml": {},
		".root/x.json": {},
	}
	names := func(root string, others ...string) string {
		files := must.Get(Below(fsys, root, others...))(t)
		var all []string
		for _, f := range files {
			all = append(all, f.Name)
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct {
		root   string
		others []string
		want   string
	}{
		{"site", []string{"report.json"}, "site/a/config_db.json site/b.cfg site/c.conf site/d/e/f.json site/g/nvue.yaml site/g/startup.yaml"},
		{"site", nil, "site/a/config_db.json site/b.cfg site/c.conf site/d/e/f.json site/g/nvue.yaml site/g/startup.yaml site/report.json"},
		{".root", nil, ".root/x.json"}, // it was asked for by name
		{"site/a", nil, "site/a/config_db.json"},
	} {
		must.Equalf(t, names(c.root, c.others...), c.want, "%s without %v:", c.root, c.others)
	}
	if _, err := Below(fsys, "nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// A certificate of a chip that nobody declared, without files, or of files that are gone.
func TestCertificateOfNothing(t *testing.T) {
	r := must.Get(Recheck(&Certificates{Shapes: []*proof.Certificate{{Chip: "trident3"}}}, func(string) File { return Text("x", nil) }, nil))(t)
	said := ""
	for _, p := range r.Problems {
		said += fmt.Sprintln(p)
	}
	for _, want := range []string{"the chip trident3 is not declared", "the certificate names no file"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := Recheck(&Certificates{Shapes: []*proof.Certificate{{Files: map[string]string{"x": ""}}}}, func(string) File { return File{Read: func() ([]byte, error) { return nil, broken }} }, nil); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// A switch that computes its buffers needs the file's parameters and the chip's figures; what is
// missing is named.
func TestComputedBuffersNeed(t *testing.T) {
	catalogue, _ := chips.Load()
	text := must.Get(os.ReadFile("../golden/spectrum4-storage/leaf-01/config_db.json"))(t)
	spectrum, _ := catalogue.Find("spectrum-4")
	tomahawk, _ := catalogue.Find("tomahawk")
	bare := *spectrum
	bare.Spectrum.PrivateHeadroom = chips.Datum[units.Bytes]{}
	for _, c := range []struct {
		chip       *chips.Chip
		calculator bool
		speed      units.BitRate
		want       string
	}{
		{spectrum, true, 100 * units.Gbps, ""},
		{spectrum, false, 100 * units.Gbps, "the file has no DEFAULT_LOSSLESS_BUFFER_PARAMETER, so the switch computes nothing"},
		{tomahawk, true, 100 * units.Gbps, "the switch computes its buffers itself (dynamic buffer model): "},
		{spectrum, true, units.Mbps / 2, "port Ethernet"},
		{&bare, true, 100 * units.Gbps, "the chip catalogue has no"},
	} {
		shapes, err := Read([]File{Text("config_db.json", text)}, 0)
		must.Do(t, err)
		sw := shapes[0].Switch
		if !c.calculator {
			sw.Calculator = nil
		}
		for i := range sw.Ports {
			sw.Ports[i].Speed = c.speed
			if qos := sw.Ports[i].QoS; qos != nil {
				for k := range qos.PGs {
					qos.PGs[k].Override, qos.PGs[k].Headroom = false, plan.Derived[units.Bytes]{}
				}
			}
		}
		err = computeBuffers(sw, c.chip)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %v: %v, want %q", c.chip.Name, c.speed, err, c.want)
		}
	}
}
