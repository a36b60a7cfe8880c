package diff

import (
	"encoding/json"
	"reflect"
)

// MarshalJSON gives the difference for programs. Fields are only ever added; a field
// that has nothing to say is left out unless it is a list that is always there.
//
//	{
//	  "version": 1,                    // of this form
//	  "switches": 24, "changed": 16,   // in both plans together; that differ
//	  "changes": [{
//	    "kind": "changed",             // or added, removed
//	    "of": "PG 5 (rdma)",           // what of a port or switch; left out for all of it
//	    "quantity": "headroom",
//	    "old": "226560B", "new": "271616B",   // as roceplan prints them; one is left out unless changed
//	    "delta": "+176 cells",         // of amounts of buffer
//	    "causes": [{
//	      "name": "cable", "old": "40m", "new": "100m",
//	      "kind": "given",             // or default, catalogue, standard, formula, rounding, read
//	      "source": "…",               // of a catalogue or standard
//	      "at": [{"file": "fabric.hcl", "line": 31}]   // in the new fabric; at most 8
//	    }],
//	    "where": [{"switches": ["tor-01", …], "ports": ["Ethernet32", …]}],  // no ports: the whole switch, or a kind of NIC
//	    "switch_count": 16, "port_count": 128
//	  }],
//	  "begins": [{                     // where devices begin, if their configurations were read
//	    "device": "leaf-1",
//	    "class": "part-way",           // or old, new, drifted, fresh
//	    "step": "01-grow",             // the last step that it has
//	    "lines": ["replace /…"]        // where a drifted one differs from the nearest state
//	  }],
//	  "rollout": {
//	    "steps": [{
//	      "number": 1,
//	      "action": "grow",            // or whole, move, shrink, cable, accept, host, drop, install, retire
//	      "devices": ["tor-01", …],    // in any order within the step
//	      "why": [{"rule": "headroom-first", "text": "…"}],
//	      "changes": [ … ]             // as above, of this step alone
//	    }],
//	    "quiet": [{"dscps": [26], "between": ["leaf-1", "tor-1"]}],   // traffic to stop first
//	    "uncabled": true,              // no plan knew which ports are joined
//	    "taken": true                  // cables and NICs before the change are taken from the new plan
//	  },
//	  "way": {                         // of --steps: all states that the order allows
//	    "verdict": "holds",            // or conditional, cannot be judged, fails
//	    "says": "no state …",
//	    "states": 26, "pairs": 47,     // of devices; of states of both ends of a cable
//	    "assumed": ["no host sends DSCP 24 before step 03-host"],
//	    "drained": [{"step": "01-whole", "devices": ["leaf-1"], "because": "…"}]   // their states within the step are left out
//	  }
//	}
func (r *Result) MarshalJSON() ([]byte, error) {
	out := jsonResult{Version: 1, Switches: r.Switches, Changed: r.Changed, Changes: jsonChanges(r.Changes), Begins: r.Begins, Way: r.Way}
	out.Rollout.Uncabled, out.Rollout.Taken = r.Rollout.Uncabled, r.Rollout.Taken
	out.Rollout.Steps = []jsonStep{}
	for i, s := range r.Rollout.Steps {
		step := jsonStep{Number: i + 1, Action: s.Action.String(), Devices: s.Devices, Changes: jsonChanges(s.Changes)}
		for _, rule := range s.Why {
			step.Why = append(step.Why, jsonRule{rule, rule.Text()})
		}
		out.Rollout.Steps = append(out.Rollout.Steps, step)
	}
	for _, q := range r.Rollout.Quiet {
		quiet := jsonQuiet{Between: [2]string{q.A, q.B}}
		for _, d := range q.DSCPs {
			quiet.DSCPs = append(quiet.DSCPs, int(d))
		}
		out.Rollout.Quiet = append(out.Rollout.Quiet, quiet)
	}
	return json.Marshal(out)
}

// JSONType returns the form that [Result.MarshalJSON] writes, for code that describes it.
func JSONType() reflect.Type { return reflect.TypeFor[jsonResult]() }

type jsonResult struct {
	Version  int          `json:"version"`
	Switches int          `json:"switches"`
	Changed  int          `json:"changed"`
	Changes  []jsonChange `json:"changes"`
	Begins   []Begin      `json:"begins,omitempty"`
	Rollout  struct {
		Steps    []jsonStep  `json:"steps"`
		Quiet    []jsonQuiet `json:"quiet,omitempty"`
		Uncabled bool        `json:"uncabled,omitempty"`
		Taken    bool        `json:"taken,omitempty"`
	} `json:"rollout"`
	Way *Way `json:"way,omitempty"`
}

type jsonChange struct {
	Kind     string      `json:"kind"`
	Of       string      `json:"of,omitempty"`
	Quantity string      `json:"quantity"`
	Old      string      `json:"old,omitempty"`
	New      string      `json:"new,omitempty"`
	Delta    string      `json:"delta,omitempty"`
	Causes   []jsonCause `json:"causes,omitempty"`
	Where    []jsonWhere `json:"where"`
	Switches int         `json:"switch_count"`
	Ports    int         `json:"port_count,omitempty"`
}

type jsonCause struct {
	Name   string      `json:"name"`
	Old    string      `json:"old,omitempty"`
	New    string      `json:"new,omitempty"`
	Kind   string      `json:"kind"`
	Source string      `json:"source,omitempty"`
	At     []jsonPlace `json:"at,omitempty"`
}

type jsonPlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

type jsonWhere struct {
	Switches []string `json:"switches"`
	Ports    []string `json:"ports,omitempty"`
}

type jsonStep struct {
	Number  int          `json:"number"`
	Action  string       `json:"action"`
	Devices []string     `json:"devices"`
	Why     []jsonRule   `json:"why"`
	Changes []jsonChange `json:"changes"`
}

type jsonRule struct {
	Rule Rule   `json:"rule"`
	Text string `json:"text"`
}

type jsonQuiet struct {
	DSCPs   []int     `json:"dscps"`
	Between [2]string `json:"between"`
}

func jsonChanges(changes []Change) []jsonChange {
	out := []jsonChange{}
	for _, c := range changes {
		j := jsonChange{Kind: c.Kind.String(), Of: c.Of, Quantity: c.Quantity, Old: c.Old, New: c.New, Delta: c.Delta,
			Switches: c.Switches(), Ports: c.Ports()}
		for _, cause := range c.Causes {
			k := jsonCause{Name: cause.Name, Old: cause.Old, New: cause.New, Kind: cause.Kind.String(), Source: cause.Source}
			for _, at := range cause.At {
				k.At = append(k.At, jsonPlace{at.Filename, at.Start.Line})
			}
			j.Causes = append(j.Causes, k)
		}
		for _, w := range c.Where {
			j.Where = append(j.Where, jsonWhere(w))
		}
		out = append(out, j)
	}
	return out
}
