package apply

import (
	"errors"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// A change holds the messages that change a device, and those that take the change back.
type change struct {
	ID      string // by which the device knows it
	Running []byte // the running configuration when it was made
	Minutes int    // until a device with a timed confirm takes it back
	Files   []File // the files to send; below undo/, the way back
}

// file returns the text of a file; empty where there is none.
func (c *change) file(path string) string {
	for _, f := range c.Files {
		if f.Path == path {
			return f.Text
		}
	}
	return ""
}

// changeFile is the path of a change that is one file.
const changeFile = "change"

// undo is the folder of what takes a change back.
const undo = "undo/"

// files makes the files that lead a device from one of its states to another, and back. Where that
// interrupts lossless traffic, the device must be drained.
func files(states []*plan.Switch, from, to int, device string, running []byte, judge func(to *plan.Switch) patch.Judge, drained bool) ([]File, error) {
	was, will := states[from], states[to]
	system := systemOf(will)
	if system == "sonic" {
		return sonicFiles(states, from, to, device, running, judge(will), drained)
	}
	t, _ := target.Find(system)
	there, found := t.Change(was, will)
	if found.HasErrors() {
		return nil, errors.New(found[0].Message)
	}
	back, found := t.Change(will, was)
	if found.HasErrors() {
		return nil, errors.New(found[0].Message)
	}
	if len(there) != 1 || len(back) != 1 {
		return nil, fmt.Errorf("%s has no commands for the change of %s", system, device)
	}
	return []File{fileOf(there[0], changeFile, device), fileOf(back[0], undo+changeFile, device)}, nil
}

// sonicFiles returns the steps of package patch from what runs, whatever part of the change it has.
func sonicFiles(states []*plan.Switch, from, to int, device string, text []byte, judge patch.Judge, drained bool) (files []File, err error) {
	running, found := patch.Read(device, text)
	if running == nil {
		return nil, errors.New(found[0].Message)
	}
	// A port of another state that the switch has was sent to it before. A port that it does not have
	// is made.
	was := withPorts(states[from], states)
	had := states[from].PortsByName()
	was.Ports = stable.Delete(was.Ports, func(p plan.Port) bool { return had[p.Name] == nil && running.DB["PORT"][p.Name] == nil })
	p, found := patch.On(running, was, device).Change(states[to], judge)
	if p == nil {
		return nil, errors.New(found[0].Message)
	}
	for _, d := range found {
		if d.Code == patch.Interrupted && !drained {
			return nil, fmt.Errorf("it must be drained first: %s", d.Message)
		}
	}
	for _, f := range p.Files() {
		files = append(files, File{strings.TrimPrefix(f.Path, "/"), string(f.Text)})
	}
	return files, nil
}
