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

// Files returns the steps with their undo, and the script. There are none where nothing changes.
func (p *Patch) Files() (files []File) {
	if len(p.Steps) == 0 {
		return nil
	}
	for i, step := range p.Steps {
		name := p.StepFile(i)
		switch {
		case step.ports != nil:
			files = append(files, portFiles(name, step.ports)...)
		case step.Past:
			files = append(files, pastFiles(name, step.Title, step.Operations, step.Undo)...)
			files = append(files, pastFiles("undo/"+name, "undo: "+step.Title, step.Undo, step.Operations)...)
		default:
			files = append(files, File{name, Lines(step.Operations)}, File{"undo/" + name, Lines(step.Undo)})
		}
	}
	return append(files, File{Script, stepsScript})
}

// pastFiles are a script without the updater, and what it loads.
func pastFiles(name, title string, ops, back []Operation) []File {
	lines, load := commands(ops, back, loadFile(name))
	files := []File{{name, script(title, lines)}}
	if len(load) > 0 {
		files = append(files, File{loadFile(name), indented(load)})
	}
	return files
}

// loadFile returns the path of what the script of a step loads.
func loadFile(name string) string { return "load/" + strings.TrimSuffix(name, ".sh") + ".json" }

// StepFile returns the path of the i-th step's file, from 0; that of its undo is below undo/. A
// patch ends in .json, a script in .sh.
func (p *Patch) StepFile(i int) string {
	step, ext := &p.Steps[i], "json"
	if step.Past || step.ports != nil {
		ext = "sh"
	}
	return fmt.Sprintf("%02d-%s.%s", i+1, strings.ReplaceAll(step.Title, " ", "-"), ext)
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
