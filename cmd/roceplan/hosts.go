package main

import (
	"path"
	"slices"

	"github.com/roceplan/roceplan/cmd/roceplan/outdir"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/host"
	"github.com/roceplan/roceplan/plan"
)

// hostsFolder lies beside the folders of switches: DIR/hosts/NIC/roce.sh.
const hostsFolder = "hosts"

// hostsShape is the files of all kinds of NIC. To the output directory they are those of
// one more device.
func (r *rendering) hostsShape(p *plan.Plan) outdir.Shape {
	return outdir.Shape{Names: []string{hostsFolder}, Render: func() ([]emit.File, error) { return r.renderHosts(p) }}
}

// renderHosts prints the scripts of every kind of NIC. An error is among the findings.
func (r *rendering) renderHosts(p *plan.Plan) ([]emit.File, error) {
	var files []emit.File
	failed := false
	for _, h := range p.Hosts {
		more, told := host.Emit(h)
		for _, f := range more {
			files = append(files, emit.File{Path: path.Join(h.Name, f.Path), Body: f.Body})
		}
		failed = failed || told.HasErrors()
		r.lock.Lock()
		r.found = append(r.found, told...)
		r.lock.Unlock()
	}
	if failed {
		return nil, errFindings
	}
	return files, nil
}

// checkHosts refuses a switch whose folder would be that of the hosts.
func (r *rendering) checkHosts(p *plan.Plan) error {
	for _, sw := range p.Switches {
		if len(p.Hosts) > 0 && slices.Contains(sw.Names, hostsFolder) {
			r.found.Errorf(HostsTaken, sw.Range, "a switch is called %q, which is the folder of the hosts' files", hostsFolder).
				Fixf("give the switch another name")
			return errFindings
		}
	}
	return nil
}
