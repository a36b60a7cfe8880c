// Mutants changes one place of the source at a time and looks whether a test fails:
//
//	go run ./internal/testing/mutants            # 30 of each area
//	go run ./internal/testing/mutants -seed 7 -n 40 calc model
//	go run ./internal/testing/mutants -all calc
//	go run ./internal/testing/mutants -all -each -longest 1s -only '^calc/pool/' calc/pool
//
// A mutant that no test kills is a test that is missing, code that nobody needs, or a change
// that makes no difference; reasons.txt says which. All mutants of a run are compiled at
// once, asleep; a file wakes one. A first run notes which places each test passes with
// another value, so that only those are tried. With -each all tests are run on each mutant, which
// shows those that can be deleted: all of their mutants die by others.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/roceplan/roceplan/internal/stable"
)

var areas = []string{"calc", "model", "emit", "read", "patch", "diff", "verify", "lint"}

func main() {
	var r runner
	flag.Uint64Var(&r.seed, "seed", 1, "which mutants are drawn")
	flag.IntVar(&r.n, "n", 30, "how many of each area")
	flag.BoolVar(&r.all, "all", false, "every mutant")
	flag.StringVar(&r.only, "only", "", "mutants whose line in the report matches this expression")
	flag.BoolVar(&r.each, "each", false, "name every test of a mutant's own package that kills it, and not the first alone")
	flag.BoolVar(&r.elsewhere, "elsewhere", false, "leave out the tests of a mutant's own package")
	second := flag.String("second", ".,./cmd/roceplan", "packages whose tests are run where a package's own let a mutant live")
	flag.DurationVar(&r.longest, "longest", 40*time.Second, "what a test may take; others are left out")
	report := flag.String("report", "", "file to write the report to")
	list := flag.Bool("list", false, "print the mutants and run nothing")
	flag.Parse()
	chosen := flag.Args()
	if len(chosen) == 0 {
		chosen = areas
	}
	if *second != "" {
		r.second = strings.Split(*second, ",")
	}
	if err := r.do(chosen, *list, *report); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A runner is one run over some areas.
type runner struct {
	root   string
	seed   uint64
	n      int
	all    bool
	only   string
	second []string

	longest         time.Duration
	elsewhere, each bool
}

func (r *runner) do(areas []string, list bool, report string) error {
	var err error
	if r.root, err = os.Getwd(); err != nil {
		return err
	}
	var drawn []*area
	var all []*mutant
	for _, name := range areas {
		a, err := r.draw(name)
		if err != nil {
			return err
		}
		drawn = append(drawn, a)
		all = append(all, a.mutants...)
	}
	for i, m := range all {
		m.id = i + 1
	}
	if list {
		for _, m := range all {
			fmt.Println(m.where())
		}
		return nil
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, all, err := r.build(dir, all)
	if err != nil {
		return err
	}
	var outcomes []*outcome
	for _, m := range all {
		o, err := r.judge(b, m)
		if err != nil {
			return err
		}
		outcomes = append(outcomes, o)
		fmt.Println(o)
	}
	return r.report(drawn, outcomes, report)
}

// An area is a folder and the packages below it.
type area struct {
	name    string
	of      int // mutants there are
	mutants []*mutant
}

// draw lists the mutants of an area and takes some of them.
func (r *runner) draw(name string) (*area, error) {
	sources, err := load(r.root, []string{"./" + name + "/..."})
	if err != nil {
		return nil, err
	}
	var all []*mutant
	for _, s := range sources {
		for _, f := range s.files {
			all = append(all, f.mutants()...)
		}
	}
	a := &area{name: name, of: len(all)}
	if r.only != "" {
		only, err := regexp.Compile(r.only)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(m *mutant) bool { return !only.MatchString(m.where()) })
	}
	if a.mutants = all; !r.all {
		h := fnv.New64a()
		h.Write([]byte(name))
		rng := rand.New(rand.NewPCG(r.seed, h.Sum64()))
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		a.mutants = all[:min(r.n, len(all))]
	}
	stable.Sort(a.mutants, func(a, b *mutant) int {
		if a.file != b.file {
			return strings.Compare(a.file.name, b.file.name)
		}
		return int(a.node.Pos() - b.node.Pos())
	})
	return a, nil
}

var faulty = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`)

// build weaves and compiles. A place where the woven text is not a Go is left out, and said.
func (r *runner) build(dir string, all []*mutant) (*bench, []*mutant, error) {
	packages := make(map[string]bool)
	for _, m := range all {
		packages[m.file.of.ImportPath] = true
	}
	b := &bench{root: r.root, dir: dir, control: filepath.Join(dir, "alive"), longest: r.longest, binaries: make(map[string]*binary)}
	for range 10 {
		var err error
		if b.overlay, err = overlay(r.root, dir, b.control, all); err != nil {
			return nil, nil, err
		}
		_, err = command(r.root, "go", append([]string{"build", "-gcflags=-e", "-overlay", b.overlay}, keys(packages)...)...)
		if err == nil {
			return b, all, nil
		}
		left := slices.DeleteFunc(slices.Clone(all), func(m *mutant) bool {
			for _, at := range faulty.FindAllStringSubmatch(err.Error(), -1) {
				line, _ := strconv.Atoi(at[2])
				if sameFile(m.file.name, filepath.Clean(at[1])) && m.file.line(m.node.Pos()) <= line && line <= m.file.line(m.node.End()) {
					fmt.Fprintln(os.Stderr, "cannot be woven:", m.where())
					return true
				}
			}
			return false
		})
		if len(left) == len(all) {
			return nil, nil, err
		}
		all = left
	}
	return nil, nil, fmt.Errorf("the woven text does not compile")
}

// sameFile reports whether the compiler's name of a file, below the package or as it was
// woven, is that of a file below the module's root.
func sameFile(name, compiled string) bool {
	return strings.HasSuffix(name, compiled) || strings.HasSuffix(compiled, "/"+name)
}

func keys(set map[string]bool) []string {
	var all []string
	for k := range set {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// An outcome is the result of a mutant.
type outcome struct {
	*mutant
	by     string // the test that killed it; empty: it lives
	second bool   // by a test of another package
	passed int    // tests that pass its place
}

func (o *outcome) String() string {
	fate := "LIVES"
	switch {
	case o.by != "" && o.second:
		fate = "killed elsewhere"
	case o.by != "":
		fate = "killed"
	case o.passed == 0:
		fate = "LIVES, no test passes it"
	}
	return fmt.Sprintf("%-16s %s [%d] %s", fate, o.where(), o.file.line(o.node.Pos()), o.by)
}

func (r *runner) judge(b *bench, m *mutant) (*outcome, error) {
	o := &outcome{mutant: m}
	for i, p := range append([]string{m.file.of.ImportPath}, r.second...) {
		if i == 0 && r.elsewhere {
			continue
		}
		t, err := b.compile(p)
		if err != nil {
			return nil, err
		}
		by, passed := b.kill(m, t, r.each && i == 0)
		o.passed += passed
		if by != "" {
			o.by, o.second = by, i > 0
			return o, nil
		}
	}
	return o, nil
}
