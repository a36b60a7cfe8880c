// Package record reads and writes the results of the parts of a sweep: lines of JSON, one for each
// result, so that the files of many machines can be put one behind the other and merged.
//
// The first line of a part is its header. Lines that belong together have the same sweep: a
// digest of all that their results depend on.
package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/tune"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// Schema is the version of the lines. It grows when a reader of the old one would
// misunderstand the new one; a field that is added does not count.
const Schema = 1

// A Line holds one of Header, Run and Tuning.
type Line struct {
	Schema int    `json:"schema"`
	Sweep  string `json:"sweep"`

	Header *Header          `json:"header,omitempty"`
	Run    *pattern.Outcome `json:"run,omitempty"`    // of sim
	Tuning *tune.Report     `json:"tuning,omitempty"` // of tune

	At diag.Range `json:"-"` // where it was read
}

// A Header says what a part is.
type Header struct {
	Program string   `json:"program"` // version
	Command string   `json:"command"` // "sim" or "tune"
	Fabric  string   `json:"fabric"`
	Shard   int      `json:"shard"` // which part, from 0
	Of      int      `json:"of"`    // the number of parts
	Results int      `json:"results"`
	Hosts   int      `json:"hosts,omitempty"`
	Notes   []string `json:"notes"`

	Diagnostics json.RawMessage `json:"diagnostics,omitempty"` // of the fabric, a diag.List
}

// Sweep returns the digest of the inputs of results: texts of files, whatever they are called, and words
// of the call.
func Sweep(texts [][]byte, words ...string) string {
	var sums []string
	for _, text := range texts {
		sum := sha256.Sum256(text)
		sums = append(sums, hex.EncodeToString(sum[:]))
	}
	slices.Sort(sums)
	all := sha256.New()
	for _, word := range append(sums, words...) {
		fmt.Fprintf(all, "%d:%s", len(word), word)
	}
	return hex.EncodeToString(all.Sum(nil))[:16]
}

// Write prints a part: its header, then its results.
func Write(w io.Writer, sweep string, h Header, results []Line) error {
	h.Results = len(results)
	for _, line := range append([]Line{{Header: &h}}, results...) {
		line.Schema, line.Sweep = Schema, sweep
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// maxLine bounds one line: a result with the flows of a long run.
const maxLine = 1 << 30

// Read gives the lines of a file, which may hold several parts. The error names the file and
// the line that is not one of a sweep, or of a schema that this program does not know.
func Read(r io.Reader, name string) ([]Line, error) {
	var lines []Line
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	for n := 1; scanner.Scan(); n++ {
		text := bytes.TrimSpace(scanner.Bytes())
		if len(text) == 0 {
			continue
		}
		var line Line
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if err := line.check(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		line.At = diag.Range{Filename: name, Start: hcl.Pos{Line: n, Column: 1}, End: hcl.Pos{Line: n, Column: 1}}
		lines = append(lines, line)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return lines, nil
}

func (l *Line) check() error {
	some := 0
	for _, is := range []bool{l.Header != nil, l.Run != nil, l.Tuning != nil} {
		if is {
			some++
		}
	}
	switch {
	case l.Schema == 0:
		return errors.New("this is not a line of roceplan's --json-lines: it has no schema")
	case l.Schema != Schema:
		return fmt.Errorf("schema %d is not the one that this program reads, %d: take the same version on all machines", l.Schema, Schema)
	case some != 1:
		return fmt.Errorf("the line holds %d of header, run and tuning, not one", some)
	}
	return nil
}
