package srlinux_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/srlinux"
	"github.com/roceplan/roceplan/units"
)

// listKeys are the keys of lists in srl_nokia-qos 2025-03-31 and srl_nokia-interfaces, by the name
// of the list; the first that an entry has is its.
var listKeys = map[string][]string{
	"interface": {"interface-id", "name"}, "subinterface": {"index"}, "queue": {"queue-name", "name"}, "pfc-queue": {"pfc-queue-name"},
	"forwarding-class": {"name"}, "dscp-policy": {"name"}, "dscp": {"value"}, "map": {"forwarding-class"}, "pfc-mapping-profile": {"name"},
	"queue-management-profile": {"name"}, "buffer-allocation-profile": {"name"}, "scheduler-policy": {"name"}, "scheduler": {"sequence"},
	"input": {"id"}, "linecard": {"slot"}, "forwarding-complex": {"name"},
}

// flattened is a document as `info flat` prints it.
func flattened(v any, name, path string, out *[]string) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			*out = append(*out, "set /"+path)
		}
		for _, key := range sortedKeys(v) {
			_, bare, ok := strings.Cut(key, ":")
			if !ok {
				bare = key
			}
			flattened(v[key], bare, path+" "+bare, out)
		}
	case []any:
		if len(v) == 0 {
			return
		}
		if _, object := v[0].(map[string]any); !object {
			*out = append(*out, "set /"+path+" [ "+strings.Trim(fmt.Sprint(v...), "[]")+" ]")
			return
		}
		for _, item := range v {
			entry := item.(map[string]any)
			keys := ""
			if name == "wred-slope" {
				keys = fmt.Sprintf("%v drop-probability %v enable-ecn %v", entry["traffic-type"], entry["drop-probability"], entry["enable-ecn"])
				entry = without(entry, "traffic-type", "drop-probability", "enable-ecn")
			} else {
				for _, key := range listKeys[name] {
					if value, ok := entry[key]; ok && keys == "" {
						keys, entry = fmt.Sprint(value), without(entry, key)
					}
				}
			}
			*out = append(*out, "set /"+path+" "+keys)
			if len(entry) > 0 {
				flattened(entry, name, path+" "+keys, out)
			}
		}
	default:
		*out = append(*out, fmt.Sprintf("set /%s %v", path, v))
	}
}

// braced is a document as `info` prints it.
func braced(v any, name, indent string, out *[]string) {
	add := func(format string, args ...any) { *out = append(*out, indent+fmt.Sprintf(format, args...)) }
	inner := indent + "    "
	switch v := v.(type) {
	case map[string]any:
		if name != "" {
			add("%s {", name)
		} else {
			inner = indent
		}
		for _, key := range sortedKeys(v) {
			bare := key[strings.Index(key, ":")+1:]
			braced(v[key], bare, inner, out)
		}
		if name != "" {
			add("}")
		}
	case []any:
		if len(v) == 0 {
			return
		}
		if _, object := v[0].(map[string]any); !object {
			add("%s [", name)
			for _, item := range v {
				add("    %v", item)
			}
			add("]")
			return
		}
		for _, item := range v {
			entry := item.(map[string]any)
			keys := ""
			if name == "wred-slope" {
				keys = fmt.Sprintf("%v drop-probability %v enable-ecn %v", entry["traffic-type"], entry["drop-probability"], entry["enable-ecn"])
				entry = without(entry, "traffic-type", "drop-probability", "enable-ecn")
			} else {
				for _, key := range listKeys[name] {
					if value, ok := entry[key]; ok && keys == "" {
						keys, entry = fmt.Sprint(value), without(entry, key)
					}
				}
			}
			braced(entry, name+" "+keys, indent, out)
		}
	default:
		add("%s %v", name, v)
	}
}

func without(m map[string]any, names ...string) map[string]any {
	out := map[string]any{}
	for key, v := range m {
		if !slices.Contains(names, key) {
			out[key] = v
		}
	}
	return out
}

