package verify

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// A file of certificates covers every device that was named, by a file or by the fabric, or says which it lacks. One that says
// less, or something else, is refused.
func TestCertificatesCoverDevices(t *testing.T) {
	file := sample(t)
	options := trident3(t)
	report := judge(t, options, Text("config_db.json", file))
	report.planned = []string{"spine-1"}
	written, err := report.Certificates()
	if err != nil {
		t.Fatal(err)
	}
	name := written.Shapes[0].Switches[0]
	if !slices.Equal(written.Devices, []string{name, "spine-1"}) || len(written.Lacks) != 1 || written.Lacks[0] != (Lack{"spine-1", "no file of it was given"}) {
		t.Errorf("%v lacks %v", written.Devices, written.Lacks)
	}
	text, err := written.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what   string
		forge  func(c *Certificates)
		proved bool
		want   []string
	}{
		{"as it is", func(*Certificates) {}, false, nil},
		{"without the spine", func(c *Certificates) { c.Devices, c.Lacks = c.Devices[:1], nil }, true, nil}, // only the fabric can tell
		{"a lack that is not said", func(c *Certificates) { c.Lacks = nil }, true, []string{"the device spine-1 was named, and has no certificate"}},
		{"a lack without a reason", func(c *Certificates) { c.Lacks[0].Because = "" }, false, []string{"the device spine-1 lacks a certificate, and nothing says why"}},
		{"a lack twice", func(c *Certificates) { c.Lacks = append(c.Lacks, c.Lacks[0]) }, false, []string{"the device spine-1 lacks a certificate twice"}},
		{"a lack of what is there", func(c *Certificates) { c.Lacks = append(c.Lacks, Lack{name, "it is late"}) }, false, []string{"the device " + name + " is said to lack a certificate, and has one"}},
		{"a lack of what was not named", func(c *Certificates) { c.Devices = c.Devices[:1] }, false, []string{"the device spine-1 is said to lack a certificate, and was not named"}},
		{"a device that was not named", func(c *Certificates) { c.Devices = c.Devices[1:] }, false, []string{"there is a certificate of " + name + ", and it was not named"}},
		{"a device that is named twice", func(c *Certificates) { c.Devices = append(c.Devices, name) }, false, []string{"the device " + name + " is named twice"}},
		{"no certificate", func(c *Certificates) { c.Shapes = nil }, false, []string{"the device " + name + " was named, and has no certificate"}},
	} {
		list, err := ParseCertificates(text)
		if err != nil {
			t.Fatal(err)
		}
		c.forge(list)
		got, err := Recheck(list, func(name string) File { return Text(name, file) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, p := range got.Problems {
			told = append(told, p.Message)
		}
		if !slices.Equal(told, c.want) || got.Proved != c.proved || len(got.Lacks) != len(list.Lacks) {
			t.Errorf("%s: %q, want %q; proved %v, want %v; lacks %v", c.what, told, c.want, got.Proved, c.proved, got.Lacks)
		}
	}
	// With files or a fabric named again their devices are demanded.
	list, _ := ParseCertificates(text)
	list.Devices, list.Lacks = list.Devices[:1], nil
	again, err := Recheck(list, func(name string) File { return Text(name, file) }, report)
	if err != nil || len(again.Problems) != 1 || again.Problems[0].Message != "spine-1 is named now, and has no certificate" {
		t.Errorf("%v, %v", again, err)
	}
}

// A switch without a proof lacks a certificate for a reason. A device with a second file, of a format that holds too little,
// lacks nothing.
func TestLacksHaveReasons(t *testing.T) {
	options := trident3(t)
	nothing := bytes.Replace(sample(t), []byte(`"hostname": "`), []byte(`"hostname": "x`), 1)
	report := judge(t, options, Text("a/config_db.json", sample(t)), Text("b/notes.cfg", []byte("hello world")), Text("x/config_db.json", nothing))
	list, err := report.Certificates()
	if err != nil || len(list.Lacks) != 1 || !strings.Contains(list.Lacks[0].Because, "no reader recognizes the file") {
		t.Errorf("%+v, %v", list, err)
	}
	silent := &Report{Switches: []*Switch{{Names: []string{"a"}, Proof: nil, Plan: &plan.Switch{}}}}
	if list, err := silent.Certificates(); err != nil || len(list.Lacks) != 1 || list.Lacks[0] != (Lack{"a", "nothing was proved of it"}) {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := (&Report{}).Certificates(); err != nil || len(list.Devices)+len(list.Lacks)+len(list.Shapes) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// A certificate whose words are not what its figures say is refused without a proof.
func TestForgedWords(t *testing.T) {
	text := certified(t, sample(t))
	for what, forge := range map[string]func(c *proof.Certificate, o *proof.Obligation){
		"a title":                func(_ *proof.Certificate, o *proof.Obligation) { o.Title = "that nothing is ever lost" },
		"a source":               func(_ *proof.Certificate, o *proof.Obligation) { o.Source = "measured" },
		"a unit":                 func(_ *proof.Certificate, o *proof.Obligation) { o.Unit = proof.InBytes },
		"a note":                 func(_ *proof.Certificate, o *proof.Obligation) { o.Note = "it was tested" },
		"the name of a term":     func(_ *proof.Certificate, o *proof.Obligation) { o.Terms[0].Name = "half a cell" },
		"the unit of a term":     func(_ *proof.Certificate, o *proof.Obligation) { o.Terms[0].Unit = proof.InCells },
		"a reason of what holds": func(_ *proof.Certificate, o *proof.Obligation) { o.Because = "nobody looked" },
		"a condition of no kind": func(_ *proof.Certificate, o *proof.Obligation) {
			o.Verdict, o.Conditions = proof.Conditional, []proof.Condition{{ID: "luck"}}
		},
		"a group of other ports":     func(c *proof.Certificate, _ *proof.Obligation) { rename(c, " (2 ×", " (64 ×") },
		"a group with another speed": func(c *proof.Certificate, _ *proof.Obligation) { rename(c, "100Gbps", "400Gbps") },
		"a group with another cable": func(c *proof.Certificate, _ *proof.Obligation) { rename(c, "m)", "0m)") },
		"a response that is declared": func(c *proof.Certificate, _ *proof.Obligation) {
			declare(c, "peers of %s respond to a pause within 1ps")
		},
		"a frame that is declared": func(c *proof.Certificate, _ *proof.Obligation) { declare(c, "lossless frames of %s have 64B at most") },
	} {
		list, err := ParseCertificates(text)
		if err != nil {
			t.Fatal(err)
		}
		c := list.Shapes[0]
		i := slices.IndexFunc(c.Obligations, func(o proof.Obligation) bool { return o.ID == proof.Headroom })
		forge(c, &c.Obligations[i])
		got, err := Recheck(list, func(name string) File { return Text(name, sample(t)) }, nil)
		if err != nil || len(got.Problems) == 0 {
			t.Errorf("%s: %v, %v", what, got, err)
		}
	}
}

// rename calls groups otherwise, wherever they are called.
func rename(c *proof.Certificate, old, now string) {
	for i := range c.Groups {
		c.Groups[i].Where = strings.ReplaceAll(c.Groups[i].Where, old, now)
	}
	for i := range c.Obligations {
		c.Obligations[i].Where = strings.ReplaceAll(c.Obligations[i].Where, old, now)
	}
}

// declare declares something of the first group.
func declare(c *proof.Certificate, format string) {
	name, _, _ := strings.Cut(c.Groups[0].Where, " (")
	c.Declared = append(c.Declared, strings.ReplaceAll(format, "%s", name))
}
