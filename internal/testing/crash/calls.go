package crash

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"syscall"

	"github.com/roceplan/roceplan/internal/disk"
)

// The calls of [disk.FS], each of which can fail.

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

func (d *Disk) Create(path string, perm fs.FileMode) (disk.File, error) {
	var f *file
	err := d.run("open", path, func() (err error) {
		if err := d.add(path, &node{mode: perm &^ 0o022}); err != nil {
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
	n.synced, n.dirty = n.text, false
	if n.mode.IsDir() {
		d.syncNames(at)
	}
	for _, below := range n.names {
		d.syncAll(below)
	}
}
