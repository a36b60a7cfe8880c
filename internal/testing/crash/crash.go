// Package crash is a file system for tests, in memory, that fails on purpose: any call can be refused
// or write half, and at any moment the run can end, or power can be lost. After a loss of power it holds what was synced
// and any part of what was not.
//
// The model is weaker than what POSIX and the usual file systems promise, so what holds here holds
// there: each change of names since the last sync of its folder is kept or lost by itself, in any
// combination, and of a text that was not synced any beginning is kept, or zeros.
package crash

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Fault is a failure at one call.
type Fault int

const (
	None  Fault = iota
	EIO         // the call does nothing and fails
	Full        // the same, as on a full disk
	Late        // the call does its work and fails
	Short       // a write does half of its work and fails; other calls fail as with Full
	Delay       // other goroutines run first
)

// A Disk is a file system that begins with the folder "/" alone.
type Disk struct {
	NoExchange, NoLinks, Mounted bool // what it does not have

	// Watch, if not nil, is called after each call that changed something.
	Watch func()
	// Moment, if not nil, is called before each call and in the midst of each write: a run that is
	// killed leaves the state of such a moment.
	Moment func()

	lock  sync.Mutex
	nodes []*node // by number, the first of which is none
	clock int64
	log   []*op
	calls int
	at    int
	fault Fault

	writes map[int]bool // calls since Plan that are writes
}

// A node is a file, a folder or a link.
type node struct {
	mode   fs.FileMode
	names  map[string]int // of a folder
	text   string         // of a file, or where a link leads
	synced string
	dirty  bool
	time   int64
	locked bool
}

// An op is a change of names: all of them happen, or none.
type op struct {
	names  []entry
	synced bool
}

type entry struct {
	folder int
	name   string
	node   int // 0: the name is gone
}

const root = 1

// New returns an empty disk.
func New() *Disk {
	return &Disk{nodes: []*node{nil, {mode: fs.ModeDir | 0o755, names: map[string]int{}}}, at: -1}
}

// Plan has a fault happen at a call, counted from 0.
func (d *Disk) Plan(at int, fault Fault) {
	d.calls, d.at, d.fault, d.writes = 0, at, fault, map[int]bool{}
}

// Calls returns the number of calls since Plan.
func (d *Disk) Calls() int { return d.calls }

// Clone copies a disk on which everything is synced.
func (d *Disk) Clone() *Disk {
	c, copies := d.like(), make([]node, len(d.nodes))
	for i, n := range d.nodes[root:] {
		m := &copies[i]
		*m = *n
		m.names, m.synced, m.dirty, m.locked = maps.Clone(n.names), n.text, false, false
		c.nodes = append(c.nodes, m)
	}
	return c
}

// like returns a disk of the same kind without a node.
func (d *Disk) like() *Disk {
	nodes := make([]*node, root, len(d.nodes))
	return &Disk{NoExchange: d.NoExchange, NoLinks: d.NoLinks, Mounted: d.Mounted, nodes: nodes, clock: d.clock, at: -1}
}

// Reboot ends the run and starts the next, which finds all that was done.
func (d *Disk) Reboot() {
	d.at = -1
	for _, n := range d.nodes[root:] {
		n.locked = false
	}
}

// Unsynced returns the number of changes of names and of texts that a loss of power could lose.
func (d *Disk) Unsynced() (names, texts int) {
	for _, o := range d.log {
		if !o.synced {
			names++
		}
	}
	for _, f := range d.nodes[root:] {
		if f.dirty {
			texts++
		}
	}
	return names, texts
}

// Lose returns the disk after a loss of power, of which keep says which of the unsynced changes
// are there, by their number. Of a text that is not kept, chance says what there is.
func (d *Disk) Lose(keep func(int) bool, chance *rand.Rand) *Disk {
	d.begin()
	c, copies, count := d.like(), make([]node, len(d.nodes)), 0
	for i, n := range d.nodes[root:] {
		m := &copies[i]
		m.mode, m.time, m.text = n.mode, n.time, n.text
		if n.mode.IsDir() {
			m.names = map[string]int{}
		}
		if n.dirty {
			if !keep(count) {
				m.text = spoilt(n, chance)
			}
			count++
		}
		m.synced = m.text
		c.nodes = append(c.nodes, m)
	}
	for _, o := range d.log {
		kept := o.synced
		if !o.synced {
			kept = keep(count)
			count++
		}
		if kept {
			c.do(o)
		}
	}
	return c
}

