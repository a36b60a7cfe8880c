package apply

import (
	"bufio"
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

// An Event is the kind of an entry of the journal.
type Event string

const (
	Began   Event = "began"   // a rollout, or its way back
	ByHand  Event = "by-hand" // a person said that a step is done
	Sending Event = "sending" // a change is about to be sent; it has the change and the way back
	There   Event = "there"   // the device was read back and is in the state after the step
	Kept    Event = "kept"    // the change is confirmed and saved
	Back    Event = "back"    // the device is in the state before the step
	// The device is being taken out of service, and is in service again.
	Draining  Event = "draining"
	InService Event = "in-service"

	// The queue pairs that a server had when the change of a step was there, or when the opposite one was taken
	// back, but for those that surely have the ToS after it.
	Pairs Event = "pairs"

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
	Pairs   []string  `json:"pairs,omitempty"` // of Pairs; of Sending, those that surely have the ToS from before
	Why     string    `json:"why,omitempty"`
}

// A Journal is a file to which entries are added and synced. No entry has a password or the
// configuration of a device, only its digest. While it is open no other process can open it.
type Journal struct {
	lock    sync.Mutex
	file    disk.File
	entries []Entry // since the last rollout ended
	failed  error
}

// mostEntry bounds a line that is read. A configuration for SONiC takes 2.4 kB a port, and a change is at
// most two of them.
const mostEntry = 16 << 20

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
// was killed while it was written. The next step was then not begun.
func (j *Journal) read(path string) error {
	number, bad := 0, 0 // bad is the line that is no entry
	notEntry := func() error {
		return fmt.Errorf("%s:%d: this is not an entry of a journal of roceplan apply", path, bad)
	}
	cut := false
	for lines := bufio.NewReader(j.file); ; {
		line, err := nextLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		number++
		cut = line[len(line)-1] != '\n'
		e, err := entryOf(line)
		switch {
		case err == nil && e.Event == torn && bad == number-1:
			bad = 0
		case bad > 0:
			return notEntry()
		case err != nil:
			if bad = number; len(line) > mostEntry || number == 1 && line[0] != '{' && line[0] != 0 {
				return notEntry() // no entry is so, cut off or not; a loss of power leaves zeros
			}
		default:
			j.take(e)
		}
	}
	if bad > 0 && !cut {
		return notEntry()
	}
	if err := j.file.Chmod(0o600); err != nil {
		return fmt.Errorf("a journal belongs to the user who runs roceplan apply, and no other can write it: %w", err)
	}
	if cut {
		if _, err := io.WriteString(j.file, "\n"); err != nil {
			return err
		}
	}
	if bad > 0 {
		return j.Add(Entry{Event: torn})
	}
	return nil
}

// nextLine reads a line with its end, if it has one. Of one that is too long to be an entry it gives the
// begin.
func nextLine(from *bufio.Reader) (line []byte, err error) {
	for {
		part, err := from.ReadSlice('\n')
		if len(line) <= mostEntry {
			line = append(line, part...)
		}
		if errors.Is(err, io.EOF) && len(line) > 0 {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take keeps an entry. Nothing before the end of a rollout is needed after it.
func (j *Journal) take(e Entry) {
	switch e.Event {
	case torn:
	case Done:
		j.entries = nil
	default:
		j.entries = append(j.entries, e)
	}
}

// entryOf reads a line. A journal may come from others, so commands for devices contain only text that
// this package makes.
func entryOf(line []byte) (e Entry, err error) {
	err = json.Unmarshal(line, &e)
	if err == nil && (e.Event == "" || e.Change != "" && !isID.MatchString(e.Change) || min(e.From, e.To) < 0) {
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
	j.take(e)
	return nil
}

// Close lets others open the journal.
func (j *Journal) Close() error { return j.file.Close() }

// errOther reports that the journal has another rollout, which has not ended.
var errOther = errors.New("the journal has another rollout that has not ended: continue it, take it back with --undo, or name another journal")

// fits checks that unfinished work belongs to a rollout, by its name and by the states of its
// devices.
func (j *Journal) fits(r *Rollout) error {
	for _, e := range j.entries {
		switch {
		case e.Rollout != "" && e.Rollout != r.Name:
			return errOther
		case r.count(e.Device) > 0 && max(e.From, e.To) >= r.count(e.Device):
			return fmt.Errorf("the journal has a change of %s to state %d of %d: it was not written by roceplan apply", e.Device, max(e.From, e.To)+1, r.count(e.Device))
		}
	}
	return nil
}

// begin records which way a rollout goes.
func (j *Journal) begin(name, way string) error {
	for _, e := range slices.Backward(j.entries) {
		if e.Event == Began {
			if e.Way == way {
				return nil
			}
			break
		}
	}
	return j.Add(Entry{Event: Began, Rollout: name, Way: way})
}

// changes finds the change that was sent to a device and is neither kept nor taken back, and the
// last one that is, with the entry that says which.
func (j *Journal) changes(device string) (open, ended, end *Entry) {
	j.lock.Lock()
	defer j.lock.Unlock()
	var sent *Entry
	for i := range j.entries {
		switch e := &j.entries[i]; {
		case e.Device != device:
		case e.Event == Sending:
			sent, open = e, e
		case e.Event == Kept || e.Event == Back:
			open, ended, end = nil, sent, e
		}
	}
	return open, ended, end
}

// there reports whether a change was read back as planned, so that it may have been saved.
func (j *Journal) there(change *Entry) bool {
	j.lock.Lock()
	defer j.lock.Unlock()
	return slices.ContainsFunc(j.entries, func(e Entry) bool {
		return e.Event == There && e.Device == change.Device && e.Change == change.Change
	})
}

// drained reports whether a device was taken out of service, or may have been.
func (j *Journal) drained(device string) (out bool) {
	j.lock.Lock()
	defer j.lock.Unlock()
	for _, e := range j.entries {
		if e.Device == device && (e.Event == Draining || e.Event == InService) {
			out = e.Event == Draining
		}
	}
	return out
}

// pairs returns the last entry with the queue pairs that a server had at the change of a step, nil where the change was
// sent again after it. sent reports whether the change was sent.
func (j *Journal) pairs(step, device string) (last *Entry, sent bool) {
	j.lock.Lock()
	defer j.lock.Unlock()
	for i := range j.entries {
		if e := &j.entries[i]; e.Step == step && e.Device == device {
			switch e.Event {
			case Sending:
				sent, last = true, nil
			case Pairs:
				last = e
			}
		}
	}
	return last, sent
}

// byHand reports whether a person has done a step since the rollout began to go this way.
func (j *Journal) byHand(step string) bool {
	j.lock.Lock()
	defer j.lock.Unlock()
	done := false
	for _, e := range j.entries {
		done = done && e.Event != Began || e.Event == ByHand && e.Step == step
	}
	return done
}
