package nvue

import (
	"strconv"

	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/nvue"
)

// An object is a part of NVUE's configuration: keys with objects or values below them,
// in the order in which they were set. Commands and YAML are printed from the same tree,
// so they cannot say different things.
type object struct {
	keys []string
	kids map[string]*object
	// value is a word or number at a leaf. A leaf without a value is there, and that is
	// all: the members of sets, such as the switch priorities with PFC.
	value string
	// tag is the YAML type of the value, where it is not a string.
	tag string
}

// at returns the object at a path, made where it is missing.
func (o *object) at(path ...string) *object {
	for _, key := range path {
		if o.kids == nil {
			o.kids = make(map[string]*object)
		}
		kid := o.kids[key]
		if kid == nil {
			kid = &object{}
			o.kids[key] = kid
			o.keys = append(o.keys, key)
		}
		o = kid
	}
	return o
}

// word sets a leaf to a word.
//
//go:noinline
func (o *object) word(value string, path ...string) { o.at(path...).value = value }

// count sets a leaf to a number.
func (o *object) count(value int64, path ...string) {
	leaf := o.at(path...)
	leaf.value, leaf.tag = strconv.FormatInt(value, 10), "!!int"
}

// leaf sets the leaf of a row to a number.
//
//go:noinline
func (o *object) leaf(id format.ID, value int64) { o.count(value, row.Of(id).Names()...) }

// flag sets a leaf to true. That YAML has it as a boolean is assumed: the manual shows
// such leaves in commands alone.
func (o *object) flag(path ...string) {
	leaf := o.at(path...)
	leaf.value, leaf.tag = "true", "!!bool"
}

// equal reports whether two objects say the same, in whatever order.
func (o *object) equal(p *object) bool {
	if len(o.keys) != len(p.keys) || o.value != p.value || o.tag != p.tag {
		return false
	}
	for _, key := range o.keys {
		if other := p.kids[key]; other == nil || !o.kids[key].equal(other) {
			return false
		}
	}
	return true
}

// put hangs an object below a key.
//
//go:noinline
func (o *object) put(key string, kid *object) {
	if o.kids == nil {
		o.kids = make(map[string]*object)
	}
	if o.kids[key] == nil {
		o.keys = append(o.keys, key)
	}
	o.kids[key] = kid
}