func sortedKeys(m map[string]any) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// One configuration as a document, as the set lines of `info flat`, and as what clients of gNMI
// print and send is one switch.
func TestForms(t *testing.T) {
	everything := must.Get(os.ReadFile(filepath.Join("testdata", "everything.json")))(t)
	texts := [][]byte{everything}
	for _, name := range []string{"leaf-1"} {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", "golden", "srlinux-rail", name, "srlinux.json")))(t)
		texts = append(texts, text)
	}
	for i, text := range texts {
		want := srlinux.Format().Read("x", text, read.Options{})
		var doc map[string]any
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.UseNumber()
		must.Do(t, decoder.Decode(&doc))
		var lines []string
		flattened(doc, "", "", &lines)
		var blocks []string
		braced(doc, "", "", &blocks)
		var updates, result []any
		for key, v := range doc {
			updates = append(updates, map[string]any{"Path": key, "values": map[string]any{strings.SplitN(key, ":", 2)[1]: v}})
			result = append(result, map[string]any{"path": "/" + strings.SplitN(key, ":", 2)[1], "value": v})
		}
		jsonText := func(v any) string {
			out := must.Get(json.Marshal(v))(t)
			return string(out)
		}
		for name, form := range map[string]string{
			"info flat":      "--{ running }--[  ]--\nA:leaf1# info flat\n" + strings.Join(lines, "\n") + "\n",
			"info":           "--{ running }--[  ]--\nA:leaf1# info\n" + strings.Join(blocks, "\n") + "\n",
			"gnmic get":      jsonText([]any{map[string]any{"source": "leaf1:57400", "timestamp": 1, "updates": updates}}),
			"SetRequest":     jsonText(map[string]any{"update": result}),
			"JSON-RPC reply": jsonText(map[string]any{"jsonrpc": "2.0", "id": 0, "result": []any{doc}}),
			"JSON-RPC set":   jsonText(map[string]any{"jsonrpc": "2.0", "method": "set", "params": map[string]any{"commands": result}}),
		} {
			if srlinux.Format().Recognize([]byte(form)) == nil {
				t.Errorf("%d, %s is not recognized", i, name)
			}
			got := srlinux.Format().Read("x", []byte(form), read.Options{})
			places := cmp.Options{cmpopts.IgnoreTypes(diag.Range{}, &plan.Why{}, plan.MapPlaces{}), cmpopts.EquateEmpty()}
			must.NoDiffIn(t, cmp.Diff(want.Switch, got.Switch, places), "%d, %s (-document +form):", i, name)
			if a, b := want.Ledger.Count(read.Unmodelled), got.Ledger.Count(read.Unmodelled); a != b {
				t.Errorf("%d, %s: %d leaves are not modelled, of the document %d: %+v", i, name, b, a, got.Ledger.Unmodelled())
			}
			if len(want.Found) != len(got.Found) {
				t.Errorf("%d, %s: found %d, of the document %d: %v", i, name, len(got.Found), len(want.Found), got.Found)
			}
		}
	}
}

// A bracket that nothing follows, or that a text in quotes begins with, is a value like others.
func TestFlatValues(t *testing.T) {
	for line, want := range map[string]string{"set / system name host-name [": "[", `set / system name host-name "a b"`: "a b", `set / system name host-name "a\"b"`: `a"b`, "set /system name host-name x": "x", "  set /  system name host-name y": "y"} {
		if sw := srlinux.Format().Read("x", []byte(line+"\n"), read.Options{}).Switch; !slices.Equal(sw.Names, []string{want}) {
			t.Errorf("%s: %q, want %q", line, sw.Names, want)
		}
	}
}

// Lines that take something away, or that cannot be understood, are named.
func TestFlatHostile(t *testing.T) {
	for text, want := range map[string]string{
		"set / qos queues queue rdma queue-index 3\ndelete / qos queues queue rdma\n": "does not set a leaf",
		"set / qos queues queue\n": "names no entry",
		"set / qos queues queue rdma queue-index 3\nset / qos queues queue rdma queue-index 4": "second value",
		"interface ethernet-1/1 {\n    admin-state enable\n":                                   "open at the end",
		"interface ethernet-1/1 {\n" + strings.Repeat("a {\n", 200):                            "levels",
		`{"update": [{"path": "/qos"}]}`:                                                       "a path and a value",
		`{"delete": ["/qos"], "update": [{"path": "/qos", "value": {}}]}`:                      "deletes",
	} {
		got := srlinux.Format().Read("x", []byte(text), read.Options{}).Found
		if len(got) == 0 || !strings.Contains(got[0].Message, want) {
			t.Errorf("%q: found %v, want %q", text, got, want)
		}
	}
	for _, text := range []string{"set /", "set / ", "set / \"", "set / a [", "set / qos interfaces interface \"x\n", "set / interface é mtu 3", `[{"updates":[1,{"Path":3,"values":4}]}]`, `{"update":[{"path":"a[b","value":{}}]}`} {
		srlinux.Format().Read("x", []byte(text), read.Options{})
	}
}

// Reading takes time by the size of a text, whatever it repeats: of these, compared each with each, none
// would end in a minute.
func TestFlatRepeats(t *testing.T) {
	const many = 100_000
	repeated := func(head, each, tail string) string {
		var text strings.Builder
		text.WriteString(head)
		for i := range many {
			if i > 0 && tail != "" {
				text.WriteString(",")
			}
			fmt.Fprintf(&text, each, i)
		}
		return text.String() + tail
	}
	for name, text := range map[string]string{
		"entries":       repeated("", "set / interface ethernet-1/%d admin-state enable\n", ""),
		"leaves":        repeated("", "set / a%d 1\n", ""),
		"levels":        "set / " + strings.Repeat("a ", 10*many),
		"paths":         repeated(`[{"updates":[`, `{"Path":"srl_nokia-interfaces:/interface[name=ethernet-1/%d]","values":{"x":{"admin-state":"enable"}}}`, "]}]"),
		"a long path":   `[{"updates":[{"Path":"/qos/` + strings.Repeat("a", 20*many) + `","values":{"qos":{"a":1}}}]}]`,
		"a deep path":   `[{"updates":[{"Path":"/qos` + strings.Repeat("/a", 10*many) + `","values":{"qos":{"a":1}}}]}]`,
		"keys of a key": `[{"updates":[{"Path":"/qos` + strings.Repeat("[a=b]", 2*many) + `","values":{"qos":{"a":1}}}]}]`,
	} {
		got := srlinux.Format().Read("x", []byte(text), read.Options{})
		if deep := name == "levels" || name == "a deep path"; deep != slices.ContainsFunc(got.Found, func(d diag.Diagnostic) bool { return d.Code == srlinux.TooLarge }) {
			t.Errorf("%s: found %v", name, got.Found)
		}
	}
}