// spoilt returns a text that a loss of power may leave in place of another.
func spoilt(n *node, chance *rand.Rand) string {
	switch chance.IntN(3) {
	case 0:
		return n.synced
	case 1:
		return n.text[:chance.IntN(len(n.text)+1)]
	}
	return strings.Repeat("\x00", len(n.text))
}

// all returns the names that there are.
func (d *Disk) all() (list []entry) {
	for i, n := range d.nodes[root:] {
		for name, at := range n.names {
			list = append(list, entry{root + i, name, at})
		}
	}
	return list
}

func (d *Disk) do(o *op) {
	for _, e := range o.names {
		if e.node == 0 {
			delete(d.nodes[e.folder].names, e.name)
		} else {
			d.nodes[e.folder].names[e.name] = e.node
		}
	}
}

// begin remembers the names of a copy as they are, when the first of them changes: most copies are looked at and no more.
func (d *Disk) begin() {
	if len(d.log) == 0 {
		d.log = []*op{{names: d.all(), synced: true}}
	}
}

// change changes names, and remembers it.
func (d *Disk) change(names ...entry) {
	d.begin()
	o := &op{names: names}
	d.do(o)
	d.log = append(d.log, o)
}

// call returns the begin of each call. It returns the error with which the call ends, before it did
// anything or, where late is set, after.
func (d *Disk) call() (late bool, err error) {
	if d.Moment != nil {
		d.Moment()
	}
	d.calls++
	if d.calls-1 != d.at {
		return false, nil
	}
	switch d.fault {
	case EIO:
		return false, syscall.EIO
	case Full, Short:
		return false, syscall.ENOSPC
	case Late:
		return true, syscall.EIO
	}
	return false, nil
}

// run does the work of one call.
func (d *Disk) run(what, path string, work func() error) error {
	d.lock.Lock()
	delayed := d.calls == d.at && d.fault == Delay
	d.lock.Unlock()
	if delayed {
		time.Sleep(50 * time.Microsecond)
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	late, err := d.call()
	if err != nil && !late {
		return &fs.PathError{Op: what, Path: path, Err: err}
	}
	before := len(d.log)
	if failed := work(); failed != nil {
		return &fs.PathError{Op: what, Path: path, Err: failed}
	}
	if len(d.log) != before && d.Watch != nil {
		d.Watch()
	}
	if err != nil {
		return &fs.PathError{Op: what, Path: path, Err: err}
	}
	return nil
}

// find returns the node of a path, and the folder that it is in.
func (d *Disk) find(path string) (folder, at int, name string, err error) {
	folder, at = 0, root
	parts := strings.Split(strings.Trim(filepath.ToSlash(filepath.Clean(path)), "/"), "/")
	for i, part := range parts {
		if part == "" || part == "." {
			continue
		}
		n := d.nodes[at]
		if !n.mode.IsDir() {
			return 0, 0, "", syscall.ENOTDIR
		}
		folder, at, name = at, n.names[part], part
		if at == 0 && i < len(parts)-1 {
			return 0, 0, "", fs.ErrNotExist
		}
	}
	return folder, at, name, nil
}

// there is find for what must be there.
func (d *Disk) there(path string) (folder, at int, name string, err error) {
	folder, at, name, err = d.find(path)
	if err == nil && at == 0 {
		err = fs.ErrNotExist
	}
	return folder, at, name, err
}

func (d *Disk) add(path string, n *node) error {
	folder, at, name, err := d.find(path)
	if err == nil && at != 0 {
		err = fs.ErrExist
	}
	if err != nil {
		return err
	}
	d.clock++
	n.time = d.clock
	d.nodes = append(d.nodes, n)
	d.change(entry{folder, name, len(d.nodes) - 1})
	return nil
}

// Tree returns the texts of the files below a folder, by their paths.
func (d *Disk) Tree(folder string) map[string]string {
	_, at, _, err := d.find(folder)
	if err != nil || at == 0 {
		return nil
	}
	tree := map[string]string{}
	d.gather(tree, at, "")
	return tree
}

func (d *Disk) gather(tree map[string]string, at int, path string) {
	n := d.nodes[at]
	if !n.mode.IsDir() {
		tree[strings.TrimPrefix(path, "/")] = n.text
		return
	}
	for name, below := range n.names {
		d.gather(tree, below, path+"/"+name)
	}
}

// Names returns the names in a folder.
func (d *Disk) Names(folder string) []string {
	_, at, _, err := d.find(folder)
	if err != nil || at == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(d.nodes[at].names))
}
