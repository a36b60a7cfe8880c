package adopt_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclparse"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/verify"
)

func config(t testing.TB) []byte {
	t.Helper()
	text := must.Get(os.ReadFile("../golden/ucloud-pod/leaf-1/config_db.json"))(t)
	return text
}

// importText imports one file, and demands that what is written is HCL.
func importText(t testing.TB, c *chips.Catalogue, name string, text []byte, seen []cabling.Sighting) *adopt.Result {
	t.Helper()
	r := adopt.Import(gather(t, []verify.File{verify.Text(name, text)}), adopt.Options{Name: "pod", Catalogue: c, Targets: target.All(), Sightings: seen})
	if _, wrong := hclparse.NewParser().ParseHCL(r.HCL, "fabric.hcl"); wrong.HasErrors() {
		t.Fatalf("%v\n%s", wrong, r.HCL)
	}
	return r
}

// A ConfigDB is the same fabric nested, flat, and as a dump of Redis.
func TestFormsOfConfigDB(t *testing.T) {
	var nested map[string]map[string]json.RawMessage
	must.Do(t, json.Unmarshal(config(t), &nested))
	flat, dump := map[string]json.RawMessage{}, map[string]any{}
	for table, rows := range nested {
		for key, row := range rows {
			flat[table+"|"+key] = row
			dump[table+"|"+key] = map[string]any{"type": "hash", "ttl": -0.001, "value": row}
		}
	}
	c := catalogue(t)
	want := importText(t, c, "leaf-1/config_db.json", config(t), nil)
	for name, form := range map[string]any{"flat": flat, "dump": dump} {
		text := must.Get(json.Marshal(form))(t)
		got := importText(t, c, "leaf-1/config_db.json", text, nil)
		if !bytes.Equal(got.HCL, want.HCL) || !got.Equal {
			t.Errorf("%s: equal %v\n%s", name, got.Equal, got.HCL)
		}
	}
}

// A file that ends anywhere gives findings, and text that is HCL.
func TestTruncated(t *testing.T) {
	text, c := config(t), catalogue(t)
	for n := 0; n < len(text); n += len(text)/40 + 1 {
		if r := importText(t, c, "leaf-1/config_db.json", text[:n], nil); n > 0 && len(r.Found) == 0 {
			t.Errorf("%d bytes of %d have no finding", n, len(text))
		}
	}
}

// Names that would be code elsewhere are texts in HCL and cells in CSV: nobody says how long
// the cables are, so the table names the device at each port.
func TestNamesOfOthers(t *testing.T) {
	c := catalogue(t)
	text := strings.NewReplacer(`"CABLE_LENGTH"`, `"NO_CABLE_LENGTH"`, `"hostname"`, `"no_hostname"`).Replace(string(config(t)))
	for _, name := range []string{`leaf"1`, `leaf-${file("x")}`, "%{for}", "leaf,1", "läf", "a b", "1", "leaf-[1..2]", "switch", "x:y"} {
		r := importText(t, c, name+"/config_db.json", []byte(text), nil)
		rows, err := csv.NewReader(bytes.NewReader(r.Cables)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %d rows, %v", name, len(rows), err)
		}
		for _, row := range rows[1:] {
			must.Equalf(t, row[0], name, "%s is called", name)
		}
	}
}

// Texts of files become HCL texts or comments of one line, without characters that control a terminal.
func TestTextsOfOthers(t *testing.T) {
	c := catalogue(t)
	var db map[string]map[string]map[string]any
	must.Do(t, json.Unmarshal(config(t), &db))
	comments := 0
	for _, evil := range []string{"\x1b[2J", "a\nswitch \"evil\" {}", "\r} */ ${file(\"/etc/passwd\")}", "\u009b31m", "\u2028evil {}", "\u202e"} {
		for _, row := range db["PORT"] {
			row["alias"], row["description"] = evil, evil
		}
		text := must.Get(json.Marshal(db))(t)
		r := importText(t, c, "leaf-1/config_db.json", text, nil)
		if strings.Contains(string(r.HCL), "# Not carried: alias") {
			comments++
		}
		if plain.Text(string(r.HCL)) != string(r.HCL) {
			t.Errorf("%q: %q", evil, r.HCL)
		}
		for line := range strings.Lines(string(r.HCL)) {
			if strings.HasPrefix(strings.TrimSpace(line), "switch \"evil\"") {
				t.Errorf("%q becomes %s", evil, line)
			}
		}
	}
	if comments == 0 {
		t.Error("no text is in a comment")
	}
}

