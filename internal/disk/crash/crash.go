// Package crash is a file system for tests, in memory, that fails on purpose: at any call it can
// refuse, write half, end the run, or lose power. After a loss of power it holds what was synced
// and any part of what was not.
//
// The model is weaker than what POSIX and the usual file systems promise, so what holds here holds
// there: each change of names since the last sync of its folder is kept or lost by itself, in any
// combination, and of a text that was not synced any beginning is kept, or zeros.
package crash

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/roceplan/roceplan/internal/disk"
)

// A Fault is what happens at one call.
type Fault int

const (
	None  Fault = iota
	EIO         // the call does nothing and fails
	Full        // the same, as on a full disk
	Late        // the call does its work and fails
	Short       // a write does half of its work and fails; other calls fail as with Full
	Kill        // the run ends before the call, or in the midst of a write; all later calls do nothing
	Delay       // other goroutines run first
)

// ErrKilled is what calls of a run that was ended return: it cannot see it, nor do anything.
var ErrKilled = errors.New("the run was killed")

// A Disk is a file system that begins with the folder "/" alone.
type Disk struct {
	NoExchange, NoLinks, Mounted bool // what it does not have

	// Watch, if not nil, is called after each call that changed something.
	Watch func()

	lock   sync.Mutex
	nodes  map[int]*node
	last   int
	clock  int64
	log    []*op
	calls  int
	at     int
	fault  Fault
	killed bool
}

// A node is a file, a folder or a link.
type node struct {
	mode   fs.FileMode
	names  map[string]int // of a folder
	text   []byte         // of a file, or where a link leads
	synced []byte
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
	return &Disk{nodes: map[int]*node{root: {mode: fs.ModeDir | 0o755, names: map[string]int{}}}, last: root, at: -1}
}

// Plan has a fault happen at a call, counted from 0.
func (d *Disk) Plan(at int, fault Fault) { d.calls, d.at, d.fault = 0, at, fault }

// Calls is how many calls there were since Plan, and whether the run was ended.
func (d *Disk) Calls() (n int, killed bool) { return d.calls, d.killed }

// Clone copies a disk on which everything is synced.
func (d *Disk) Clone() *Disk {
	c := &Disk{NoExchange: d.NoExchange, NoLinks: d.NoLinks, Mounted: d.Mounted, nodes: map[int]*node{}, last: d.last, clock: d.clock, at: -1}
	for i, n := range d.nodes {
		m := *n
		m.names, m.text, m.synced, m.dirty, m.locked = maps.Clone(n.names), slices.Clone(n.text), slices.Clone(n.text), false, false
		c.nodes[i] = &m
	}
	c.log = []*op{{names: c.all(), synced: true}}
	return c
}

// Reboot ends the run and starts the next, which finds all that was done.
func (d *Disk) Reboot() {
	d.killed, d.at = false, -1
	for _, n := range d.nodes {
		n.locked = false
	}
}

// Unsynced is how many changes a loss of power could lose.
func (d *Disk) Unsynced() (n int) {
	for _, o := range d.log {
		if !o.synced {
			n++
		}
	}
	for _, f := range d.nodes {
		if f.dirty {
			n++
		}
	}
	return n
}

