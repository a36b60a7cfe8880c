package readtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// Meaning says what a file's numbers and lines mean to a reader: for each of them, what of the
// switch that is read is another one when the number is one more, or the line is not there.
// Of lines that differ in nothing but numbers, the first stands for all.
func Meaning(t *testing.T, format read.Format, paths ...string) string {
	t.Helper()
	var out strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := meaning{format: format, name: filepath.Base(path), base: map[string]string{}, seen: map[string]bool{}}
		m.base = m.read(string(text))
		fmt.Fprintf(&out, "%s\n", strings.TrimPrefix(filepath.ToSlash(path), "../../"))
		at := 0
		for line := range strings.Lines(string(text)) {
			before, after := string(text[:at]), string(text[at+len(line):])
			at += len(line)
			shape := numbers.ReplaceAllString(line, "0")
			if m.seen[shape] || strings.TrimSpace(line) == "" {
				continue
			}
			m.seen[shape] = true
			m.tell(&out, "without "+strings.TrimSpace(line), before+after)
			for _, n := range numbers.FindAllStringIndex(line, 4) {
				edited := line[:n[0]] + more(line[n[0]:n[1]]) + line[n[1]:]
				m.tell(&out, "with "+strings.TrimSpace(edited), before+edited+after)
			}
		}
	}
	return out.String()
}

var numbers = regexp.MustCompile(`\b[0-9]+\b`)

// more is a number whose last digit is the next one.
func more(n string) string {
	last := n[len(n)-1]
	return n[:len(n)-1] + string('0'+(last-'0'+1)%10)
}

type meaning struct {
	format read.Format
	name   string
	base   map[string]string
	seen   map[string]bool // shapes of lines
}

// tell prints the first few of the values that an edited file has other ones of.
func (m *meaning) tell(out *strings.Builder, edit, text string) {
	now := m.read(text)
	var changed []string
	for _, values := range []map[string]string{m.base, now} {
		for path := range values {
			if m.base[path] != now[path] {
				changed = append(changed, path)
			}
		}
	}
	changed = sortedSet(changed)
	fmt.Fprintf(out, "  %.100s\n", edit)
	if len(changed) > 12 {
		fmt.Fprintf(out, "      %d values\n", len(changed))
	}
	for _, path := range changed[:min(len(changed), 2)] {
		fmt.Fprintf(out, "      %s: %.60q is %.60q\n", path, m.base[path], now[path])
	}
}

// read is what a reader makes of a text: the values of the switch by their way, and findings.
func (m *meaning) read(text string) map[string]string {
	values := map[string]string{}
	r := m.format.Read(m.name, []byte(text), read.Options{})
	for _, d := range r.Found {
		values["finding "+string(d.Code)] += d.Message
	}
	for _, sort := range []read.Sort{read.Modelled, read.Neutral, read.Unmodelled} {
		values[fmt.Sprint("ledger ", sort)] = fmt.Sprint(r.Ledger.Count(sort))
	}
	if r.Switch != nil {
		collect(values, reflect.ValueOf(r.Switch), "")
	}
	return values
}

// collect lists what is not nothing.
func collect(values map[string]string, v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*plan.Why]() {
			collect(values, v.Elem(), path)
		}
	case reflect.Struct:
		if t := v.Type(); t == reflect.TypeFor[diag.Range]() || t == reflect.TypeFor[plan.MapPlaces]() {
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				collect(values, v.Field(i), strings.TrimPrefix(path+"."+f.Name, "."))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			collect(values, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	default:
		if !v.IsZero() {
			values[strings.ReplaceAll(path, ".Value", "")] = fmt.Sprint(v.Interface())
		}
	}
}

func sortedSet(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}

// HoldMeaning compares Meaning with a golden file, which the flag -update of the package's own
// tests writes anew.
func HoldMeaning(t *testing.T, golden string, format read.Format, paths ...string) {
	t.Helper()
	got := Meaning(t, format, paths...)
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-golden +read); -update rewrites it:\n%s", golden, diff)
	}
}
