package nvue

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// instances are the keys whose children are instances, which one command can list:
// `dscp 10,21,36 switch-priority 0`, `interface swp1-4,swp6 qos …` (Cumulus Linux 5.14,
// Quality of Service).
var instances = map[string]bool{"interface": true, "dscp": true, "switch-priority": true, "traffic-class": true}

// commands prints an object as `nv set` commands. Instances with the same settings share one.
func (o *object) commands(out *strings.Builder, prefix string) {
	if len(o.keys) == 0 {
		line := prefix
		if o.value != "" {
			line += " " + o.value
		}
		fmt.Fprintln(out, line)
		return
	}
	last := prefix[strings.LastIndexByte(prefix, ' ')+1:]
	if !instances[last] {
		for _, key := range o.keys {
			o.kids[key].commands(out, prefix+" "+key)
		}
		return
	}
	for _, path := range o.shared() {
		path.object.commands(out, prefix+" "+list(path.keys))
	}
}

// A shared object is settings of several instances.
type shared struct {
	keys   []string
	object *object
}

// shared splits the settings of the instances into parts, each with all instances that have it: a
// setting of many ports is printed once, whatever else differs. Parts are the objects below an
// instance's own keys.
func (o *object) shared() []shared {
	var all []shared
	add := func(key string, part *object) {
		for i := range all {
			if all[i].object.equal(part) {
				all[i].keys = append(all[i].keys, key)
				return
			}
		}
		all = append(all, shared{[]string{key}, part})
	}
	for _, key := range o.keys {
		o.kids[key].parts(func(part *object) { add(key, part) })
	}
	return all
}

// parts calls yield with an object for each leaf, which holds nothing but that leaf.
func (o *object) parts(yield func(*object)) {
	if len(o.keys) == 0 {
		yield(o)
		return
	}
	for _, key := range o.keys {
		o.kids[key].parts(func(part *object) {
			yield(&object{keys: []string{key}, kids: map[string]*object{key: part}})
		})
	}
}

var plainPort = regexp.MustCompile(`^swp([0-9]+)$`)

// list writes instances as one word. Ports without breakout are joined to ranges,
// swp1-4; numbers are not, since the manual shows ranges of them nowhere but in pools.
func list(keys []string) string {
	var words []string
	for i := 0; i < len(keys); {
		j := i
		for j+1 < len(keys) && follows(keys[j], keys[j+1]) {
			j++
		}
		word := keys[i]
		if j > i {
			word += "-" + plainPort.FindStringSubmatch(keys[j])[1]
		}
		words = append(words, word)
		i = j + 1
	}
	return strings.Join(words, ",")
}

func follows(a, b string) bool {
	x, y := plainPort.FindStringSubmatch(a), plainPort.FindStringSubmatch(b)
	if x == nil || y == nil {
		return false
	}
	m, err1 := strconv.Atoi(x[1])
	n, err2 := strconv.Atoi(y[1])
	return err1 == nil && err2 == nil && n == m+1
}

// without returns what is in o and not in p, nil where there is nothing: leaves that p has
// with another value are in it.
func (o *object) without(p *object) *object {
	if p == nil {
		return o
	}
	if len(o.keys) == 0 {
		if len(p.keys) == 0 && o.value == p.value {
			return nil
		}
		return o
	}
	out := &object{}
	for _, key := range o.keys {
		if rest := o.kids[key].without(p.kids[key]); rest != nil {
			out.put(key, rest)
		}
	}
	if len(out.keys) == 0 {
		return nil
	}
	return out
}

// gone returns the paths of o that p does not have, each cut where p has nothing of it.
// Leaves of another value are not gone.
func (o *object) gone(p *object) *object {
	out := &object{}
	for _, key := range o.keys {
		other := p.kids[key]
		switch {
		case other == nil:
			out.put(key, &object{})
		case len(o.kids[key].keys) > 0:
			if rest := o.kids[key].gone(other); rest != nil {
				out.put(key, rest)
			}
		}
	}
	if len(out.keys) == 0 {
		return nil
	}
	return out
}
