package apply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/plain"
)

// An Event is what an entry of the journal records.
type Event string

const (
	Began   Event = "began"   // a rollout, or its way back
	ByHand  Event = "by-hand" // a person said that a step is done
	Sending Event = "sending" // a change is about to be sent; it has the change and the way back
	There   Event = "there"   // the device was read back and is in the state after the step
	Kept    Event = "kept"    // the change is confirmed and saved
	Back    Event = "back"    // the device is in the state before the step
	Stopped Event = "stopped" // the run ended before the rollout did
	Done    Event = "done"    // every device is in its last state
	torn    Event = "torn"    // the entry before was not written whole: its run ended in it
)

// An Entry is a line of the journal.
type Entry struct {
	Time    time.Time `json:"time"`
	Event   Event     `json:"event"`
	Rollout string    `json:"rollout,omitempty"`
	Way     string    `json:"way,omitempty"` // of Began: "there" or "back"
	Step    string    `json:"step,omitempty"`
	Device  string    `json:"device,omitempty"`
	Change  string    `json:"change,omitempty"`  // its ID on the device
	Running string    `json:"running,omitempty"` // the digest of what ran before it
	From    int       `json:"from,omitempty"`
	To      int       `json:"to,omitempty"`
	Files   []File    `json:"files,omitempty"`
	Why     string    `json:"why,omitempty"`
}

// A Journal is a file to which entries are added and synced. No entry has a password or the
// configuration of a device, only its digest. While it is open no other process can open it.
type Journal struct {
	lock    sync.Mutex
	file    disk.File
	entries []Entry
	failed  error
}

// mostJournal bounds a journal that is read: a thousand switches take some 50 MB.
const mostJournal = 1 << 30

// OpenJournal opens a journal, which is made if there is none.
func OpenJournal(d disk.FS, path string) (*Journal, error) {
	if err := disk.Direct(d, path); err != nil {
		return nil, err
	}
	f, taken, err := d.Lock(path)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: f}
	if !taken {
		err = fmt.Errorf("%s: another roceplan apply works with this journal", path)
	} else if err = f.Chmod(0o600); err != nil {
		err = fmt.Errorf("a journal belongs to the user who runs roceplan apply, and no other can write it: %w", err)
	} else if err = j.read(path); err == nil {
		err = d.Sync(filepath.Dir(path))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// read reads all entries, so that the next is written after them. The last is cut off if its run
// was killed while it was written. What was to follow it was then not done.
func (j *Journal) read(path string) error {
	text, err := disk.Rest(j.file, path, mostJournal)
	if err != nil {
		return err
	}
	cut := len(text) > 0 && text[len(text)-1] != '\n'
	number, bad := 0, 0 // bad is the line that is no entry
	notEntry := func() error {
		return fmt.Errorf("%s:%d: this is not an entry of a journal of roceplan apply", path, bad)
	}
	for line := range bytes.Lines(text) {
		number++
		e, err := entryOf(line)
		switch {
		case err == nil && e.Event == torn && bad == number-1:
			bad = 0
		case bad > 0:
			return notEntry()
		case err != nil:
			bad = number
		default:
			j.entries = append(j.entries, e)
		}
	}
	if bad > 0 && !(cut && bad == number) {
		return notEntry()
	}
	if cut {
		_, err = j.file.Write([]byte("\n"))
	}
	if err == nil && bad > 0 {
		err = j.Add(Entry{Event: torn})
	}
	return err
}

// entryOf reads a line. A journal may come from others: what goes into commands for devices is what this
// package makes.
func entryOf(line []byte) (e Entry, err error) {
	err = json.Unmarshal(line, &e)
	if err == nil && (e.Change != "" && !isID.MatchString(e.Change) || min(e.From, e.To) < 0) {
		err = errors.New("this was not written by roceplan apply")
	}
	return e, err
}

// Add writes an entry, and returns when it survives a loss of power. After an error nothing more is
// added.
func (j *Journal) Add(e Entry) error {
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.failed != nil {
		return j.failed
	}
	e.Time = time.Now().UTC().Truncate(time.Millisecond)
	line, err := json.Marshal(e)
	if err == nil {
		if _, err = io.WriteString(j.file, plain.Text(string(line))+"\n"); err == nil {
			err = j.file.Sync()
		}
	}
	if err != nil {
		j.failed = fmt.Errorf("the journal cannot be written: %w", err)
		return j.failed
	}
	if e.Event != torn {
		j.entries = append(j.entries, e)
	}
	return nil
}

// Close lets others open the journal.
func (j *Journal) Close() error { return j.file.Close() }

// errOther reports that the journal has another rollout, which has not ended.
var errOther = errors.New("the journal has another rollout that has not ended: continue it, take it back with --undo, or name another journal")

// fits checks that what has not ended is of a rollout, by its name and by the states of its devices.
func (j *Journal) fits(r *Rollout) error {
	for _, e := range j.current() {
		switch {
		case e.Event == Began && e.Rollout != r.Name:
			return errOther
		case r.States[e.Device] != nil && max(e.From, e.To) >= len(r.States[e.Device]):
			return fmt.Errorf("the journal has a change of %s to state %d of %d: it was not written by roceplan apply", e.Device, max(e.From, e.To)+1, len(r.States[e.Device]))
		}
	}
	return nil
}

// begin records which way a rollout goes.
func (j *Journal) begin(name, way string) error {
	for _, e := range slices.Backward(j.current()) {
		if e.Event == Began {
			if e.Way == way {
				return nil
			}
			break
		}
	}
	return j.Add(Entry{Event: Began, Rollout: name, Way: way})
}

// current are the entries of the rollout that has not ended, both ways.
func (j *Journal) current() []Entry {
	for i := len(j.entries) - 1; i >= 0; i-- {
		if j.entries[i].Event == Done {
			return j.entries[i+1:]
		}
	}
	return j.entries
}

// changes finds the change that was sent to a device and is neither kept nor taken back, and the
// last one that is, with the entry that says which.
func (j *Journal) changes(device string) (open, ended, end *Entry) {
	j.lock.Lock()
	defer j.lock.Unlock()
	var sent *Entry
	current := j.current()
	for i := range current {
		switch e := &current[i]; {
		case e.Device != device:
		case e.Event == Sending:
			sent, open = e, e
		case e.Event == Kept || e.Event == Back:
			open, ended, end = nil, sent, e
		}
	}
	return open, ended, end
}

// byHand reports whether a person has done a step since the rollout began to go this way.
func (j *Journal) byHand(step string) bool {
	j.lock.Lock()
	defer j.lock.Unlock()
	done := false
	for _, e := range j.current() {
		done = done && e.Event != Began || e.Event == ByHand && e.Step == step
	}
	return done
}
