package patch

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// A File is one of those that make a change on a switch, named below its folder.
type File struct {
	Path string
	Text []byte
}

// Script is the name of the file that makes the change, and unmakes it where it fails.
const Script = "apply.sh"

//go:embed steps.sh
var stepsScript []byte

//go:embed load.sh
var loadScript []byte

// Files are the steps with their undo, or what is loaded instead, and the script.
// There are none where nothing changes.
func (p *Patch) Files() (files []File) {
	switch {
	case p.Load != nil:
		return []File{{Script, loadScript}, {"new.json", indented(p.Load.New)}, {"old.json", indented(p.Load.Old)}}
	case len(p.Steps) == 0:
		return nil
	}
	for i, step := range p.Steps {
		name := p.StepFile(i)
		files = append(files, File{name, Lines(step.Operations)}, File{"undo/" + name, Lines(step.Undo)})
	}
	return append(files, File{Script, stepsScript})
}

// StepFile is the path of the i-th step's file, from 0; that of its undo lies below undo/.
func (p *Patch) StepFile(i int) string {
	return fmt.Sprintf("%02d-%s.json", i+1, strings.ReplaceAll(p.Steps[i].Title, " ", "-"))
}

func indented(db DB) []byte {
	text, err := json.MarshalIndent(db, "", "  ")
	if err != nil {
		panic(err) // texts in maps have a JSON form
	}
	return append(text, '\n')
}

// Lines prints operations with one on each line, as a person reads them in a review.
func Lines(ops []Operation) []byte {
	var out bytes.Buffer
	for i, op := range ops {
		text, err := json.Marshal(op)
		if err != nil {
			panic(err) // texts in maps have a JSON form
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n  ")
		out.Write(text)
	}
	end := "]\n"
	if len(ops) > 0 {
		end = "\n]\n"
	}
	return []byte("[" + out.String() + end)
}

// Duration is about what the updater's sorter takes for operations on a slow machine with
// the ports of a full switch: 381 s for 32 of them on 34 ports, as measured with
// sonic-utilities in 2026.
func Duration(operations int) units.Time {
	return units.Time(operations) * 381 * units.Second / 32
}
