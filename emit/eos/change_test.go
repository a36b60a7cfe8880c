package eos

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A change brings the device from one configuration to the other, by what EOS does with
// its lines: one of the same key takes the other's place, `no` takes it away, with all
// that is below it.
func TestChangeLeadsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := holdable(t), holdable(t)
		to.Chip = from.Chip
		files, found := EmitChange(from, to)
		if found.HasErrors() {
			t.Skip("EOS does not support one of them:", found)
		}
		old, _ := compose(from)
		next, _ := compose(to)
		device := map[string]bool{}
		apply(device, lines(old.running()))
		if len(files) > 0 {
			apply(device, lines(files[0].Body.AppendFor(nil, "leaf")))
		}
		want := map[string]bool{}
		apply(want, lines(next.running()))
		for line := range want {
			if !device[line] && !strings.Contains(line, anyCode) {
				t.Fatalf("the device lacks %q after\n%s", line, files)
			}
		}
		for line := range device {
			inPort := strings.HasPrefix(line, "interface ") && !strings.Contains(line, "|")
			if !want[line] && !inPort && !strings.Contains(line, anyCode) {
				t.Fatalf("the device still has %q", line)
			}
		}
	})
}

// Nothing is said where nothing is different.
func TestNoChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := holdable(t)
		if files, _ := EmitChange(s, s); files != nil {
			t.Fatalf("%s", files[0].Body.AppendFor(nil, "leaf"))
		}
	})
}

// A setting of a cluster that is another one takes the place of the old one, whatever the value:
// EOS has one of each, so `no` after it would take the new one away (EOS user manual, Cluster
// Load Balancing: destination grouping, forwarding type, aging timeout, flow limit).
func TestChangeOfACluster(t *testing.T) {
	from, to := leaf(), leaf()
	hosts := []string{from.Ports[0].Group}
	from.EOS = &plan.EOS{Cluster: &plan.Cluster{Hosts: hosts, Destinations: "prefix length 24", FlowLimit: 64, Aging: 300 * units.Second}}
	to.EOS = &plan.EOS{Cluster: &plan.Cluster{Hosts: hosts, Destinations: "vtep", FlowLimit: 128, Aging: 600 * units.Second}}
	files := must.Sound(EmitChange(from, to))(t)
	text := string(files[0].Body.AppendFor(nil, "leaf"))
	for _, want := range []string{"forwarding type bridged", "destination grouping vtep", "aging timeout 600 seconds", "flow limit 128"} {
		if !strings.Contains(text, want) {
			t.Errorf("the change lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, " no ") {
		t.Errorf("the change takes away what it has just set:\n%s", text)
	}
}

// lines gives each line with those that it lies below: "interface Ethernet1/1|mtu 9214".
func lines(text []byte) (out []string) {
	var path []string
	var depth []int
	for line := range bytes.Lines(text) {
		word := strings.TrimSpace(string(line))
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		if word == "" || strings.HasPrefix(word, "!") || word == "end" || strings.HasPrefix(word, "hostname") || strings.HasPrefix(word, "configure ") ||
			strings.HasPrefix(word, "show ") || strings.HasPrefix(word, "commit ") {
			continue
		}
		for len(depth) > 0 && depth[len(depth)-1] >= indent {
			path, depth = path[:len(path)-1], depth[:len(depth)-1]
		}
		path, depth = append(path, word), append(depth, indent)
		out = append(out, strings.Join(path, "|"))
	}
	return out
}

func apply(device map[string]bool, script []string) {
	for _, line := range script {
		i := strings.LastIndexByte(line, '|') + 1
		above, word := line[:i], line[i:]
		positive, known := strings.TrimPrefix(word, "no "), key(word)
		for have := range device {
			if last := strings.TrimPrefix(have, above); last != have || above == "" {
				own, _, _ := strings.Cut(last, "|")
				taken := own != word && own[:2] == positive[:2] && known != anyCode && key(own) == known
				if taken || strings.HasPrefix(own, "no ") && key(own) == known && own != word || word != positive && own == positive {
					delete(device, have)
				}
			}
		}
		// `no priority`, `no qos trust` and `no switchport` are lines of a running-config themselves;
		// `switchport` is what a port does without a line.
		if word == positive && word != "switchport" || word == "no priority" || word == "no qos trust" || word == "no switchport" {
			device[line] = true
		}
	}
}
