package lint_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/diagtest"
	"github.com/roceplan/roceplan/internal/plantest"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// At which value of each number of a compiled switch and its NIC which rule begins to speak and
// which falls silent, to the unit: the golden file has each rule exactly at its bound.
func TestLimitsOfNumbers(t *testing.T) {
	catalogue, _ := chips.Load()
	var out strings.Builder
	for _, example := range []string{"tomahawk5-ai-pod", "tomahawk-eos-pod", "spectrum4-storage", "ucloud-pod"} {
		compiled := func() *plan.Plan {
			_, p := plantest.Folder(t, catalogue, "../examples/"+example)
			p.Switches, p.Hosts = p.Switches[:1], p.Hosts[:min(1, len(p.Hosts))]
			p.Switches[0].Ports = p.Switches[0].Ports[:2]
			for i := range p.Switches[0].Ports {
				qos := *p.Switches[0].Ports[i].QoS
				qos.PGs, qos.Queues, qos.Pools = slices.Clone(qos.PGs), slices.Clone(qos.Queues), slices.Clone(qos.Pools)
				p.Switches[0].Ports[i].QoS = &qos
			}
			return p
		}
		p, peer := compiled(), compiled()
		chip, _ := catalogue.Find(p.Switches[0].Chip)
		fmt.Fprintf(&out, "%s\n", example)
		numbersOf(reflect.ValueOf(p).Elem(), "", func(path string, v reflect.Value) {
			if !strings.HasPrefix(path, "Switches[0].") && !strings.HasPrefix(path, "Hosts[0].") || strings.Contains(path, "Ports[1]") || strings.HasSuffix(path, ".Index") {
				return
			}
			for _, line := range limits(v, func() string { return codesOf(p, peer, chip) }) {
				fmt.Fprintf(&out, "  %s %s\n", path, line)
			}
		})
	}
	diagtest.Golden(t, "../golden/lint-limits.txt", out.String())
}

// numbersOf visits the numbers of a value.
func numbersOf(v reflect.Value, path string, visit func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*plan.Why]() {
			numbersOf(v.Elem(), path, visit)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Range]() || v.Type() == reflect.TypeFor[plan.MapPlaces]() || v.Type() == reflect.TypeFor[plan.Check]() {
			return
		}
		for i := range v.NumField() {
			numbersOf(v.Field(i), strings.TrimSuffix(strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), ".Value"), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			numbersOf(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case reflect.Int, reflect.Int8, reflect.Int64, reflect.Uint64:
		visit(path, v)
	}
}

// limits are the values at which what is said changes, from nothing to a thousand times the value.
func limits(v reflect.Value, said func() string) (lines []string) {
	get := func() int64 {
		if v.CanInt() {
			return v.Int()
		}
		return int64(v.Uint())
	}
	was := get()
	set := func(n int64) string {
		if v.CanInt() {
			v.SetInt(n)
		} else {
			v.SetUint(uint64(n))
		}
		return said()
	}
	defer set(was)
	probes := []int64{0, 1, was / 10, was / 2, was - 1, was, was + 1, 2 * was, 10 * was, 1000*was + 1000}
	if v.Kind() == reflect.Int8 { // a logarithm: SAI's thresholds go from 1/128 to 128
		probes = []int64{-8, was, 9}
	}
	least := int64(0)
	if v.Type() == reflect.TypeFor[units.BitRate]() { // no reader gives a slower port
		least = int64(units.Mbps)
	}
	probes = slices.DeleteFunc(probes, func(n int64) bool { return n < least && v.Kind() != reflect.Int8 })
	slices.Sort(probes)
	probes = slices.Compact(probes)
	for i := 1; i < len(probes); i++ {
		low, high := probes[i-1], probes[i]
		before, after := set(low), set(high)
		if before == after {
			continue
		}
		for high-low > 1 { // one change of perhaps several between them
			if mid := low + (high-low)/2; set(mid) == before {
				low = mid
			} else {
				high, after = mid, set(mid)
			}
		}
		lines = append(lines, fmt.Sprintf("from %d on: %s", high, changed(before, after)))
	}
	return lines
}

// changed is what of two lists of words comes and goes.
func changed(before, after string) string {
	var out []string
	was, is := strings.Fields(before), strings.Fields(after)
	for _, w := range is {
		if !slices.Contains(was, w) {
			out = append(out, "+"+w)
		}
	}
	for _, w := range was {
		if !slices.Contains(is, w) {
			out = append(out, "-"+w)
		}
	}
	return strings.Join(out, " ")
}

// codesOf are the rules that speak of a switch alone, with its NIC, and over a cable and beside a peer.
func codesOf(p, peer *plan.Plan, chip *chips.Chip) string {
	sw, other := p.Switches[0], peer.Switches[0]
	cable := plan.Link{A: plan.LinkEnd{Switch: "edited", Port: sw.Ports[0].Name}, B: plan.LinkEnd{Switch: "peer", Port: other.Ports[0].Name}}
	found := slices.Concat(lint.Switch(sw, chip), lint.Hosts(sw, p.Hosts), lint.Agree(sw, other), lint.Links([]plan.Link{cable}, func(device string) *plan.Switch {
		return map[string]*plan.Switch{"edited": sw, "peer": other}[device]
	}))
	var codes []string
	for _, d := range found {
		codes = append(codes, string(d.Code))
	}
	slices.Sort(codes)
	return strings.Join(slices.Compact(codes), " ")
}
