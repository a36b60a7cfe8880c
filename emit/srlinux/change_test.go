package srlinux_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/srlinux"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// Changes between 200 random switches, carried out on the document of the first, give that
// of the second, and the way back gives the first again.
func TestChangeLeadsThereAndBack(t *testing.T) {
	random := rapid.Custom(func(t *rapid.T) *plan.Switch { return anyplan.Switch(t, want()) })
	var told []*plan.Switch
	for seed := 0; len(told) < 201; seed++ {
		s := random.Example(seed)
		if _, found := srlinux.Emit(s); !found.HasErrors() {
			told = append(told, s)
		}
	}
	for i, from := range told[:200] {
		to := told[i+1]
		files, found := srlinux.EmitChange(from, to)
		back, _ := srlinux.EmitChange(to, from)
		if found.HasErrors() || len(files) != 1 || len(back) != 1 {
			t.Fatalf("%d files and %d: %v", len(files), len(back), found)
		}
		state := flat(t, document(t, from))
		apply(t, state, files[0])
		if diff := cmp.Diff(flat(t, document(t, to)), state); diff != "" {
			t.Fatalf("change %d (-wanted +changed):\n%s", i, diff)
		}
		apply(t, state, back[0])
		if diff := cmp.Diff(flat(t, document(t, from)), state); diff != "" {
			t.Fatalf("change %d, back (-before +after):\n%s", i, diff)
		}
	}
	// A classifier needs its subinterface, in which others have addresses: it is merged in for a
	// port that comes, and stays when the port goes.
	more := leaf()
	third := more.Ports[1]
	third.Name = "ethernet-1/3"
	more.Ports = append(more.Ports, third)
	files, _ := srlinux.EmitChange(leaf(), more)
	const update = `"updates": [
    {
      "path": "/interface[name=ethernet-1/3]/subinterface[index=0]",
      "encoding": "json_ietf",
      "value": {
        "index": 0
      }
    }
  ]`
	if there := string(files[0].Body.AppendFor(nil, "leaf")); !strings.Contains(there, update) {
		t.Errorf("no\n%s\nin\n%s", update, there)
	}
	files, _ = srlinux.EmitChange(more, leaf())
	if back := string(files[0].Body.AppendFor(nil, "leaf")); strings.Contains(back, "/subinterface") {
		t.Errorf("a subinterface is touched:\n%s", back)
	}
	// Where no frame is known, a request says none.
	frameless := func() *plan.Switch {
		s := leaf()
		s.MTU.Value = 0
		for i := range s.Ports {
			s.Ports[i].MTU = 0
		}
		return s
	}
	files, _ = srlinux.EmitChange(frameless(), leaf())
	back, _ := srlinux.EmitChange(leaf(), frameless())
	files = append(files, back...)
	for i, want := range []string{`"path": "/interface[name=ethernet-1/1]/mtu"`, `"/interface[name=ethernet-1/1]/mtu"`} {
		if text := string(files[i].Body.AppendFor(nil, "leaf")); !strings.Contains(text, want) || strings.Contains(text, `"value": 0`) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if files, found := srlinux.EmitChange(leaf(), leaf()); files != nil || found.HasErrors() {
		t.Errorf("nothing changes, and yet there are %d files", len(files))
	}
}

func document(t *testing.T, s *plan.Switch) map[string]any {
	files, _ := srlinux.Emit(s)
	var doc map[string]any
	must.Do(t, json.Unmarshal(files[0].Body.AppendFor(nil, s.Names[0]), &doc))
	return doc
}

// keys are those of lists, RFC 7950: in the models, the leaf that each list has as its key.
var listKeys = []string{"name", "pfc-queue-name", "interface-id", "slot", "index"}

// flat gives every leaf by its path, with lists by their keys; leaf-lists and what stands
// below a list in a list of its own order are leaves.
func flat(t *testing.T, doc map[string]any) map[string]string {
	out := map[string]string{}
	for name, v := range doc {
		_, bare, _ := strings.Cut(name, ":")
		flatten(t, out, "/"+bare, v)
	}
	return out
}

func flatten(t *testing.T, out map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if strings.HasSuffix(path, fmt.Sprintf("[%s=%v]", name, value)) {
				continue // the key, which the path says
			}
			flatten(t, out, path+"/"+name, value)
		}
		if len(v) == 0 {
			out[path] = "{}"
		}
	case []any:
		for _, item := range v {
			m, _ := item.(map[string]any)
			key := ""
			for _, name := range listKeys {
				if k, ok := m[name]; ok && key == "" {
					key = fmt.Sprintf("[%s=%v]", name, k)
				}
			}
			if key == "" {
				out[path] = text(t, v)
				return
			}
			flatten(t, out, path+key, item)
		}
	default:
		out[path] = text(t, v)
	}
}

func text(t *testing.T, v any) string {
	out := must.Get(json.Marshal(v))(t)
	return string(out)
}

// apply carries a request out: it deletes what is below a path, and replaces.
func apply(t *testing.T, state map[string]string, f emit.File) {
	var r struct {
		Deletes  []string
		Replaces []struct {
			Path, Encoding string
			Value          any
		}
	}
	must.Do(t, json.Unmarshal(f.Body.AppendFor(nil, "leaf"), &r))
	drop := func(path string) {
		for at := range state {
			if at == path || strings.HasPrefix(at, path+"/") {
				delete(state, at)
			}
		}
	}
	for _, path := range r.Deletes {
		drop(path)
	}
	for _, v := range r.Replaces {
		drop(v.Path)
		must.Equalf(t, v.Encoding, "json_ietf", "%s has the encoding", v.Path)
		flatten(t, state, v.Path, v.Value)
	}
}