// What compile makes for devices of other names is not what was read.
func TestNamesThatCannotBeSaid(t *testing.T) {
	c := catalogue(t)
	text := strings.Replace(string(config(t)), `"hostname"`, `"no_hostname"`, 1)
	for _, name := range []string{"a b", "leaf-[1..2]"} {
		if r := importText(t, c, name+"/config_db.json", []byte(text), nil); r.Equal || len(r.Found) == 0 {
			t.Errorf("%s: equal %v, %d findings", name, r.Equal, len(r.Found))
		}
	}
	if r := importText(t, c, "leaf-1/config_db.json", []byte(text), nil); !r.Equal {
		t.Errorf("leaf-1: %v", r.Found)
	}
}

// FuzzImport: whatever a file holds, nothing panics and what is written is HCL.
func FuzzImport(f *testing.F) {
	for _, text := range []string{
		`{"DEVICE_METADATA": {"localhost": {"hostname": "a", "platform": "x86_64-dellemc_s5232f_c3538-r0", "hwsku": "DellEMC-S5232f-C32"}},
 "PORT": {"Ethernet0": {"speed": "100000", "lanes": "1,2,3,4", "mtu": "9194", "description": "cx5"}},
 "CABLE_LENGTH": {"AZURE": {"Ethernet0": "3m"}}, "DSCP_TO_TC_MAP": {"AZURE": {"26": "3", "0": "0"}}, "TC_TO_QUEUE_MAP": {"AZURE": {"3": "3", "0": "0"}},
 "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3", "dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE"}},
 "BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "1000000"}}, "BUFFER_PROFILE": {"x": {"pool": "p", "size": "0", "dynamic_th": "-3", "xoff": "40000"}},
 "BUFFER_PG": {"Ethernet0|3": {"profile": "x"}}, "SCHEDULER": {"s": {"type": "DWRR", "weight": "60"}}, "QUEUE": {"Ethernet0|3": {"scheduler": "s"}}}`,
		"hostname a\n!\nqos profile p\n   qos trust dscp\n   tx-queue 3\n      bandwidth percent 60\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\ninterface Ethernet1/1\n   service-profile p\n!\nend\n",
		"- set:\n    interface:\n      swp1:\n        link: {mtu: 9216}\n    qos:\n      pfc:\n        default-global: {switch-priority: [3]}\n",
	} {
		f.Add([]byte(text))
	}
	c := catalogue(f)
	f.Fuzz(func(t *testing.T, text []byte) { importText(t, c, "leaf-1.cfg", text, nil) })
}

// leaves returns the files of so many switches of one shape, which all differ as those of real devices
// do.
func leaves(t testing.TB, n int) (files []verify.File) {
	t.Helper()
	leaf := must.Get(os.ReadFile("../golden/tomahawk5-ai-pod/leaf-01/config_db.json"))(t)
	for i := range n {
		name := fmt.Sprintf("leaf-%04d", i+1)
		files = append(files, verify.File{Name: name + "/config_db.json", Read: func() ([]byte, error) {
			text := strings.ReplaceAll(string(leaf), `"hostname": "leaf-01"`, fmt.Sprintf(`"hostname": %q, "mac": "02:00:00:00:%02x:%02x"`, name, i>>8, i&255))
			return []byte(text), nil
		}})
	}
	return files
}

// BenchmarkThousand imports a thousand switches.
func BenchmarkThousand(b *testing.B) {
	files, c := leaves(b, 1000), catalogue(b)
	for b.Loop() {
		r := adopt.Import(gather(b, files), adopt.Options{Name: "pod", Catalogue: c, Targets: target.All()})
		if !bytes.Contains(r.HCL, []byte(`switch "leaf-[0001..1000]"`)) {
			b.Fatalf("%s", r.HCL)
		}
	}
}

// What is held of many switches does not grow with their number: of files that say the same one is
// kept, and their text is one block. A configuration with its ledger takes some 10 MB while it is
// read; the names of a hundred devices and the table of what they have take some kilobytes.
func TestMemoryOfMany(t *testing.T) {
	held := func(n int) (uint64, []*adopt.Shape) {
		shapes := gather(t, leaves(t, n))
		if len(shapes) != 1 || len(shapes[0].Names) != n {
			t.Fatalf("%d files are %d shapes", n, len(shapes))
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		runtime.KeepAlive(shapes)
		return m.HeapAlloc, shapes
	}
	few, _ := held(2)
	many, shapes := held(100)
	if megabyte := uint64(1 << 20); many > few+megabyte {
		t.Errorf("2 switches hold %d B, and 100 of the same shape %d B", few, many)
	}
	r := adopt.Import(shapes, adopt.Options{Name: "pod", Catalogue: catalogue(t), Targets: target.All()})
	if n := bytes.Count(r.HCL, []byte("\nswitch ")); n != 1 || !bytes.Contains(r.HCL, []byte(`switch "leaf-[0001..0100]"`)) {
		t.Errorf("%d blocks of switches for 100 of one shape:\n%s", n, r.HCL)
	}
}
