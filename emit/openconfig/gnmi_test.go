package openconfig

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	text "google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	reader "github.com/roceplan/roceplan/read/openconfig"
)

// same compares plans apart from reasons and places.
var same = cmp.Options{cmpopts.IgnoreTypes(&plan.Why{}, diag.Range{}), cmpopts.EquateEmpty()}

type fataler interface{ Fatalf(string, ...any) }

// parse reads a request as a user's client does, from its text.
func parse(t fataler, s *plan.Switch, emitted func(*plan.Switch) ([]emit.File, diag.List)) *gnmi.SetRequest {
	files, list := emitted(s)
	if list.HasErrors() {
		t.Fatalf("refused: %v", list)
	}
	r := &gnmi.SetRequest{}
	if err := text.Unmarshal(files[0].Body.AppendFor(nil, s.Names[0]), r); err != nil {
		t.Fatalf("the library cannot read the text: %v", err)
	}
	return r
}

// TestTextIsTheMessage: the text says what the typed message says, whatever names hold.
func TestTextIsTheMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		s.Classes[0].Name = rapid.StringMatching(`[ -~äß€\t]{1,12}`).Draw(t, "name")
		for replace, emitted := range map[bool]func(*plan.Switch) ([]emit.File, diag.List){true: EmitReplace, false: EmitUpdate} {
			doc, _ := documentOf(s)
			want := message(doc.request(replace))
			if got := parse(t, s, emitted); !proto.Equal(want, got) {
				t.Fatalf("want %v\ngot %v", want, got)
			}
		}
	})
}

// message is a request in the types of the published module.
func message(r *request) *gnmi.SetRequest {
	out := &gnmi.SetRequest{Prefix: &gnmi.Path{Origin: "openconfig"}}
	for _, at := range r.delete {
		out.Delete = append(out.Delete, gnmiPath(at))
	}
	changes := func(all []change) (out []*gnmi.Update) {
		for _, c := range all {
			value := &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: c.value}}
			out = append(out, &gnmi.Update{Path: gnmiPath(c.at), Val: value})
		}
		return out
	}
	out.Replace, out.Update = changes(r.replace), changes(r.update)
	return out
}

func gnmiPath(at path) *gnmi.Path {
	out := &gnmi.Path{}
	for _, e := range at {
		elem := &gnmi.PathElem{Name: e.name}
		if e.key != "" {
			elem.Key = map[string]string{e.key: e.value}
		}
		out.Elem = append(out.Elem, elem)
	}
	return out
}

// ports returns the tree of a device that has the ports of switches and no settings.
func ports(switches ...*plan.Switch) map[string]any {
	var list []any
	seen := map[string]bool{}
	for _, s := range switches {
		for _, p := range s.Ports {
			if !seen[p.Name] {
				seen[p.Name] = true
				list = append(list, map[string]any{"name": p.Name, "config": map[string]any{"name": p.Name, "type": "iana-if-type:ethernetCsmacd"}})
			}
		}
	}
	return map[string]any{"interfaces": map[string]any{"interface": list}}
}

func set(t fataler, c gnmi.GNMIClient, r *gnmi.SetRequest) {
	response, err := c.Set(context.Background(), r)
	if err != nil {
		t.Fatalf("the server refuses: %v", err)
	}
	if got, want := len(response.Response), len(r.Delete)+len(r.Replace)+len(r.Update); got != want {
		t.Fatalf("%d operations were answered, %d sent", got, want)
	}
}

// tree asks the server for all that it holds.
func treeOf(t fataler, c gnmi.GNMIClient) []byte {
	response, err := c.Get(context.Background(), &gnmi.GetRequest{Path: []*gnmi.Path{{}}, Encoding: gnmi.Encoding_JSON_IETF})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return response.Notification[0].Update[0].Val.GetJsonIetfVal()
}

// onServer reads back what a device holds after requests in the given form, one for
// each switch, in order.
func onServer(t *testing.T, emitted func(*plan.Switch) ([]emit.File, diag.List), switches ...*plan.Switch) (*plan.Switch, []byte) {
	client := start(t, ports(switches...))
	for _, s := range switches {
		set(t, client, parse(t, s, emitted))
	}
	doc := treeOf(t, client)
	got := must.Sound(readtest.Switch(reader.Format(), "tree", doc))(t)
	return got, doc
}

// TestServerHoldsThePlan: after either request, what a server on the loopback interface
// returns is what the document says.
func TestServerHoldsThePlan(t *testing.T) {
	for name, emitted := range map[string]func(*plan.Switch) ([]emit.File, diag.List){"replace": EmitReplace, "update": EmitUpdate} {
		t.Run(name, func(t *testing.T) {
			for seed := range 20 {
				s := rapid.Custom(draw).Example(seed)
				got, doc := onServer(t, emitted, s)
				if diff := cmp.Diff(holds(s), got, same); diff != "" {
					t.Fatalf("seed %d (-held +read)\n%s\n%s", seed, diff, doc)
				}
			}
		})
	}
}

// TestReplaceForgets: after a replacement nothing is left of another switch that had the
// same ports, and a second one changes nothing.
func TestReplaceForgets(t *testing.T) {
	for seed := range 20 {
		before, s := rapid.Custom(draw).Example(seed), rapid.Custom(draw).Example(seed+100)
		before.OS, s.OS = "openconfig", "openconfig"
		n := min(len(before.Ports), len(s.Ports))
		before.Ports, s.Ports = before.Ports[:n], s.Ports[:n]
		got, once := onServer(t, EmitReplace, before, s)
		if diff := cmp.Diff(holds(s), got, same); diff != "" {
			t.Fatalf("seed %d (-held +read)\n%s", seed, diff)
		}
		if _, twice := onServer(t, EmitReplace, before, s, s); string(twice) != string(once) {
			t.Fatalf("seed %d: the second time is not as the first", seed)
		}
	}
}

