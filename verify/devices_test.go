package verify

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
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
	written := must.Get(report.Certificates())(t)
	name := written.Shapes[0].Switches[0]
	if !slices.Equal(written.Devices, []string{name, "spine-1"}) || len(written.Lacks) != 1 || written.Lacks[0] != (Lack{"spine-1", "no file of it was given"}) {
		t.Errorf("%v lacks %v", written.Devices, written.Lacks)
	}
	text := must.Get(written.Marshal())(t)
	for _, c := range []struct {
		what   string
		forge  func(c *Certificates)
		proved bool
		want   []string
	}{
		{"as it is", func(*Certificates) {}, false, nil},
		{"without the spine", func(c *Certificates) { c.Devices, c.Lacks = c.Devices[:1], nil }, true, nil}, // only the fabric can tell
		{"a lack that is not said", func(c *Certificates) { c.Lacks = nil }, true, []string{"the device spine-1 was named, but has no certificate"}},
		{"a lack without a reason", func(c *Certificates) { c.Lacks[0].Because = "" }, false, []string{"the device spine-1 lacks a certificate, but no reason is given"}},
		{"a lack twice", func(c *Certificates) { c.Lacks = append(c.Lacks, c.Lacks[0]) }, false, []string{"the device spine-1 lacks a certificate twice"}},
		{"a lack of what is there", func(c *Certificates) { c.Lacks = append(c.Lacks, Lack{name, "it is late"}) }, false, []string{"the device " + name + " is listed without a certificate, but has one"}},
		{"a lack of what was not named", func(c *Certificates) { c.Devices = c.Devices[:1] }, false, []string{"the device spine-1 is listed without a certificate, but was not named"}},
		{"a device that was not named", func(c *Certificates) { c.Devices = c.Devices[1:] }, false, []string{"there is a certificate of " + name + ", but the device was not named"}},
		{"a device that is named twice", func(c *Certificates) { c.Devices = append(c.Devices, name) }, false, []string{"the device " + name + " is named twice"}},
		{"no certificate", func(c *Certificates) { c.Shapes = nil }, false, []string{"the device " + name + " was named, but has no certificate"}},
	} {
		list := must.Get(ParseCertificates(text))(t)
		c.forge(list)
		got := must.Get(Recheck(list, func(name string) File { return Text(name, file) }, nil))(t)
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
	if err != nil || len(again.Problems) != 1 || again.Problems[0].Message != "spine-1 is named now, but has no certificate" {
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

// A certificate has words where no figure could say it. Others are refused, and so are those that say figures.
func TestForgedWords(t *testing.T) {
	text := certified(t, sample(t))
	for what, forge := range map[string]func(c *proof.Certificate, o *proof.Claim){
		"a reason of what holds": func(_ *proof.Certificate, o *proof.Claim) { o.Because = "not examined" },
		"a counterexample":       func(_ *proof.Certificate, o *proof.Claim) { o.Counterexample = "it was tested" },
		"a condition of no kind": func(c *proof.Certificate, o *proof.Claim) {
			o.Verdict, o.Conditions = proof.Conditional, []proof.Supposition{{ID: "luck", Says: "we are lucky"}}
			c.Verdict = proof.Conditional
		},
		"words of a condition that has figures": func(c *proof.Certificate, o *proof.Claim) {
			_, port, _ := strings.Cut(o.Where, " of ")
			o.Verdict, o.Conditions = proof.Conditional, []proof.Supposition{{ID: proof.PeerResponse, Where: port, Bound: o.Terms["t"], Says: "the peer is silent within 1 ps"}}
			c.Verdict = proof.Conditional
		},
		"a response that is declared": func(c *proof.Certificate, _ *proof.Claim) {
			c.Declared = append(c.Declared, "peers of g respond to a pause within 1ps")
		},
		"a frame that is declared": func(c *proof.Certificate, _ *proof.Claim) {
			c.Declared = append(c.Declared, "lossless frames of g have 64B at most")
		},
	} {
		list := must.Get(ParseCertificates(text))(t)
		c := list.Shapes[0]
		i := slices.IndexFunc(c.Obligations, func(o proof.Claim) bool { return o.ID == proof.Headroom })
		forge(c, &c.Obligations[i])
		got, err := Recheck(list, func(name string) File { return Text(name, sample(t)) }, nil)
		if err != nil || len(got.Problems) == 0 {
			t.Errorf("%s: %v, %v", what, got, err)
		}
	}
	// Words that certificates had, by version 1 of the form, are fields that there are not.
	for _, field := range []string{`"title": "that nothing is ever lost"`, `"source": "measured"`, `"unit": "B"`, `"note": "it was tested"`, `"lossless": false`, `"groups": []`} {
		forged := strings.Replace(string(text), `"id": "headroom",`, `"id": "headroom", `+field+`,`, 1)
		if _, err := ParseCertificates([]byte(forged)); err == nil || forged == string(text) {
			t.Errorf("%s is read", field)
		}
	}
}

// What is declared of ports is written without the figure that the model has.
func TestDeclaredWithoutFigures(t *testing.T) {
	for said, want := range map[string]string{
		"peers of gpus respond to a pause within 1.2us": "peers of gpus respond to a pause within [response]", "lossless frames of a b have 4200B at most": "lossless frames of a b have [lossless] at most",
		"chip trident3": "chip trident3", "cables of 3 ports": "cables of 3 ports",
	} {
		must.Equalf(t, symbolically(said), want, "%q:", said)
	}
}
