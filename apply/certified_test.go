package apply_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/verify"
)

// certify compares what switches have run with the states of the certificates of the way there and back: each is one of them.
func (l *lab) certify(t *testing.T, s sample) (configurations int) {
	t.Helper()
	rollout, devices := &diff.Compare(s.before, s.after).Rollout, map[string]*patch.Device{}
	there, proof := stagesOf(t, s, rollout, devices)
	back, other := stagesOf(t, sample{before: s.after, after: s.before}, rollout.Reversed(s.before), devices)
	if proof.Found.HasErrors() || other.Found.HasErrors() {
		return 0
	}
	for name, own := range there {
		d := l.devices[name]
		if d == nil {
			continue // it comes with the rollout
		}
		for i, text := range d.Passed() {
			if wrong := ofCertificate(t, own, name, text); wrong != "" && ofCertificate(t, back[name], name, text) != "" {
				t.Errorf("configuration %d of %s is no state of the certificate: %s", i, name, wrong)
			}
			configurations++
		}
	}
	return configurations
}

// ofCertificate says how a configuration differs from that state of a device which is nearest; "" where it is one of them.
func ofCertificate(t *testing.T, states []stage, name string, text []byte) string {
	t.Helper()
	nearest := []string{"it has no state"}
	for i, s := range states {
		if s.sw == nil {
			continue
		}
		differs := differences
		if s.sw.Targets[0] == "sonic" {
			differs = differencesOnSONiC
		}
		wrong := differs(t, s, name, text)
		if len(wrong) == 0 {
			return ""
		}
		if i == 0 || len(wrong) < len(nearest) {
			nearest = wrong
		}
	}
	return strings.Join(nearest, "; ")
}

// differences are those of a configuration and a state, by the reader of its system.
func differences(t *testing.T, s stage, name string, text []byte) (all []string) {
	t.Helper()
	format, _ := verify.FormatOf(s.sw.Targets[0])
	reads := func(text []byte) *plan.Switch {
		return format.Read(format.Files[0], text, read.Options{Cell: s.sw.Cell}).Switch
	}
	want, have := reads(written(t, s.sw, name)), reads(text)
	known := want.PortsByName()
	have.Ports = slices.DeleteFunc(have.Ports, func(p plan.Port) bool { // a device keeps a port that it has
		return known[p.Name] == nil && (p.QoS == nil || p.QoS.PFC == 0)
	})
	for _, c := range diff.Compare(&plan.Plan{Switches: []*plan.Switch{want}}, &plan.Plan{Switches: []*plan.Switch{have}}).Changes {
		all = append(all, fmt.Sprint(c))
	}
	return all
}

// differencesOnSONiC are those in what roceplan writes: rows of the state that are missing or differ, and more rows in its tables.
func differencesOnSONiC(t *testing.T, s stage, name string, text []byte) (all []string) {
	t.Helper()
	files, _ := target.Render(s.sw, target.Forms("sonic", []string{"overlay"}))
	overlay := fields(t, files[0].Body.AppendFor(nil, name))
	want, have := overlay, fields(t, text)
	if s.config != nil {
		want = fields(t, s.config)
	}
	for field := range have {
		table, _, _ := strings.Cut(field, "|")
		if _, ours := want[field]; !ours && !slices.Contains([]string{"PORT", "DEVICE_METADATA", "BREAKOUT_CFG", "BGP_NEIGHBOR", "MGMT_INTERFACE"}, table) {
			all = append(all, fmt.Sprintf("%s is there", field))
		}
	}
	for field, value := range want {
		table, _, _ := strings.Cut(field, "|")
		if _, ours := overlay[field]; !ours && slices.Contains([]string{"PORT", "DEVICE_METADATA"}, table) || strings.HasSuffix(field, "|description") {
			continue // patches leave it as it is
		}
		if have[field] != value {
			all = append(all, fmt.Sprintf("%s is %q, not %q", field, have[field], value))
		}
	}
	slices.Sort(all)
	return all
}

// fields are those of the rows of ConfigDB, a row Ethernet0|3-4 taken as two, by table, row and field.
func fields(t *testing.T, text []byte) map[string]string {
	t.Helper()
	var db map[string]map[string]map[string]any
	check(t, json.Unmarshal(text, &db))
	all, named := map[string]string{}, map[string]bool{}
	for _, rows := range db {
		for _, row := range rows {
			for _, value := range row {
				for name := range strings.SplitSeq(fmt.Sprint(value), ",") {
					named[name] = true
				}
			}
		}
	}
	for table, rows := range db {
		if table == "BUFFER_PROFILE" || table == "WRED_PROFILE" { // a patch may leave rows that no other row names
			maps.DeleteFunc(rows, func(name string, _ map[string]any) bool { return !named[name] })
		}
		if slices.Contains([]string{"BUFFER_PG", "BUFFER_QUEUE", "QUEUE"}, table) {
			rows = oneByOne(rows)
		}
		for key, row := range rows {
			for field, value := range row {
				all[strings.Join([]string{table, key, field}, "|")] = fmt.Sprint(value)
			}
		}
	}
	return all
}
