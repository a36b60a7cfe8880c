package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
)

// Forgeries of other kinds than those of TestForgedCertificates: more devices and files than
// were proved, figures of the model that obligations do not repeat, and words.
func TestForgedOtherwise(t *testing.T) {
	good := sample(t)
	text := certified(t, good)
	bad := bytes.ReplaceAll(good, []byte(`"xoff": "250112"`), []byte(`"xoff": "120112"`))
	bad = bytes.Replace(bad, []byte(`"hostname": "`), []byte(`"hostname": "x`), 1)
	files := map[string][]byte{
		"config_db.json": good, "x/config_db.json": bad, "notes": []byte("hello world"), "leaf-1.cfg": []byte("hello world"),
		"leaf-1/config_db.json": []byte(`{"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}}}`), "leaf-1.json": []byte(`{"openconfig-qos:qos": {}}`),
	}
	add := func(c *proof.Certificate, name string) {
		sum := sha256.Sum256(files[name])
		c.Files[name] = hex.EncodeToString(sum[:])
	}
	instead := func(c *proof.Certificate, name string) { // of a file that says nothing, with the coverage that it has
		clear(c.Files)
		add(c, name)
		shapes := must.Get(Read([]File{Text(name, files[name])}, 0))(t)
		s := newSwitch(shapes[0], shapes[0].Switch)
		s.count()
		c.Coverage = s.Coverage
	}
	lossless := func(c *proof.Certificate) *mmu.PG {
		for i := range c.Model.Config.Ports {
			for k := range c.Model.Config.Ports[i].PGs {
				if pg := &c.Model.Config.Ports[i].PGs[k]; pg.Lossless {
					return pg
				}
			}
		}
		panic("no lossless group")
	}
	of := func(c *proof.Certificate, id string) *proof.Claim {
		i := slices.IndexFunc(c.Obligations, func(o proof.Claim) bool { return o.ID == id })
		if i < 0 {
			panic(id)
		}
		return &c.Obligations[i]
	}
	without := func(c *proof.Certificate, ids ...string) {
		c.Obligations = slices.DeleteFunc(c.Obligations, func(o proof.Claim) bool { return slices.Contains(ids, o.ID) })
	}
	for _, f := range []struct {
		what  string
		forge func(c *proof.Certificate)
	}{
		{"nothing", func(*proof.Certificate) {}},
		{"groups that feed no queue", func(c *proof.Certificate) {
			for i := range c.Model.Ports {
				c.Model.Ports[i].Queues = [mmu.MaxPGs]uint16{}
			}
			without(c, proof.QueueHolds, proof.EgressHolds, proof.PortHolds)
		}},
		{"ports with a map of queues that leads nowhere", func(c *proof.Certificate) {
			for i := range c.Model.Ports {
				c.Model.Ports[i].Map, c.Model.Ports[i].Other = 1, make([][mmu.MaxPGs]uint16, 1)
			}
			without(c, proof.QueueHolds, proof.EgressHolds, proof.PortHolds)
		}},
		{"queues without a limit in the model", func(c *proof.Certificate) {
			for i := range c.Model.Config.Ports {
				clear(c.Model.Config.Ports[i].Queues)
			}
			without(c, proof.QueueHolds, proof.PortHolds)
		}},
		{"a second device whose file has less headroom", func(c *proof.Certificate) {
			add(c, "x/config_db.json")
			c.Switches = append(c.Switches, "x"+c.Switches[0])
		}},
		{"a second device without a file", func(c *proof.Certificate) { c.Switches = append(c.Switches, "spine-9") }},
		{"a device twice", func(c *proof.Certificate) { c.Switches = append(c.Switches, c.Switches[0]) }},
		{"no device", func(c *proof.Certificate) { c.Switches = nil }},
		{"no model", func(c *proof.Certificate) { c.Model = nil }},
		{"a cell of another size", func(c *proof.Certificate) { c.Model.Config.CellBytes *= 2 }},
		{"more memory", func(c *proof.Certificate) { c.Model.Config.SliceCells *= 2 }},
		{"a more generous shared part", func(c *proof.Certificate) { c.Model.Config.IngressPools[0].SharedCells *= 2 }},
		{"a chip with another rule of pausing", func(c *proof.Certificate) { c.Model.Config.Rules.Pause++ }},
		{"a group without headroom in the model", func(c *proof.Certificate) { lossless(c).HeadroomCells = 0 }},
		{"a resume level in the model", func(c *proof.Certificate) { lossless(c).XonCells = 1 << 20 }},
		{"a pause that the peer does not get", func(c *proof.Certificate) { c.Model.Ports[0].Pausable = 0 }},
		{"a link of another speed in the model", func(c *proof.Certificate) { c.Model.Ports[0].Link.Rate /= 10 }},
		{"a term that is not its own", func(c *proof.Certificate) { of(c, proof.Headroom).Terms["H"] = 1 << 20 }},
		{"an obligation of another kind", func(c *proof.Certificate) { of(c, proof.Headroom).ID = proof.LossyShare }},
		{"an obligation with a place of its own", func(c *proof.Certificate) { of(c, proof.Headroom).Where = "everywhere" }},
		{"a reason that is not one", func(c *proof.Certificate) { c.Because = []string{"nobody asked"} }},
		{"a file that says nothing", func(c *proof.Certificate) { clear(c.Files); add(c, "notes") }},
		{"a file that no reader knows, by the name of the device", func(c *proof.Certificate) { instead(c, "leaf-1.cfg") }},
		{"a file of the device without a port", func(c *proof.Certificate) { instead(c, "leaf-1/config_db.json") }},
		{"a file of a format that cannot say it", func(c *proof.Certificate) { instead(c, "leaf-1.json") }},
		{"no file", func(c *proof.Certificate) { clear(c.Files) }},
		{"coverage of fewer statements", func(c *proof.Certificate) { c.Coverage.Modelled, c.Coverage.Neutral = 0, 0 }},
		{"a digest in capitals", func(c *proof.Certificate) { c.Files["config_db.json"] = strings.ToUpper(c.Files["config_db.json"]) }},
	} {
		forged, err := ParseCertificates(text)
		must.Do(t, err)
		f.forge(forged.Shapes[0])
		again := must.Get(forged.Marshal())(t)
		forged, err = ParseCertificates(again)
		if err != nil {
			continue // it is not even read
		}
		got, err := Recheck(forged, func(name string) File { return Text(name, files[name]) }, nil)
		if forgery := f.what != "nothing"; err == nil && (len(got.Problems) > 0) != forgery {
			t.Errorf("%s: %v", f.what, got.Problems)
		}
	}
}
