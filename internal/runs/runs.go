// Package runs stores the results of runs of the simulator, by the inputs on which they depend: a
// run that was made before, by any caller, is not made again, and a search that was interrupted
// goes on where it was.
package runs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// A Store is a folder of outcomes, a file of JSON each. Several programs may use it at once. The nil
// Store keeps nothing.
type Store struct {
	folder  string
	version string // of the program: the same scenario has another outcome under another engine
	Found   atomic.Int64
}

// Open takes a folder, which need not be there yet, for a version of the program.
func Open(folder, version string) *Store { return &Store{folder: folder, version: version} }

// OfProgram opens a folder for the program that runs, by its digest.
func OfProgram(folder string) (*Store, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return nil, err
	}
	return Open(folder, hex.EncodeToString(sum.Sum(nil))), nil
}

// Run is [pattern.Run] of jobs that are not stored yet. An ended run is kept at once, so that an
// interrupt loses no more than the runs that are under way. Measurements are kept, and judged again
// when they are found; of a run that is made again and longer, each one is kept. Jobs must not be
// detailed, and their Prepare must change nothing that the outcome holds.
func (s *Store) Run(ctx context.Context, jobs []pattern.Job, done func()) ([]pattern.Outcome, error) {
	if s == nil {
		return pattern.Run(ctx, jobs, done)
	}
	return pattern.RunBy(ctx, jobs, done, s.one)
}

func (s *Store) one(ctx context.Context, job *pattern.Job, cores int) (pattern.Outcome, error) {
	if !job.Fits() {
		return job.Once(ctx, cores)
	}
	sc, messages := job.Build()
	found := false
	out, err := kept(s, "", job, sc, messages, &found, func() (pattern.Outcome, error) { return job.Once(ctx, cores) })
	if found {
		job.Judge(&out, sc, messages)
	}
	return out, err
}

// Kept returns the result of make for a job's run, or for an equal one that was made before. The
// name separates the results of several callers for one run. T must survive JSON.
func Kept[T any](s *Store, name string, job *pattern.Job, make func() (T, error)) (T, error) {
	if s == nil || !job.Fits() {
		return make()
	}
	sc, messages := job.Build()
	return kept(s, name, job, sc, messages, new(bool), make)
}

func kept[T any](s *Store, name string, job *pattern.Job, sc *sim.Scenario, messages int, found *bool, make func() (T, error)) (T, error) {
	var known T
	key, err := s.key(name, job, sc, messages)
	if err != nil {
		return known, err
	}
	file := filepath.Join(s.folder, key[:2], key+".json")
	text, err := regular.Read(file)
	if err == nil {
		if opened(text, &known) {
			s.Found.Add(1)
			*found = true
			return known, nil
		} // a file that was cut or changed is made again
	} else if !errors.Is(err, fs.ErrNotExist) {
		return known, err
	}
	made, err := make()
	if err != nil {
		return made, err
	}
	err = write(file, &made)
	return made, err
}

// digest returns the SHA-256 of a text in hexadecimal, the first line of its file: a file that does not fit it was
// changed by others.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// opened reads a file, and reports whether it is one that [write] wrote.
func opened(file []byte, into any) bool {
	sum, text, _ := bytes.Cut(file, []byte("\n"))
	return string(sum) == digest(text) && json.Unmarshal(text, into) == nil
}

// write puts a file there whole or not at all.
func write[T any](name string, o *T) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	text = append([]byte(digest(text)+"\n"), text...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), "new-*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), name)
}

// key returns the digest of all inputs of an outcome: those of the simulator, message by message,
// and the goals by which its result is judged.
func (s *Store) key(name string, job *pattern.Job, sc *sim.Scenario, messages int) (string, error) {
	own, net := *sc, *job.Network
	own.Observe, own.Cores = nil, 0 // what is measured is the same in all jobs, and so are results on any number of cores
	net.Scenario = sim.Scenario{}   // own is that with messages
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s%s %d %d\n", s.version, job.Scenario.Name, name, job.Seed, messages) // a run without messages has no seed but the job's
	to := json.NewEncoder(sum)
	for _, part := range []any{job.Scenario, &own, &net} {
		if err := to.Encode(part); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
