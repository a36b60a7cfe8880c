package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
)

// certified returns the text of the certificate of a file that is proved.
func certified(t *testing.T, file []byte) []byte {
	t.Helper()
	list, err := judge(t, trident3(t), Text("config_db.json", file)).Certificates()
	if err != nil || list.Shapes[0].Verdict != proof.Holds {
		t.Fatal(list.Shapes[0].Verdict, err)
	}
	text := must.Get(list.Marshal())(t)
	return text
}

// A certificate of one file, with the digest of another that says less, is refused, although its
// figures are all consistent: they are not those of the file. Nor may a certificate be made to say
// more of its own file.
func TestForgedCertificates(t *testing.T) {
	good := sample(t)
	text := certified(t, good)
	same := func(*proof.Certificate) {}
	named := func(c *proof.Certificate, old string) { // obligations are of the pool "other" then
		for i := range c.Obligations {
			c.Obligations[i].Where = strings.ReplaceAll(c.Obligations[i].Where, old, "other")
		}
	}
	renamed := func(c *proof.Certificate) {
		pool := &c.Model.Config.IngressPools[0]
		named(c, pool.Name)
		pool.Name = "other"
	}
	beside := func(c *proof.Certificate) { // the pool is as in the file, and no group takes from it
		config := c.Model.Config
		was := config.IngressPools[0]
		named(c, was.Name)
		config.IngressPools[0].Name = "other"
		config.IngressPools = append(config.IngressPools, mmu.Pool{Name: was.Name, HeadroomCells: 759}) // 194,304 B in cells of 256 B
	}
	for _, f := range []struct {
		what     string
		old, now string // of the file
		forge    func(c *proof.Certificate)
	}{
		{"less headroom", `"xoff": "250112"`, `"xoff": "120112"`, same},
		{"a smaller pool of headroom", `"xoff": "4194304"`, `"xoff": "194304"`, same},
		{"a smaller pool of headroom, by another name", `"xoff": "4194304"`, `"xoff": "194304"`, renamed},
		{"a smaller pool of headroom, beside another one", `"xoff": "4194304"`, `"xoff": "194304"`, beside},
		{"no PFC on a port", `"pfc_enable": "5"`, `"pfc_enable": ""`, same},
		{"PFC of another priority", `"pfc_enable": "5"`, `"pfc_enable": "3"`, same},
		{"a lower threshold", `"dynamic_th": "0"}`, `"dynamic_th": "-6"}`, same},
		{"a reserve of a cell", `"size": "4608", "xoff"`, `"size": "256", "xoff"`, same},
		{"a resume level of a cell", `"xon_offset": "4608"`, `"xon_offset": "256"`, same},
		{"a faster port", `"speed": "100000"`, `"speed": "400000"`, same},
		{"a smaller frame", `"mtu": "9100"`, `"mtu": "1500"`, same},
		{"another port", `"Ethernet4"`, `"Ethernet8"`, same},
		{"another chip, and declared", "", "", func(c *proof.Certificate) { c.Chip, c.Declared[0] = "trident4", "chip trident4" }},
		{"another chip alone", "", "", func(c *proof.Certificate) { c.Chip = "trident4" }},
		{"coverage of a port more", "", "", func(c *proof.Certificate) { c.Coverage.Ports++ }},
		{"another lossless code point", "", "", func(c *proof.Certificate) { c.Coverage.LosslessDSCPs = "26" }},
		{"no code point at all", "", "", func(c *proof.Certificate) { c.Coverage.LosslessDSCPs = "" }},
		{"names of two ports are swapped", "", "", func(c *proof.Certificate) { c.Model.Ports[0].Name, c.Model.Ports[1].Name = "Ethernet8", "Ethernet12" }},
		{"the group has another number", "", "", func(c *proof.Certificate) {
			for i := range c.Obligations {
				c.Obligations[i].Where = strings.Replace(c.Obligations[i].Where, "PG 5", "PG 3", 1)
			}
		}},
		{"the word of the verdict", "", "", func(c *proof.Certificate) { c.Verdict = proof.Conditional }},
		{"it speaks of a switch that has another name", "", "", func(c *proof.Certificate) { c.Switches = []string{"spine-1"} }},
	} {
		file := bytes.ReplaceAll(good, []byte(f.old), []byte(f.now))
		if f.old != "" && bytes.Equal(file, good) {
			t.Errorf("%s: the file does not change", f.what)
		}
		forged := must.Get(ParseCertificates(text))(t)
		sum := sha256.Sum256(file)
		forged.Shapes[0].Files["config_db.json"] = hex.EncodeToString(sum[:])
		f.forge(forged.Shapes[0])
		got := must.Get(Recheck(forged, func(name string) File { return Text(name, file) }, nil))(t)
		if len(got.Problems) == 0 {
			t.Errorf("%s: no problem", f.what)
		}
	}
}
