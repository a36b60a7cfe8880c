package sonic_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// realistic are switches that somebody could have.
var realistic = map[string]func() *plan.Switch{"tor": tor, "edge-tor": edgeTor, "spectrum": spectrum, "chassis-card": chassisCard}

func render(t testing.TB, sw *plan.Switch) []byte {
	t.Helper()
	files, found := sonic.Emit(sw)
	if found.HasErrors() || len(files) != 1 {
		t.Fatalf("Emit gave %d files and %v", len(files), found)
	}
	return files[0].Body.AppendFor(nil, sw.Names[0])
}

// compare checks text against a golden file.
func compare(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must.Do(t, os.WriteFile(path, got, 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), string(got)), "%s differs (-golden +now):", path)
}

func TestGolden(t *testing.T) {
	for name, sw := range realistic {
		t.Run(name, func(t *testing.T) { compare(t, name+".json", render(t, sw())) })
	}
}

// unexpected are findings beside the one that each switch with virtual output queues has.
func unexpected(sw *plan.Switch, found diag.List) diag.List {
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return sw.VOQ && d.Code == sonic.SystemPorts })
}

// The real YANG models take what is emitted, and refuse what they have to.
func TestYANG(t *testing.T) {
	check := oracle.Shared(t, "tools/check-sonic")
	oracle.Command(t, "yanglint", "libyang2-tools")
	dir := t.TempDir()
	args := []string{}
	for name, sw := range realistic {
		path := filepath.Join(dir, name+".json")
		must.Do(t, os.WriteFile(path, render(t, sw()), 0o644))
		args = append(args, path)
	}
	if out, err := exec.Command(check, args...).CombinedOutput(); err != nil {
		t.Errorf("check-sonic: %v\n%s", err, out)
	}
	wrong := bytes.Replace(render(t, tor()), []byte(`"dynamic_th": "-3"`), []byte(`"dynamic_th": "-9"`), 1)
	must.Do(t, os.WriteFile(args[0], wrong, 0o644))
	if out, err := exec.Command(check, args[0]).CombinedOutput(); err == nil {
		t.Errorf("check-sonic takes alpha 2^-9\n%s", out)
	}
}

// A port may be called anything that YANG takes: its name is escaped in keys of queues too.
func TestVirtualKeysAreJSON(t *testing.T) {
	sw := chassisCard()
	sw.Ports[0].Name = `Ethernet"0\`
	var tables map[string]map[string]any
	must.Do(t, json.Unmarshal(render(t, sw), &tables))
	if key := `card-1|asic1|Ethernet"0\|5`; tables["QUEUE"][key] == nil {
		t.Errorf("QUEUE has no %s", key)
	}
}

// An overlay is the full form without the identity of the device and of its ports, so
// that one laid over the other changes nothing.
func TestOverlay(t *testing.T) {
	for name, sw := range realistic {
		t.Run(name, func(t *testing.T) {
			sw := sw()
			var full, overlay map[string]map[string]map[string]string
			must.Do(t, json.Unmarshal(render(t, sw), &full))
			for i := range sw.Ports {
				sw.Ports[i].Lanes = nil // an overlay does not create ports
			}
			files, found := sonic.Overlay(sw)
			if len(unexpected(sw, found)) > 0 || len(files) != 1 || files[0].Path != sonic.OverlayPath {
				t.Fatalf("Overlay gave %d files and %v", len(files), found)
			}
			must.Do(t, json.Unmarshal(files[0].Body.AppendFor(nil, sw.Names[0]), &overlay))
			delete(full, "DEVICE_METADATA")
			for _, fields := range full["PORT"] {
				for field := range fields {
					if field != "mtu" {
						delete(fields, field)
					}
				}
			}
			must.NoDiffIn(t, cmp.Diff(full, overlay), "(-full +overlay):")
		})
	}
}

