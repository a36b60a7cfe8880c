package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/verify"
	"github.com/roceplan/roceplan/way"
)

// proofsFile has the certificates of the states of a way, next to their configurations.
const proofsFile = "certificates.json"

// writeCertified writes steps and the certificate of their way, which is next to them with a folder of its states: all
// of it or nothing.
func writeCertified(t *terminal, steps, file string, o *rolling) error {
	steps, err := filepath.Abs(steps)
	if err != nil {
		return err
	}
	absolute, err := filepath.Abs(file)
	parent := filepath.Dir(steps)
	if err == nil && filepath.Dir(absolute) != parent {
		return misusef("%s is not in the folder that %s is in: both are written together", file, filepath.Base(steps))
	}
	proofs, wrong := o.way.Proofs.Marshal()
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	states := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + ".states"
	for _, folder := range []string{steps, filepath.Join(parent, states)} {
		if err := fullFolder(filepath.Base(folder), whole.Vacant(t.disk, folder)); err != nil {
			return err
		}
	}
	sum := sha256.Sum256(proofs)
	o.way.Way.Proofs = way.Proofs{File: path.Join(states, proofsFile), SHA256: hex.EncodeToString(sum[:])}
	text, err := o.way.Way.Marshal()
	if err != nil {
		return err
	}
	files := []whole.Text{{Path: filepath.Base(file), Text: text}, {Path: filepath.Join(states, proofsFile), Text: proofs}}
	for _, f := range o.way.Files {
		files = append(files, whole.Text{Path: filepath.Join(states, filepath.FromSlash(f.Path)), Text: f.Text})
	}
	for _, f := range o.files {
		f.Path = filepath.Join(filepath.Base(steps), f.Path)
		files = append(files, f)
	}
	return whole.Files(t.disk, parent, files)
}

// A recheckedWay is the result of checking the certificate of a way again.
type recheckedWay struct {
	Steps    int               `json:"steps"`
	States   int               `json:"states"`
	Pairs    int               `json:"pairs"`
	Proved   bool              `json:"proved"` // no state on the way loses a lossless packet
	Assumed  []string          `json:"assumed,omitempty"`
	Proofs   *verify.Rechecked `json:"proofs"` // of the states
	Problems []verify.Reason   `json:"problems"`
	// Unchecked names the claims that a certificate alone cannot show.
	Unchecked string `json:"unchecked"`
}

// unchecked names the gap between a certificate and the files of the steps.
const unchecked = "that the steps and the settings of ports are those of the files; the same roceplan diff --steps --certificate writes the same bytes again"

// recheckWay evaluates the certificate of a way again, and those of its states.
func (c verifyCmd) recheckWay(t *terminal, text []byte) error {
	if len(c.Paths) > 0 || len(c.Fabric) > 0 {
		return misusef("%s is the certificate of a way: it is checked by itself; roceplan diff --steps --certificate writes it again", c.Recheck)
	}
	w, err := way.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Recheck, err)
	}
	result := &recheckedWay{Steps: len(w.Moments), Assumed: w.Assumed, Problems: []verify.Reason{}, Unchecked: unchecked}
	result.States, result.Pairs = w.Counts()
	folder := filepath.Dir(c.Recheck)
	list, wrong, err := w.Open(func(name string) ([]byte, error) {
		return fileAt(filepath.Join(folder, filepath.FromSlash(name))).Read()
	})
	if err != nil {
		return fmt.Errorf("%s: %w", c.Recheck, err)
	}
	if wrong != nil {
		result.Problems = append(result.Problems, verify.Reason{Message: wrong.Error()})
	}
	states := filepath.Join(folder, filepath.Dir(filepath.FromSlash(w.Proofs.File)))
	if result.Proofs, err = verify.Alone(list, func(name string) verify.File { return fileAt(filepath.Join(states, filepath.FromSlash(name))) }); err != nil {
		return err
	}
	for _, err := range way.Recheck(w, list) {
		result.Problems = append(result.Problems, verify.Reason{Message: err.Error()})
	}
	problems := len(result.Problems) + len(result.Proofs.Problems)
	result.Proved = problems == 0 && w.Proved()
	if t.json {
		err = t.printJSON(result)
	} else {
		for _, problem := range append(result.Problems, result.Proofs.Problems...) {
			t.printf("%s\n", problem.Message)
		}
		for _, l := range result.Proofs.Lacks {
			t.printf("%s has no certificate: %s\n", l.Device, l.Because)
		}
		t.printf("steps %d, states %d, pairs of states %d: %s; problems %d\n", result.Steps, result.States, result.Pairs, w.Says(), problems)
		for _, a := range w.Assumed {
			t.printf("   provided that %s\n", a)
		}
		t.printf("   not checked: %s\n", unchecked)
	}
	if err == nil && !result.Proved {
		err = errFindings
	}
	return err
}

// wayOf returns the way in the form of a difference.
func wayOf(w *way.Way) *diff.Way {
	if len(w.Moments) == 0 {
		return nil
	}
	d := &diff.Way{Verdict: w.Verdict.String(), Says: w.Says(), Assumed: w.Assumed}
	d.States, d.Pairs = w.Counts()
	for _, x := range w.Drained {
		d.Drained = append(d.Drained, diff.Left{Step: w.Moments[x.Step-1].Step, Devices: x.Devices, Because: x.Because})
	}
	return d
}
