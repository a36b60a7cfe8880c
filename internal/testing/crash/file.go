package crash

import (
	"io"
	"io/fs"
	"time"
)

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
	if d.writes != nil {
		d.writes[d.calls] = true
	}
	half := text[:len(text)/2]
	switch {
	case d.calls == d.at && d.fault == Short:
		n = len(half)
		f.append(half)
	case d.Moment != nil:
		before := *d.nodes[f.at]
		f.append(half)
		d.Moment()
		*d.nodes[f.at] = before
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
	n.text, n.dirty, n.time = n.text+string(text), true, f.d.clock
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
		n.text, n.dirty = n.text[:size], true
		return nil
	})
}

func (f *file) Sync() error {
	return f.d.run("sync", f.name, func() error {
		n := f.d.nodes[f.at]
		n.synced, n.dirty = n.text, false
		return nil
	})
}

// An info is the result of Lstat.
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
