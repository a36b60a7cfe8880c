package nvue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A change brings the tree of one switch to that of another: an unset path loses all that
// is below it, a set one gets its value.
func TestChangeLeadsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := acceptedSwitch(t), acceptedSwitch(t)
		files, _ := EmitChange(from, to)
		device, _ := compose(from)
		want, _ := compose(to)
		if len(files) == 0 {
			if !device.equal(want) {
				t.Fatal("nothing is said of switches that differ")
			}
			return
		}
		for line := range strings.Lines(string(files[0].Body.AppendFor(nil, "leaf"))) {
			words := strings.Fields(line)
			if len(words) < 3 || words[0] != "nv" || words[1] != "set" && words[1] != "unset" {
				continue
			}
			for _, path := range expanded(words[2:]) {
				if words[1] == "unset" {
					device.unset(path)
					continue
				}
				device.set(want, path)
			}
		}
		if !device.equal(want) {
			t.Fatalf("the device is elsewhere after\n%s", files[0].Body.AppendFor(nil, "leaf"))
		}
	})
}

// A port that goes keeps what others have on it: what was set is unset leaf by leaf.
func TestPortStays(t *testing.T) {
	fewer := leaf()
	gone := fewer.Ports[len(fewer.Ports)-1].Name
	fewer.Ports = fewer.Ports[:len(fewer.Ports)-1]
	files, _ := EmitChange(leaf(), fewer)
	text := string(files[0].Body.AppendFor(nil, "leaf-1"))
	if strings.Contains(text, "nv unset interface "+gone+"\n") || !strings.Contains(text, "nv unset interface "+gone+" link mtu\n") {
		t.Errorf("%s", text)
	}
}

// expanded gives a path for each combination of the instances that its words list.
func expanded(words []string) [][]string {
	paths := [][]string{nil}
	for _, word := range words {
		var longer [][]string
		for _, one := range instancesOf(word) {
			for _, path := range paths {
				longer = append(longer, append(append([]string{}, path...), one))
			}
		}
		paths = longer
	}
	return paths
}

func instancesOf(word string) (all []string) {
	for part := range strings.SplitSeq(word, ",") {
		from, to, ok := strings.Cut(part, "-")
		low := plainPort.FindStringSubmatch(from)
		if !ok || low == nil {
			all = append(all, part)
			continue
		}
		first, _ := strconv.Atoi(low[1])
		last, _ := strconv.Atoi(to)
		for n := first; n <= last; n++ {
			all = append(all, fmt.Sprintf("swp%d", n))
		}
	}
	return all
}

// unset takes a path away, and what is left empty above it.
func (o *object) unset(path []string) {
	kid := o.kids[path[0]]
	if kid == nil {
		return
	}
	if len(path) > 1 {
		if kid.unset(path[1:]); len(kid.keys) > 0 {
			return
		}
	}
	delete(o.kids, path[0])
	o.keys = slices.DeleteFunc(o.keys, func(key string) bool { return key == path[0] })
}

// set gives a leaf the value at the end of the path, if like a leaf of the schema it has one.
func (o *object) set(schema *object, path []string) {
	if len(schema.keys) == 0 {
		if len(path) > 0 {
			o.value, o.tag = path[0], schema.tag
		}
		return
	}
	kid := schema.kids[path[0]]
	if kid == nil {
		panic("no such path: " + strings.Join(path, " "))
	}
	o.at(path[0]).set(kid, path[1:])
}