// TestReplaceLeavesWhatItDoesNotWrite: a vendor's leaves beside the containers stay, and
// an interface that is not the fabric's keeps what it has, or the whole is refused.
func TestReplaceLeavesWhatItDoesNotWrite(t *testing.T) {
	s := rack(2)
	own := ports(s)
	own["qos"] = map[string]any{
		"queues": map[string]any{"queue": []any{map[string]any{"name": "old", "config": map[string]any{"name": "old"}}}},
		"interfaces": map[string]any{"interface": []any{map[string]any{
			"interface-id": "Ethernet99", "config": map[string]any{"interface-id": "Ethernet99"},
			"output": map[string]any{"queues": map[string]any{"queue": []any{map[string]any{"name": "old", "config": map[string]any{"name": "old"}}}}},
		}}},
	}
	client := start(t, own)
	_, err := client.Set(context.Background(), parse(t, s, EmitReplace))
	if status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), `there is no queue "old"`) {
		t.Errorf("an interface is left with a queue that is gone, and the server says: %v", err)
	}
	if got, _ := readtest.Switch(reader.Format(), "tree", treeOf(t, client)); len(got.Classes) != 0 {
		t.Error("a refused request has changed the tree")
	}
	set(t, client, parse(t, s, EmitUpdate))
	got, _ := readtest.Switch(reader.Format(), "tree", treeOf(t, client))
	must.Equalf(t, len(got.Ports), 3, "ports:")
}

// TestNoRequestGoesAboveItsContainers: what vendors hang beside them must survive.
func TestNoRequestGoesAboveItsContainers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := parse(t, draw(t), EmitReplace)
		paths := r.Delete
		for _, u := range r.Replace {
			paths = append(paths, u.Path)
		}
		for _, p := range paths {
			names := make([]string, len(p.Elem))
			for i, e := range p.Elem {
				names[i] = e.Name
			}
			switch got := strings.Join(names, "/"); got {
			case "qos/queues", "qos/forwarding-groups", "qos/classifiers", "qos/queue-management-profiles", "qos/scheduler-policies", "qos/buffer-allocation-profiles",
				"qos/interfaces/interface/input/classifiers", "qos/interfaces/interface/output/queues", "qos/interfaces/interface/output/scheduler-policy", "qos/interfaces/interface/output/config":
			default:
				t.Fatalf("replaces or deletes %s", got)
			}
		}
	})
}

// TestServerRefuses: the server of these tests is one that can say no.
func TestServerRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*gnmi.SetRequest){
		"an unknown leaf":       func(r *gnmi.SetRequest) { swap(r, `"output-queue"`, `"output-qeue"`) },
		"a number as text":      func(r *gnmi.SetRequest) { swap(r, `mtu": 9212`, `mtu": "9212"`) },
		"a number too large":    func(r *gnmi.SetRequest) { swap(r, `mtu": 9212`, `mtu": 92120`) },
		"an unknown value":      func(r *gnmi.SetRequest) { swap(r, `"IPV4"`, `"IPV5"`) },
		"a reference to nobody": func(r *gnmi.SetRequest) { swap(r, `"output-queue": "rdma"`, `"output-queue": "rmda"`) },
		"no module":             func(r *gnmi.SetRequest) { swap(r, `"openconfig-qos:`, `"`) },
		"another origin":        func(r *gnmi.SetRequest) { r.Prefix.Origin = "cli" },
	} {
		doc, _ := documentOf(rack(1))
		r := message(doc.request(true))
		spoil(r)
		if _, err := start(t, ports(rack(1))).Set(context.Background(), r); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: the server says %v", name, err)
		}
	}
}

// swap replaces a text in all values.
func swap(r *gnmi.SetRequest, from, to string) {
	for _, u := range append(r.Replace, r.Update...) {
		value := strings.ReplaceAll(string(u.Val.GetJsonIetfVal()), from, to)
		u.Val = &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: []byte(value)}}
	}
}

// TestTreeIsValidUnderTheModels gives what a server holds to yanglint.
func TestTreeIsValidUnderTheModels(t *testing.T) {
	oracle.Command(t, "yanglint", "libyang2-tools")
	check := oracle.Shared(t, "tools/check-openconfig")
	s := rack(2)
	_, doc := onServer(t, EmitReplace, s)
	path := filepath.Join(t.TempDir(), "tree.json")
	must.Do(t, os.WriteFile(path, doc, 0o600))
	if out, err := exec.Command(check, path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestRequests shows both requests to people.
func TestRequests(t *testing.T) {
	for file, emitted := range map[string]func(*plan.Switch) ([]emit.File, diag.List){
		"testdata/gnmi-replace.textproto": EmitReplace, "testdata/gnmi-update.textproto": EmitUpdate,
	} {
		files, _ := emitted(rack(1))
		diagtest.Golden(t, file, string(files[0].Body.AppendFor(nil, "leaf-1")))
	}
	onEOS := rack(1)
	onEOS.OS = "eos"
	files, _ := EmitReplace(onEOS)
	diagtest.Golden(t, "testdata/gnmi-eos.textproto", string(files[0].Body.AppendFor(nil, "leaf-1")))
}
