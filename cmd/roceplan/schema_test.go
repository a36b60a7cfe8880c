package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkedMain runs the program as scripts call it. What it prints with --json must be as the
// schema of the command says, or the script fails.
func checkedMain() {
	if !slices.Contains(os.Args, "--json") {
		main()
		return
	}
	os.Exit(checkedRun(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

// checkedRun is run, which ends with 97 where it prints JSON that does not fit.
func checkedRun(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	if !slices.Contains(args, "--json") {
		return run(args, stdin, stdout, stderr, env)
	}
	var out bytes.Buffer
	code := run(args, stdin, &out, stderr, env)
	stdout.Write(out.Bytes())
	if err := fitsSchema(args, out.Bytes()); err != nil {
		fmt.Fprintln(stderr, "the output does not fit its schema:", err)
		return 97
	}
	return code
}

// fitsSchema checks an output against the schema of the command that was called. A call that
// is wrong has no command.
func fitsSchema(args []string, out []byte) error {
	var line commandLine
	parser := newParser(&line, &terminal{out: bufio.NewWriter(io.Discard), err: io.Discard}, func(int) {})
	call, err := parser.Parse(args)
	if err != nil || len(out) == 0 {
		return nil
	}
	command := strings.TrimPrefix(call.Selected().Path(), "roceplan ")
	s, err := schemaOf(command, outputs()[command])
	if err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(out, &value); err != nil {
		return err
	}
	return resolved.Validate(value)
}

// Every command has a schema, except for those that print no JSON. The schemas are golden, so
// that a review sees what changes for programs.
func TestSchemas(t *testing.T) {
	var line commandLine
	parser := newParser(&line, &terminal{out: bufio.NewWriter(io.Discard), err: io.Discard}, func(int) {})
	all := outputs()
	known := map[string]bool{}
	for _, leaf := range parser.Model.Leaves(true) {
		command := strings.TrimPrefix(leaf.Path(), "roceplan ")
		known[command] = true
		if _, has := all[command]; !has && !slices.Contains([]string{"lsp", "mcp", "schema", "completion", "help"}, command) {
			t.Errorf("%s has no schema", command)
		}
	}
	for command, types := range all {
		if !known[command] {
			t.Errorf("there is no command %s", command)
		}
		s, err := schemaOf(command, types)
		check(t, err)
		text, err := json.MarshalIndent(s, "", " ")
		check(t, err)
		path := filepath.Join("../../golden/schema", strings.ReplaceAll(command, " ", "-")+".json")
		if *update {
			check(t, os.MkdirAll(filepath.Dir(path), 0o777))
			check(t, os.WriteFile(path, append(text, '\n'), 0o666))
		}
		want, err := os.ReadFile(path)
		check(t, err)
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(text)+"\n", "\n")); diff != "" {
			t.Errorf("%s (-golden +code); removing or changing fields breaks programs; if only added, -update:\n%s", path, diff)
		}
	}
	if files := glob(t, "../../golden/schema/*.json"); len(files) != len(all) {
		t.Errorf("golden/schema has %d files for %d commands", len(files), len(all))
	}
}

// A schema refuses what it does not describe: an unknown field, a number for a text.
func TestSchemaRefuses(t *testing.T) {
	for text, fits := range map[string]bool{
		`{"diagnostics": []}`: true,
		`{"diagnostics": [{"severity": "error", "code": "x", "message": "y"}]}`: true,
		`{"error": "no file", "diagnostics": []}`:                               true,
		`{"diagnostics": [{"severity": 1, "code": "x", "message": "y"}]}`:       false,
		`{"diagnostics": [], "more": 1}`:                                        false,
		`{}`:                                                                    false,
	} {
		if err := fitsSchema([]string{"check", "fabric.hcl", "--json"}, []byte(text)); (err == nil) != fits {
			t.Errorf("%s: %v", text, err)
		}
	}
}