// Lose returns the disk after a loss of power, of which keep says which of the unsynced changes
// are there, by their number. Of a text that is not kept, chance says what there is.
func (d *Disk) Lose(keep func(int) bool, chance *rand.Rand) *Disk {
	c := &Disk{NoExchange: d.NoExchange, NoLinks: d.NoLinks, Mounted: d.Mounted, nodes: map[int]*node{}, last: d.last, clock: d.clock, at: -1}
	count := 0
	for _, i := range slices.Sorted(maps.Keys(d.nodes)) {
		n := d.nodes[i]
		m := &node{mode: n.mode, time: n.time, text: slices.Clone(n.text)}
		if n.mode.IsDir() {
			m.names = map[string]int{}
		}
		if n.dirty {
			if !keep(count) {
				m.text = spoilt(n, chance)
			}
			count++
		}
		m.synced = slices.Clone(m.text)
		c.nodes[i] = m
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
	c.log = []*op{{names: c.all(), synced: true}}
	return c
}

// spoilt is what a loss of power may leave of a text.
func spoilt(n *node, chance *rand.Rand) []byte {
	switch chance.IntN(3) {
	case 0:
		return slices.Clone(n.synced)
	case 1:
		return slices.Clone(n.text[:chance.IntN(len(n.text)+1)])
	}
	return make([]byte, len(n.text))
}

// all are the names that there are.
func (d *Disk) all() (list []entry) {
	for _, i := range slices.Sorted(maps.Keys(d.nodes)) {
		for _, name := range slices.Sorted(maps.Keys(d.nodes[i].names)) {
			list = append(list, entry{i, name, d.nodes[i].names[name]})
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

// change changes names, and remembers it.
func (d *Disk) change(names ...entry) {
	o := &op{names: names}
	d.do(o)
	d.log = append(d.log, o)
}

// call is the begin of each call. It returns the error with which the call ends, before it did
// anything or, where late is set, after.
func (d *Disk) call() (late bool, err error) {
	if d.killed {
		return false, ErrKilled
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
	case Kill:
		d.killed = true
		return false, ErrKilled
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
	d.last++
	d.clock++
	n.time = d.clock
	d.nodes[d.last] = n
	d.change(entry{folder, name, d.last})
	return nil
}

func (d *Disk) Lstat(path string) (info fs.FileInfo, err error) {
	err = d.run("lstat", path, func() error {
		_, at, name, err := d.there(path)
		if err == nil {
			info = d.info(name, at)
		}
		return err
	})
	return info, err
}

func (d *Disk) ReadDir(path string) (list []fs.DirEntry, err error) {
	err = d.run("open", path, func() error {
		_, at, _, err := d.there(path)
		if err != nil {
			return err
		}
		if !d.nodes[at].mode.IsDir() {
			return syscall.ENOTDIR
		}
		for _, name := range slices.Sorted(maps.Keys(d.nodes[at].names)) {
			list = append(list, fs.FileInfoToDirEntry(d.info(name, d.nodes[at].names[name])))
		}
		return nil
	})
	return list, err
}

func (d *Disk) open(path string) (f *file, err error) {
	_, at, name, err := d.there(path)
	if err != nil {
		return nil, err
	}
	if !d.nodes[at].mode.IsRegular() {
		return nil, disk.ErrNotRegular
	}
	return &file{d: d, name: name, at: at}, nil
}

func (d *Disk) Open(path string) (disk.File, error) {
	var f *file
	err := d.run("open", path, func() (err error) {
		f, err = d.open(path)
		return err
	})
	return f, err
}

func (d *Disk) Create(path string) (disk.File, error) {
	var f *file
	err := d.run("open", path, func() (err error) {
		if err := d.add(path, &node{mode: 0o644}); err != nil {
			return err
		}
		f, err = d.open(path)
		return err
	})
	return f, err
}

func (d *Disk) Lock(path string) (disk.File, bool, error) {
	var f *file
	taken := false
	err := d.run("open", path, func() (err error) {
		if _, at, _, err := d.find(path); err == nil && at == 0 {
			if err := d.add(path, &node{mode: 0o644}); err != nil {
				return err
			}
		}
		if f, err = d.open(path); err == nil {
			taken = !d.nodes[f.at].locked
			f.holds = taken
			d.nodes[f.at].locked = true
		}
		return err
	})
	return f, taken, err
}

func (d *Disk) Mkdir(path string) error {
	return d.run("mkdir", path, func() error {
		return d.add(path, &node{mode: fs.ModeDir | 0o755, names: map[string]int{}})
	})
}

func (d *Disk) MkdirLike(path, model string) error {
	return d.run("mkdir", path, func() error {
		_, at, _, err := d.there(model)
		if err != nil {
			return err
		}
		return d.add(path, &node{mode: d.nodes[at].mode, names: map[string]int{}})
	})
}

func (d *Disk) Link(from, to string) error {
	return d.run("link", from, func() error {
		_, at, _, err := d.there(from)
		if err != nil {
			return err
		}
		if d.NoLinks {
			return errors.ErrUnsupported
		}
		folder, there, name, err := d.find(to)
		if err == nil && there != 0 {
			err = fs.ErrExist
		}
		if err == nil {
			d.change(entry{folder, name, at})
		}
		return err
	})
}

func (d *Disk) Rename(from, to string) error {
	return d.run("rename", from, func() error {
		folder, at, name, err := d.there(from)
		if err != nil {
			return err
		}
		into, old, as, err := d.find(to)
		switch {
		case err != nil:
			return err
		case old == at:
			return nil
		case old != 0 && d.nodes[at].mode.IsDir() != d.nodes[old].mode.IsDir():
			return syscall.ENOTDIR
		case old != 0 && len(d.nodes[old].names) > 0:
			return syscall.ENOTEMPTY
		}
		d.change(entry{folder, name, 0}, entry{into, as, at})
		return nil
	})
}

func (d *Disk) Exchange(a, b string) error {
	return d.run("exchange", a, func() error {
		if d.NoExchange {
			return errors.ErrUnsupported
		}
		folderA, x, nameA, err1 := d.there(a)
		folderB, y, nameB, err2 := d.there(b)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		d.change(entry{folderA, nameA, y}, entry{folderB, nameB, x})
		return nil
	})
}

func (d *Disk) Remove(path string) error {
	return d.run("remove", path, func() error {
		folder, at, name, err := d.there(path)
		if err != nil {
			return err
		}
		if len(d.nodes[at].names) > 0 {
			return syscall.ENOTEMPTY
		}
		d.change(entry{folder, name, 0})
		return nil
	})
}

func (d *Disk) Movable(string) bool { return !d.Mounted }

func (d *Disk) SameFile(a, b fs.FileInfo) bool {
	x, ok1 := a.Sys().(int)
	y, ok2 := b.Sys().(int)
	return ok1 && ok2 && x == y
}

func (d *Disk) Sync(folder string) error {
	return d.run("sync", folder, func() error {
		_, at, _, err := d.there(folder)
		if err == nil {
			d.syncNames(at)
		}
		return err
	})
}

// syncNames makes all changes of a folder's names stay.
func (d *Disk) syncNames(folder int) {
	for _, o := range d.log {
		if slices.ContainsFunc(o.names, func(e entry) bool { return e.folder == folder }) {
			o.synced = true
		}
	}
}

func (d *Disk) SyncTree(folder string) error {
	return d.run("sync", folder, func() error {
		_, at, _, err := d.there(folder)
		if err == nil {
			d.syncAll(at)
		}
		return err
	})
}

func (d *Disk) syncAll(at int) {
	n := d.nodes[at]
	n.synced, n.dirty = slices.Clone(n.text), false
	if n.mode.IsDir() {
		d.syncNames(at)
	}
	for _, below := range n.names {
		d.syncAll(below)
	}
}

// Tree is what there is below a folder: the texts of its files by their paths.
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
		tree[path] = string(n.text)
		return
	}
	for name, below := range n.names {
		d.gather(tree, below, filepath.Join(path, name))
	}
}

// Names are those in a folder.
func (d *Disk) Names(folder string) []string {
	_, at, _, err := d.find(folder)
	if err != nil || at == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(d.nodes[at].names))
}

// A file is open.
type file struct {
	d        *Disk
	name     string
	at, read int
	holds    bool
}

func (f *file) Read(into []byte) (n int, err error) {
	failed := f.d.run("read", f.name, func() error {
		if n = copy(into, f.d.nodes[f.at].text[f.read:]); n == 0 && len(into) > 0 {
			err = io.EOF
		}
		f.read += n
		return nil
	})
	if failed != nil {
		return 0, failed
	}
	return n, err
}

func (f *file) Write(text []byte) (n int, err error) {
	d := f.d
	d.lock.Lock()
	half := d.calls == d.at && !d.killed && (d.fault == Short || d.fault == Kill)
	if half {
		n = len(text) / 2
		f.append(text[:n])
	}
	d.lock.Unlock()
	err = d.run("write", f.name, func() error {
		f.append(text)
		n = len(text)
		return nil
	})
	return n, err
}

func (f *file) append(text []byte) {
	n := f.d.nodes[f.at]
	f.d.clock++
	n.text, n.dirty, n.time = append(slices.Clone(n.text), text...), true, f.d.clock
}

func (f *file) Close() error {
	return f.d.run("close", f.name, func() error {
		if f.holds {
			f.d.nodes[f.at].locked = false
		}
		return nil
	})
}

func (f *file) Stat() (info fs.FileInfo, err error) {
	err = f.d.run("stat", f.name, func() error {
		info = f.d.info(f.name, f.at)
		return nil
	})
	return info, err
}

func (f *file) Chmod(mode fs.FileMode) error {
	return f.d.run("chmod", f.name, func() error {
		f.d.nodes[f.at].mode = mode
		return nil
	})
}

func (f *file) Truncate(size int64) error {
	return f.d.run("truncate", f.name, func() error {
		n := f.d.nodes[f.at]
		n.text, n.dirty = slices.Clone(n.text[:size]), true
		return nil
	})
}

func (f *file) Sync() error {
	return f.d.run("sync", f.name, func() error {
		n := f.d.nodes[f.at]
		n.synced, n.dirty = slices.Clone(n.text), false
		return nil
	})
}

// An info is what Lstat says.
type info struct {
	name string
	at   int
	node node
}

func (d *Disk) info(name string, at int) fs.FileInfo { return info{name, at, *d.nodes[at]} }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return int64(len(i.node.text)) }
func (i info) Mode() fs.FileMode  { return i.node.mode }
func (i info) ModTime() time.Time { return time.Unix(i.node.time, 0) }
func (i info) IsDir() bool        { return i.node.mode.IsDir() }
func (i info) Sys() any           { return i.at }
