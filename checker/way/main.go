// Way checks the certificate of the way of a rollout. Like the checker in the folder above, it is written from docs/certificates.md ("The way"),
// and shares no code with the program that writes certificates, nor with that checker.
//
//	way w.json …
//
// It goes through all pairs of states that the order of steps allows. The certificates of the states are in the file that w.json names:
// the checker checks them. For each way it prints a line that begins with "right" or "refused", and what is wrong below it. It
// exits with 1 if any is refused or does not prove all.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: way w.json …")
		os.Exit(2)
	}
	code := 0
	for _, name := range os.Args[1:] {
		w, err := read(name)
		wrong := []string{}
		if err == nil {
			wrong, err = w.check(filepath.Dir(name))
		}
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		if len(wrong) > 0 {
			fmt.Printf("refused %s\n  %s\n", name, strings.Join(wrong, "\n  "))
			code = 1
			continue
		}
		proved := w.Verdict == holds || w.Verdict == conditional
		fmt.Printf("right %s: %d steps; all hold: %t, if the checker says so of %s\n", name, len(w.Moments), proved, w.Proofs.File)
		if !proved {
			code = 1
		}
	}
	os.Exit(code)
}

func read(name string) (*certificate, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	w, decoder := &certificate{}, json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(w); err != nil {
		return nil, err
	}
	if _, after := decoder.Token(); after != io.EOF {
		return nil, errors.New("something follows the last brace")
	}
	if w.Schema != "roceplan/way/1" {
		return nil, fmt.Errorf("its schema is %q", w.Schema)
	}
	return w, nil
}

// readProofs reads the file of certificates that the way names, in its folder.
func (w *certificate) readProofs(folder string) error {
	if !filepath.IsLocal(w.Proofs.File) {
		return fmt.Errorf("the file %q is not next to it", w.Proofs.File)
	}
	text, err := os.ReadFile(filepath.Join(folder, w.Proofs.File))
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != w.Proofs.SHA256 {
		return errors.New("the certificates of its states have another digest")
	}
	list := struct {
		Certificates []proof
		Lacks        []struct{ Device string }
	}{}
	w.of, w.lacks = map[string]*proof{}, map[string]bool{}
	err = json.Unmarshal(text, &list)
	for i, c := range list.Certificates {
		for _, name := range c.Switches {
			w.of[name] = &list.Certificates[i]
		}
	}
	for _, l := range list.Lacks {
		w.lacks[l.Device] = true
	}
	return err
}

// check gives all that is wrong.
func (w *certificate) check(folder string) (wrong []string, err error) {
	if err := w.readProofs(folder); err != nil {
		return nil, err
	}
	if wrong = w.order(); len(wrong) > 0 {
		return wrong, nil
	}
	wrong = append(w.traffic(), w.states()...)
	verdicts, next := []string{holds}, 0
	for i := range w.Links {
		for step := 1; step <= len(w.Moments); step++ {
			p := w.pairs(i, step)
			if p.Pairs == 0 {
				continue
			}
			verdicts = append(verdicts, p.Verdict)
			if next >= len(w.Pairs) || !p.same(w.Pairs[next]) {
				return append(wrong, fmt.Sprintf("link %d, step %d: its pairs are %+v", i, step, p)), nil
			}
			next++
		}
	}
	if next < len(w.Pairs) {
		wrong = append(wrong, "it has pairs that the order does not allow")
	}
	for _, p := range w.of {
		verdicts = append(verdicts, p.Verdict)
	}
	if len(w.lacks) > 0 {
		verdicts = append(verdicts, unjudged)
	}
	worst := ""
	for _, verdict := range []string{fails, unjudged, conditional, holds} {
		if worst == "" && slices.Contains(verdicts, verdict) {
			worst = verdict
		}
	}
	if worst != w.Verdict {
		wrong = append(wrong, fmt.Sprintf("its verdict is %q, and its parts demand %q", w.Verdict, worst))
	}
	return wrong, nil
}

// same compares pairs, but for words, which have to be there.
func (p pairs) same(o pairs) bool {
	for i := range o.Fails {
		if o.Fails[i].Because == "" {
			return false
		}
		o.Fails[i].Because = ""
	}
	return p.Link == o.Link && p.Step == o.Step && p.Pairs == o.Pairs && p.Down == o.Down && p.Verdict == o.Verdict && slices.Equal(p.Fails, o.Fails)
}

// ascending reports whether a list has code points, each once.
func ascending(lists ...[]int) bool {
	for _, list := range lists {
		for i, d := range list {
			if d < 0 || d > 63 || i > 0 && d <= list[i-1] {
				return false
			}
		}
	}
	return true
}
