package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/roceplan/roceplan/internal/stable"
)

// A bench runs the tests of woven packages.
type bench struct {
	root, dir, overlay, control string

	// longest is the time limit of a test, or of one of its parts: a change that no quicker test
	// sees would not be noticed at work.
	longest time.Duration

	binaries map[string]*binary // by import path
}

// A binary is the compiled tests of one package.
type binary struct {
	path, dir string
	flags     []string
	tests     []*test
}

// A test is one function of a package's tests.
type test struct {
	of     *binary
	name   string
	takes  time.Duration
	passes map[int]bool // mutants whose places it passes
}

// compile builds the tests of a package, nil if it has none.
func (b *bench) compile(importPath string) (*binary, error) {
	if t, ok := b.binaries[importPath]; ok {
		return t, nil
	}
	out, err := command(b.root, "go", "list", "-f", `{{.Dir}} {{len .TestGoFiles}}{{len .XTestGoFiles}}`, importPath)
	if err != nil {
		return nil, err
	}
	dir, tests, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	b.binaries[importPath] = nil
	if tests == "00" {
		return nil, nil
	}
	t := &binary{path: filepath.Join(b.dir, strings.ReplaceAll(importPath, "/", "_")+".test"), dir: dir}
	if _, err := command(b.root, "go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", t.path, importPath); err != nil {
		return nil, err
	}
	if told, _ := command(dir, "sh", "-c", `"$0" -help 2>&1 || true`, t.path); strings.Contains(string(told), "-rapid.shrinktime") {
		// A random test that fails has killed; the smallest input is of no interest.
		t.flags = append(t.flags, "-rapid.nofailfile", "-rapid.shrinktime=1ms")
	}
	b.binaries[importPath] = t
	return t, b.trace(t)
}

// Tests that take longer are split into their parts.
const slow = 4 * time.Second

// trace runs each test by itself, and notes how long it takes and which places it passes.
func (b *bench) trace(t *binary) error {
	out, err := command(t.dir, t.path, "-test.list", ".")
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(string(out)) {
		if !regexp.MustCompile(`^(Test|Fuzz|Example)`).MatchString(name) {
			continue
		}
		one, parts := b.pass(t, "^"+name+"$")
		switch {
		case one == nil && len(parts) < 2:
			fmt.Fprintf(os.Stderr, "  %s fails without mutants, or takes more than %v; left out\n", name, b.longest)
			continue
		case one != nil && len(one.passes) == 0:
			continue
		case one != nil && (one.takes < slow || len(parts) < 2):
			t.tests = append(t.tests, one)
			continue
		}
		for _, part := range parts {
			if each, _ := b.pass(t, part); each != nil && len(each.passes) > 0 {
				t.tests = append(t.tests, each)
			}
		}
	}
	stable.Sort(t.tests, func(a, b *test) int { return int(a.takes - b.takes) })
	return nil
}

var started = regexp.MustCompile(`(?m)^=== RUN   ([^/\s]+)/([^/\s]+)$`)

// pass runs tests with all mutants asleep; nil if they fail or take too long. parts are
// patterns of their subtests, those of a test that takes too long as far as they had begun.
func (b *bench) pass(t *binary, pattern string) (one *test, parts []string) {
	passed := b.control + ".passed"
	os.Remove(passed)
	begin := time.Now()
	out, err := b.run(t, pattern, "trace", b.longest)
	for _, m := range started.FindAllStringSubmatch(out, -1) {
		parts = append(parts, "^"+m[1]+"$/^"+regexp.QuoteMeta(m[2])+"$")
	}
	if err != nil {
		return nil, parts
	}
	one = &test{of: t, name: pattern, takes: time.Since(begin), passes: make(map[int]bool)}
	text, _ := os.ReadFile(passed)
	for _, id := range strings.Fields(string(text)) {
		n, _ := strconv.Atoi(id)
		one.passes[n] = true
	}
	return one, parts
}

// run runs tests with a mutant alive, or "trace".
func (b *bench) run(t *binary, pattern, alive string, limit time.Duration) (out string, err error) {
	if err := os.WriteFile(b.control, []byte(alive), 0o666); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.path, append([]string{"-test.run", pattern, "-test.v", "-test.failfast", "-test.short"}, t.flags...)...)
	cmd.Dir = t.dir
	// Nothing but the clone: a mutant that outside truth alone would kill is alive for everybody else.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "CI=") }), "ROCEPLAN_SHARED="+b.dir+"/nothing")
	cmd.WaitDelay = time.Second
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = errTime
	}
	return string(text), err
}

// errTime is a run that did not end: a mutant that loops is as dead as one that answers wrong.
var errTime = errors.New("time is up")

// kill runs the tests that pass a mutant's place, quickest first, until one fails, and
// returns its name; empty if none does. With each it runs all, and names all that fail.
func (b *bench) kill(m *mutant, t *binary, each bool) (by string, passed int) {
	if t == nil {
		return "", 0
	}
	var killers []string
	for _, one := range t.tests {
		if !one.passes[m.id] {
			continue
		}
		passed++
		_, err := b.run(t, one.name, strconv.Itoa(m.id), 20*time.Second+5*one.takes)
		switch {
		case err == nil:
			continue
		case errors.Is(err, errTime):
			killers = append(killers, "time, "+one.name)
		default:
			killers = append(killers, one.name)
		}
		if !each {
			return killers[0], passed
		}
	}
	return strings.Join(killers, " "), passed
}
