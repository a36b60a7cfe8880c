package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/model/sim/hpcc"
)

// docs/sim-results.md explains every field that sim prints, and none that it does not.
func TestResultsPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/sim-results.md")
	check(t, err)
	fields := map[string]bool{}
	for _, of := range []any{jsonPatterns{}, hpcc.Report{}, record.Line{}} {
		jsonFields(reflect.TypeOf(of), fields)
	}
	if len(fields) < 80 {
		t.Fatalf("%d fields found, too few to mean anything", len(fields))
	}
	told := map[string]bool{}
	word := regexp.MustCompile("`([a-z0-9_]+)`")
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, match := range word.FindAllStringSubmatch(cells[1], -1) {
			told[match[1]] = true
		}
	}
	for name := range fields {
		if !told[name] {
			t.Errorf("docs/sim-results.md does not explain %q", name)
		}
	}
	for name := range told {
		if !fields[name] {
			t.Errorf("docs/sim-results.md explains %q, which no result has", name)
		}
	}
}

// jsonFields collects the names of a type's fields and of what they hold. What tune prints
// has a page of its own.
func jsonFields(of reflect.Type, names map[string]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		jsonFields(of.Elem(), names)
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case name == "-" || !f.IsExported() && !f.Anonymous:
				continue
			case name != "":
				names[name] = true
			}
			if name != "tuning" {
				jsonFields(f.Type, names)
			}
		}
	}
}
