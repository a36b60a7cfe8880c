package readtest

import (
	"cmp"
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

// Meaning says what a text's numbers and lines mean to who reads it: for each of them, which of
// the values that are read are other ones when the number is one more, or the line is not
// there. Of lines that differ in nothing but numbers, the first stands for all.
func Meaning(text string, values func(text string) map[string]string) string {
	var out strings.Builder
	m := meaning{values: values, base: values(text)}
	seen, at := map[string]bool{}, 0
	for line := range strings.Lines(text) {
		before, after := text[:at], text[at+len(line):]
		at += len(line)
		shape := numbers.ReplaceAllString(line, "0")
		if seen[shape] || strings.TrimSpace(line) == "" {
			continue
		}
		seen[shape] = true
		m.tell(&out, "without "+strings.TrimSpace(line), before+after)
		for _, n := range numbers.FindAllStringIndex(line, 4) {
			edited := line[:n[0]] + more(line[n[0]:n[1]]) + line[n[1]:]
			m.tell(&out, "with "+strings.TrimSpace(edited), before+edited+after)
		}
	}
	return out.String()
}

var numbers = regexp.MustCompile(`\b[0-9]+`)

// more is a number whose last digit is the next one.
func more(n string) string {
	last := n[len(n)-1]
	return n[:len(n)-1] + string('0'+(last-'0'+1)%10)
}

type meaning struct {
	values func(text string) map[string]string
	base   map[string]string
}

// tell prints the first few of the values that an edited file has other ones of.
func (m *meaning) tell(out *strings.Builder, edit, text string) {
	now := m.values(text)
	var changed []string
	for _, values := range []map[string]string{m.base, now} {
		for path := range values {
			if m.base[path] != now[path] {
				changed = append(changed, path)
			}
		}
	}
	changed = findingsFirst(changed)
	fmt.Fprintf(out, "  %.100s\n", edit)
	if len(changed) > 12 {
		fmt.Fprintln(out, "      many values") // how many changes with every field that a plan gets
	}
	for _, path := range changed[:min(len(changed), 2)] {
		fmt.Fprintf(out, "      %s: %.60q is %.60q\n", path, m.base[path], now[path])
	}
}

// fileValues returns a reader's result for a file: the values of the switch by their way, findings,
// and the number of modelled statements.
func fileValues(format read.Format, name, text string) map[string]string {
	values := map[string]string{}
	r := format.Read(name, []byte(text), read.Options{})
	Found(values, r.Found)
	for _, sort := range []read.Sort{read.Modelled, read.Neutral, read.Unmodelled} {
		values[fmt.Sprint("ledger ", sort)] = fmt.Sprint(r.Ledger.Count(sort))
	}
	if r.Switch != nil {
		Values(values, r.Switch)
	}
	return values
}

// Found adds findings to the values of a text.
func Found(values map[string]string, found diag.List) {
	for _, d := range found {
		values["finding "+string(d.Code)] += d.Message
	}
}

// Values adds what of a switch, or of a plan, is not nothing, by its way from the top.
func Values(values map[string]string, of any) { collect(values, reflect.ValueOf(of), "") }

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

// findingsFirst sorts names, each once: findings are of more interest than values that are gone.
func findingsFirst(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		told := func(name string) int {
			if strings.HasPrefix(name, "finding ") {
				return 0
			}
			return 1
		}
		return cmp.Or(told(a)-told(b), strings.Compare(a, b))
	})
	return slices.Compact(names)
}

// HoldFiles compares what the lines of files mean to a reader with a golden file.
func HoldFiles(t *testing.T, golden string, format read.Format, paths ...string) {
	t.Helper()
	var got strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s\n%s", strings.TrimPrefix(filepath.ToSlash(path), "../../"), Meaning(string(text), func(text string) map[string]string {
			return fileValues(format, filepath.Base(path), text)
		}))
	}
	Golden(t, golden, got.String())
}

// Golden compares a text with a file, which the flag -update of the package's own tests writes
// again.
func Golden(t *testing.T, golden, got string) {
	t.Helper()
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