// What is said of one entry comes together, also where others stand between and where a part that came
// before has the entry already: a leaf of it that gets two values is found.
func TestFlatEntriesMeet(t *testing.T) {
	for _, text := range []string{
		"set / interface ethernet-1/1 mtu 9000\nset / interface ethernet-1/2 mtu 4000\nset / interface ethernet-1/1 mtu 4000\n",
		`[{"updates":[{"Path":"","values":{"":{"srl_nokia-interfaces:interface":[{"name":"ethernet-1/2"},{"name":"ethernet-1/1","mtu":9000}]}}},
			{"Path":"srl_nokia-interfaces:/interface[name=ethernet-1/1]","values":{"interface":{"mtu":4000}}}]}]`,
	} {
		got := srlinux.Format().Read("x", []byte(text), read.Options{})
		if len(got.Found) != 1 || got.Found[0].Code != srlinux.Duplicate {
			t.Errorf("%s\nfound %v, want a second value", text, got.Found)
		}
		if same := srlinux.Format().Read("x", []byte(strings.ReplaceAll(text, "4000", "9000")), read.Options{}); len(same.Found) > 0 {
			t.Errorf("%s\nfound %v", text, same.Found)
		}
	}
}

// Lines that name two entries of a list are no leaf with two values, where the reader does not look
// into the list; what they do to packets is seen for each.
func TestEntriesOfUnknownLists(t *testing.T) {
	for _, c := range []struct {
		text              string
		found, unmodelled int
	}{
		{"set / network-instance default interface ethernet-1/1.0\nset / network-instance default interface ethernet-1/2.0\n", 0, 0},
		{"set / interface ethernet-1/1 subinterface 0 ipv4 address 10.0.0.1/31\nset / interface ethernet-1/1 subinterface 0 ipv4 address 10.0.0.3/31\n", 0, 0},
		{"set / network-instance default protocols ldp interface a\nset / network-instance default protocols ldp interface b\n", 0, 2},
		{"set / network-instance default interface a\nset / network-instance default interface b\nset / network-instance default interface b x y\n", 0, 0},
		{"set / system mtu default-ip-mtu 1500\nset / system mtu default-ip-mtu 1400\n", 1, 1},
		{"set / interface ethernet-1/1 mtu 9000\nset / interface ethernet-1/1 mtu 1500\n", 1, 0},
		{"set / qos explicit-congestion-notification ecn-dscp-policy a\nset / qos explicit-congestion-notification ecn-dscp-policy b\n", 1, 1},
	} {
		r := srlinux.Format().Read("x", []byte(c.text), read.Options{})
		if len(r.Found) != c.found || r.Ledger.Count(read.Unmodelled) != c.unmodelled {
			t.Errorf("%q: found %v, not modelled %+v", c.text, r.Found, r.Ledger.Unmodelled())
		}
	}
}

// Every value that srl_nokia-interfaces has for port-speed, and some that it has not.
func TestSpeeds(t *testing.T) {
	for word, want := range map[string]units.BitRate{
		"10M": 10 * units.Mbps, "100M": 100 * units.Mbps, "1G": units.Gbps, "10G": 10 * units.Gbps, "25G": 25 * units.Gbps, "40G": 40 * units.Gbps, "50G": 50 * units.Gbps,
		"100G": 100 * units.Gbps, "200G": 200 * units.Gbps, "400G": 400 * units.Gbps, "800G": 800 * units.Gbps, "1T": 1000 * units.Gbps, "0G": 0, "0M": 0, "-1G": 0, "T": 0, "100": 0, "32767G": 32767 * units.Gbps, "32768G": 0,
	} {
		text := fmt.Sprintf(`{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "ethernet": {"port-speed": %q}}],
			"srl_nokia-qos:qos": {"interfaces": {"interface": [{"interface-id": "ethernet-1/1", "interface-ref": {"interface": "ethernet-1/1"}}]}}}`, word)
		sw, found := readtest.Switch(srlinux.Format(), "x", []byte(text))
		if found.HasErrors() != (want == 0) || len(sw.Ports) != 1 || sw.Ports[0].Speed != want {
			t.Errorf("%s: %v %v, want %v", word, sw.Ports, found, want)
		}
	}
}
