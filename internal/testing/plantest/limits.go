package plantest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Number is an amount, a rate, a time or a count in a plan.
type Number struct {
	Path  string // from the top: "Switches[0].Ports[1].QoS.PGs[0].Headroom"
	value reflect.Value
}

// Numbers lists those of a plan, in the order of the fields.
func Numbers(p *plan.Plan) []Number { return numbers(nil, reflect.ValueOf(p).Elem(), "") }

func numbers(all []Number, v reflect.Value, path string) []Number {
	switch t := v.Type(); v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && t != reflect.TypeFor[*plan.Why]() {
			all = numbers(all, v.Elem(), path)
		}
	case reflect.Struct:
		if t == reflect.TypeFor[diag.Range]() || t == reflect.TypeFor[plan.MapPlaces]() || t == reflect.TypeFor[plan.Check]() {
			return all
		}
		for i := range v.NumField() {
			all = numbers(all, v.Field(i), strings.TrimSuffix(strings.TrimPrefix(path+"."+t.Field(i).Name, "."), ".Value"))
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = numbers(all, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Int, reflect.Int8, reflect.Int64:
		all = append(all, Number{path, v})
	}
	return all
}

// With calls f while the number is another one.
func (n Number) With(v int64, f func()) {
	was := n.value.Int()
	defer n.value.SetInt(was)
	n.value.SetInt(v)
	f()
}

// Limits returns the values at which what is said of the plan changes, from nothing to a thousand times
// the number, and which words come and go there. The plan is as it was when it returns.
func (n Number) Limits(said func() []string) (lines []string) {
	was := n.value.Int()
	defer n.value.SetInt(was)
	probes := []int64{0, 1, was / 10, was / 2, was - 1, was, was + 1, 2 * was, 10 * was, 1000*was + 1000}
	least := int64(0)
	switch n.value.Type() {
	case reflect.TypeFor[units.Alpha](): // a logarithm: chips have thresholds from 1/128 to 128
		probes, least = []int64{-8, was, 9}, -8
	case reflect.TypeFor[units.BitRate](): // no reader gives a slower port
		least = int64(units.Mbps)
	}
	probes = slices.DeleteFunc(probes, func(n int64) bool { return n < least })
	slices.Sort(probes)
	at := func(v int64) string {
		n.value.SetInt(v)
		words := said()
		slices.Sort(words)
		return strings.Join(slices.Compact(words), "\n")
	}
	for i := 1; i < len(probes); i++ {
		low, high := probes[i-1], probes[i]
		before, after := at(low), at(high)
		for before != after && high-low > 1 { // to one change of perhaps several between them
			if mid := low + (high-low)/2; at(mid) == before {
				low = mid
			} else {
				high, after = mid, at(mid)
			}
		}
		if before != after {
			lines = append(lines, fmt.Sprintf("from %d on: %s", high, comings(before, after)))
		}
	}
	return lines
}

// comings returns the lines that the one text has and the other has not, with a sign.
func comings(before, after string) string {
	var out []string
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, w := range is {
		if w != "" && !slices.Contains(was, w) {
			out = append(out, "+"+w)
		}
	}
	for _, w := range was {
		if w != "" && !slices.Contains(is, w) {
			out = append(out, "-"+w)
		}
	}
	return strings.Join(out, " ")
}
