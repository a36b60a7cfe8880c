package roceplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// AsWritten returns a plan whose switches have the buffers and queues that their files say, read back as
// verify does: a target may carry a number only in steps, or only more of it than was asked for. Of
// several targets the first one counts whose file says what pools and headroom are; where none
// does, the plan does. So does it for a marking curve that a file has in another unit than bytes.
// The notes say by which file switches are simulated.
func AsWritten(f *Fabric) (*plan.Plan, []string, error) {
	p, _ := f.Plan()
	own := *p
	own.Switches = slices.Clone(p.Switches)
	v := NewVerifier(f)
	by := map[string]int{}
	for i, sw := range own.Switches {
		read, file, err := written(v, sw)
		if err != nil {
			return nil, nil, err
		}
		if read != nil {
			own.Switches[i] = overlaid(sw, read)
		}
		by[cmp.Or(file, "the plan")] += len(sw.Names)
	}
	var told []string
	for file, n := range by {
		told = append(told, fmt.Sprintf("%d by %s", n, file))
	}
	slices.Sort(told)
	return &own, []string{"switches are simulated as their files say: " + strings.Join(told, ", ")}, nil
}

// written reads a switch's file back; nil where no target's says enough.
func written(v *verify.Verifier, sw *plan.Switch) (*plan.Switch, string, error) {
	for _, name := range sw.Targets {
		files, found := target.Render(sw, target.Forms(name, nil))
		if found.HasErrors() {
			continue // compile reports targets that cannot be written
		}
		for _, f := range files {
			of, whole := target.Whole(f)
			if !whole {
				continue
			}
			read, err := v.Rendered(sw, of, f, nil)
			if err != nil {
				return nil, "", err
			}
			if read.Proof != nil && !read.AsPlanned() {
				return read.Plan, f.Path, nil
			}
		}
	}
	return nil, "", nil
}

// overlaid returns a planned switch with the pools and the ports' queues that were read.
func overlaid(planned, read *plan.Switch) *plan.Switch {
	sw := *planned
	sw.Pools, sw.Ports = read.Pools, slices.Clone(planned.Ports)
	for i := range sw.Ports {
		if own := read.Port(sw.Ports[i].Name); own != nil && own.QoS != nil {
			sw.Ports[i].QoS = completed(planned.Ports[i].QoS, own.QoS)
		}
	}
	return &sw
}

// unnamed returns the lossy priority groups of a planned port of which its file says nothing, as Junos and SR
// Linux have no line for them. They are as in the plan, where nothing bounds them but the pool of the
// lossless groups.
func unnamed(planned, read *plan.PortQoS) (list []plan.PG) {
	at := slices.IndexFunc(read.PGs, func(g plan.PG) bool { return g.Lossless })
	if planned == nil || at < 0 {
		return nil
	}
	for _, g := range planned.PGs {
		if !g.Lossless && read.PG(g.ID) == nil {
			g.Pool = read.PGs[at].Pool
			list = append(list, g)
		}
	}
	return list
}

// completed adds to a port's settings the defaults of its device: groups that the file does not
// name, and curves in shares of an unpublished size, as Junos has them. The file marks, and the
// plan has the thresholds.
func completed(planned, read *plan.PortQoS) *plan.PortQoS {
	own := *read
	own.PGs = append(slices.Clone(read.PGs), unnamed(planned, read)...)
	stable.Sort(own.PGs, func(a, b plan.PG) int { return cmp.Compare(a.ID, b.ID) })
	own.Queues = slices.Clone(read.Queues)
	for i := range own.Queues {
		q := &own.Queues[i]
		if planned == nil || q.ECN != nil || q.Curve == "" || q.Curve.Drops() {
			continue
		}
		if like := planned.Queue(q.ID); like != nil {
			q.ECN = like.ECN
		}
	}
	return &own
}
