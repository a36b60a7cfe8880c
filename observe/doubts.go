package observe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// seldom is an interval of reading the chip that says little of single bursts.
const seldom = 10 * time.Second

// A doubt is a reason not to believe counters of a device for more than they say.
type doubt struct {
	device string
	why    string
	counts int
	first  Row
}

// doubts lists what cannot be believed, once for each device and reason.
func (c *checker) doubts(rows []Row) {
	type reason struct{ device, why string }
	have := map[reason]*doubt{}
	note := func(row Row, format string, args ...any) {
		why := reason{row.Device, fmt.Sprintf(format, args...)}
		if have[why] == nil {
			have[why] = &doubt{device: row.Device, why: why.why, first: row}
		}
		if row.Compare(have[why].first) < 0 { // readings are in no order
			have[why].first = row
		}
		have[why].counts++
	}
	for t, series := range c.r.of {
		if g, _ := c.r.grown(t.device, t.object, t.counter); g.Cleared && g.Last.Kind == Total {
			note(g.Last, "counters fell between readings: they were cleared, and earlier counts are lost")
		}
		if slices.ContainsFunc(series, func(r Row) bool { return r.Derived }) {
			note(series[0], "values were computed by the device from others, not read from the chip")
		}
		if !slices.ContainsFunc(series, func(r Row) bool { return !r.Cleared }) {
			if last := series[len(series)-1]; last.Every >= seldom {
				note(last, "watermarks cover only the last interval: each reading, every %v, clears them", last.Every)
			}
		}
	}
	all := slices.Collect(maps.Values(have))
	stable.Sort(all, func(a, b *doubt) int {
		return cmp.Or(natural.Compare(a.device, b.device), cmp.Compare(a.why, b.why))
	})
	for _, d := range all {
		c.add(Conclusion{Code: Doubtful, Device: d.device, Object: "", Assumption: AssumesNone, Worth: Certain, severity: diag.Warning, at: c.rangeOf(d.device),
			Message: fmt.Sprintf("%s: %s (%s, such as %s of %s)", d.device, d.why, natural.Count(d.counts, "counter", "counters"), d.first.Counter, d.first.Object)}, nil)
	}
}

// rangeOf returns the line of a device, that of the fabric where it has none.
func (d *pod) rangeOf(device string) diag.Range {
	if sites := d.bySwitch[device]; len(sites) > 0 {
		return sites[0].shape.Range
	}
	return d.fabric.Range
}

// elsewhere reports switches and ports that the fabric does not have, once for each device.
func (c *checker) elsewhere(rows []Row) {
	type strange struct {
		ports  map[string]bool
		whole  bool
		sample Row
	}
	devices := map[string]*strange{}
	for _, row := range rows {
		if row.Object.Kind > Queue || row.Value == 0 || c.byEnd[plan.LinkEnd{Switch: row.Device, Port: row.Object.Name}] != nil {
			continue
		}
		if devices[row.Device] == nil {
			_, have := c.names[spelling(row.Device)]
			devices[row.Device] = &strange{ports: map[string]bool{}, whole: !have, sample: row}
		}
		devices[row.Device].ports[row.Object.Name] = true
	}
	for _, name := range slices.SortedFunc(maps.Keys(devices), natural.Compare) {
		s := devices[name]
		message := fmt.Sprintf("the fabric has no switch %s, so its counters are not used", name)
		if !s.whole {
			message = fmt.Sprintf("the fabric does not have %s of %s with counters, such as %s", natural.Count(len(s.ports), "port", "ports"), name, s.sample.Object.Name)
		}
		c.add(Conclusion{Code: Elsewhere, Device: name, Object: "", Assumption: AssumesNone, Worth: Certain, severity: diag.Warning, at: c.rangeOf(name), Message: message,
			Fix: "describe the ports in the fabric, or leave their counters out"}, nil)
	}
}