// Keys stand in the order in which SONiC writes them, and every scalar is a string.
func TestOrder(t *testing.T) {
	for name, sw := range realistic {
		dec := json.NewDecoder(bytes.NewReader(render(t, sw())))
		if err := ordered(dec, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// ordered walks one JSON value.
func ordered(dec *json.Decoder, path string) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	if _, text := token.(string); text {
		return nil
	}
	if token != json.Delim('{') {
		return fmt.Errorf("%s is %v, neither an object nor a string", path, token)
	}
	last := ""
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		key := token.(string)
		if last != "" && natural.Compare(last, key) >= 0 {
			return fmt.Errorf("%s: %q stands before %q", path, last, key)
		}
		last = key
		if err := ordered(dec, path+"/"+key); err != nil {
			return err
		}
	}
	if last == "" {
		return fmt.Errorf("%s is empty", path)
	}
	_, err = dec.Token()
	return err
}

// Nothing but the host name depends on the device.
func TestNameIsOpen(t *testing.T) {
	files, _ := sonic.Emit(tor())
	one, other := files[0].Body.AppendFor(nil, "a"), files[0].Body.AppendFor(nil, "bb")
	if want := bytes.Replace(one, []byte(`"hostname": "a"`), []byte(`"hostname": "bb"`), 1); !bytes.Equal(want, other) {
		t.Errorf("devices differ in more than their name")
	}
}

func TestText(t *testing.T) {
	sw := tor()
	sw.Ports[0].Peer = "NIC \"cx5\"\n\\é"
	var doc map[string]map[string]map[string]string
	must.Do(t, json.Unmarshal(render(t, sw), &doc))
	must.Equalf(t, doc["PORT"]["Ethernet0"]["description"], sw.Ports[0].Peer, "description is")
}

// Neighbours that are told the same share a row; others have their own.
func TestRanges(t *testing.T) {
	sw := tor()
	sw.Maps.TCToPG[4] = 4
	qos := sw.Ports[0].QoS
	pg, queue := qos.PGs[1], qos.Queues[1]
	pg.ID, queue.ID = 4, 4
	qos.PFC |= 1 << 4
	qos.PGs = []plan.PG{qos.PGs[0], pg, qos.PGs[1]}
	qos.Queues = []plan.Queue{qos.Queues[0], queue, qos.Queues[1], qos.Queues[2]}
	var doc map[string]map[string]map[string]string
	must.Do(t, json.Unmarshal(render(t, sw), &doc))
	keys := func(table string) (keys []string) {
		for key := range doc[table] {
			if index, ok := strings.CutPrefix(key, "Ethernet0|"); ok {
				keys = append(keys, index)
			}
		}
		slices.Sort(keys)
		return keys
	}
	for table, want := range map[string][]string{
		"BUFFER_PG": {"0", "4-5"}, "BUFFER_QUEUE": {"2", "4-5", "6"}, "QUEUE": {"2", "4", "5", "6"},
	} {
		must.NoDiffIn(t, cmp.Diff(want, keys(table)), "%s (-want +got):", table)
	}
	must.Equalf(t, doc["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"], "4,5", "pfc_enable is")
}

// Where two lossless profiles want one name, the larger headroom gets the one that
// buffermgrd looks for, whatever the order of ports.
func TestProfileNames(t *testing.T) {
	for _, headroom := range [][2]int64{{25088, 40960}, {40960, 25088}} {
		sw := tor()
		sw.Ports[1].QoS = torQoS(units.Bytes(headroom[1]))
		for _, i := range []int{0, 2, 3, 4, 5, 6, 7} {
			sw.Ports[i].QoS = torQoS(units.Bytes(headroom[0]))
		}
		var doc map[string]map[string]map[string]string
		must.Do(t, json.Unmarshal(render(t, sw), &doc))
		if got := doc["BUFFER_PROFILE"]["pg_lossless_25000_15m_profile"]["xoff"]; got != "40960" {
			t.Errorf("the plain name has %s bytes of headroom", got)
		}
		for i, want := range headroom {
			name := doc["BUFFER_PG"][fmt.Sprintf("Ethernet%d|5", i)]["profile"]
			if got := doc["BUFFER_PROFILE"][name]["xoff"]; got != fmt.Sprint(want) {
				t.Errorf("Ethernet%d has %s bytes of headroom by %s, want %d", i, got, name, want)
			}
		}
	}
}

func TestRoles(t *testing.T) {
	for role, router := range map[string]string{"tor": "ToRRouter", "leaf": "LeafRouter", "spine": "SpineRouter"} {
		if schema.Router(role) != router || schema.Role(router) != role {
			t.Errorf("%s and %s are not each other's", role, router)
		}
	}
	if schema.Router("border") != "" || schema.Role("MiniTs") != "" {
		t.Error("a role without a router type has one")
	}
}

// large is tor with 64 ports.
func large() *plan.Switch {
	sw := tor()
	for i := range 54 {
		p := sw.Ports[8+i%2]
		p.Name = fmt.Sprintf("Ethernet%d", 16+4*i)
		sw.Ports = append(sw.Ports, p)
	}
	return sw
}

func BenchmarkEmit64Ports(b *testing.B) {
	sw := large()
	files, found := sonic.Emit(sw)
	if found.HasErrors() {
		b.Fatal(found)
	}
	b.SetBytes(int64(len(files[0].Body.AppendFor(nil, "tor-01"))))
	b.ReportAllocs()
	for b.Loop() {
		if files, _ := sonic.Emit(sw); len(files) == 0 {
			b.Fatal("no file")
		}
	}
}
