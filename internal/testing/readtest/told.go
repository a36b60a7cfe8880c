package readtest

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// Told returns all that a reader makes of a file, a line for each value that is not nothing with
// the place that says it, for each finding, and for each statement of the ledger.
func Told(r read.Result) (all []string) {
	if r.Switch != nil {
		told(&all, "", reflect.ValueOf(r.Switch).Elem())
	}
	for _, d := range r.Found {
		line := fmt.Sprintf("%s %s[%s] %s", place(d.Subject), d.Severity, d.Code, d.Message)
		if d.Fix != "" {
			line += "; fix: " + d.Fix
		}
		if d.Meant != "" {
			line += "; meant: " + d.Meant
		}
		for _, n := range d.Related {
			line += fmt.Sprintf("; note %s %s", place(n.Range), n.Message)
		}
		all = append(all, line)
	}
	for _, s := range r.Ledger.Statements {
		line := fmt.Sprintf("%s %s: %s", place(s.At), s.Text, s.Sort)
		if s.Rule != "" {
			line += " by " + s.Rule
		}
		if s.Why != "" {
			line += ": " + s.Why
		}
		line += touched(s.Touches)
		all = append(all, line)
	}
	return all
}

func touched(s read.Scope) (line string) {
	for _, part := range []struct {
		name  string
		value any
		zero  bool
	}{
		{"ports", s.Ports, s.Ports == nil}, {"queues", fmt.Sprintf("%b", s.Queues), s.Queues == 0}, {"groups", fmt.Sprintf("%b", s.PGs), s.PGs == 0},
		{"classes", fmt.Sprintf("%b", s.TCs), s.TCs == 0}, {"code points", fmt.Sprintf("%x", s.DSCPs), s.DSCPs == 0},
	} {
		if !part.zero {
			line += fmt.Sprintf("; touches %s %v", part.name, part.value)
		}
	}
	return line
}

// place is a range as people write it, with the offsets where they are not of the same text as
// lines and columns: "3:7-20".
func place(r diag.Range) string {
	if r.Filename == "" {
		return "nowhere"
	}
	if r.Start.Line == r.End.Line && r.End.Byte-r.Start.Byte == r.End.Column-r.Start.Column {
		return fmt.Sprintf("%d:%d-%d(%d)", r.Start.Line, r.Start.Column, r.End.Column, r.Start.Byte)
	}
	return fmt.Sprintf("%d:%d-%d:%d(%d-%d)", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, r.Start.Byte, r.End.Byte)
}

func told(all *[]string, path string, v reflect.Value) {
	switch t := v.Type(); {
	case t == reflect.TypeFor[diag.Range]():
		if r := v.Interface().(diag.Range); r.Filename != "" {
			*all = append(*all, path+" "+place(r))
		}
	case v.Kind() == reflect.Struct && v.FieldByName("Why").IsValid(): // a plan.Derived
		if w := v.FieldByName("Why").Interface().(*plan.Why); w != nil || !v.FieldByName("Value").IsZero() {
			line := fmt.Sprintf("%s = %v", path, v.FieldByName("Value").Interface())
			if w != nil {
				line += strings.TrimRight(fmt.Sprintf(" by the %s %v %s %s", w.Name, w.Value, place(w.Range), w.Note), " ")
			}
			*all = append(*all, line)
		}
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			told(all, path, v.Elem())
			if v.Elem().IsZero() {
				*all = append(*all, path+" is there")
			}
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := t.Field(i); f.IsExported() {
				told(all, strings.TrimPrefix(path+"."+f.Name, "."), v.Field(i))
			}
		}
	case v.Kind() == reflect.Array && t.Elem().Kind() != reflect.Struct:
		if line := runs(v); line != "" {
			*all = append(*all, path+" = "+line)
		}
	case v.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Struct:
		if v.Len() > 0 {
			*all = append(*all, fmt.Sprintf("%s = %v", path, v.Interface()))
		}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		for i := range v.Len() {
			told(all, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case !v.IsZero():
		*all = append(*all, fmt.Sprintf("%s = %v", path, v.Interface()))
	}
}

// runs lists the values of an array, those that are alike together; empty where all are nothing.
func runs(v reflect.Value) string {
	if v.IsZero() {
		return ""
	}
	var out []string
	for from, to := 0, 0; from < v.Len(); from = to {
		for to = from + 1; to < v.Len() && v.Index(to).Equal(v.Index(from)); to++ {
		}
		out = append(out, fmt.Sprintf("%d-%d: %v", from, to-1, v.Index(from).Interface()))
	}
	return strings.Join(out, ", ")
}

// without returns the lines that the one list has more of than the other, in order.
func without(all, less []string) (out []string) {
	have := map[string]int{}
	for _, line := range less {
		have[line]++
	}
	for _, line := range all {
		if have[line]--; have[line] < 0 {
			out = append(out, line)
		}
	}
	return out
}

// toldOfText returns all that a format makes of a text: what its reader does, whose it is, and what its
// device decides by the model of a box.
func toldOfText(format read.Format, text string) []string {
	r := format.Read("x", []byte(text), read.Options{})
	all := Told(r)
	name, at := format.Device([]byte(text))
	all = append(all, fmt.Sprintf("device %q at %d; recognized: %t", name, at, format.Recognize([]byte(text)) != nil))
	if format.Complete != nil && r.Switch != nil {
		was := Told(r)
		if _, err := format.Complete(r.Switch, "tomahawk5"); err != nil {
			all = append(all, err.Error())
		}
		all = append(all, prefixed("on a Tomahawk 5: ", without(Told(r), was))...)
	}
	return all
}

// holdTold compares a reader's results for the texts of a file with the expected results below each of them. A
// text begins after a line "=== TITLE" and ends before a line "---". After "=== + TITLE" come changes of the
// text before, "OLD => NEW" in lines, OLD empty for an addition to its end: results that both have are not
// repeated, nor are there more than 30 lines. -update writes the file again.
//
// A line "want FRAGMENT" of a text is written by hand, from a source or from arithmetic: one of the
// lines of the result must contain it.
func holdTold(t *testing.T, path string, format read.Format) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	var base []string
	var whole string
	head, rest, _ := strings.Cut(string(file), "=== ")
	got.WriteString(head)
	for c := range strings.SplitSeq(strings.TrimRight(rest, "\n"), "\n=== ") {
		title, text, _ := strings.Cut(c, "\n")
		text, _, _ = strings.Cut(text+"\n", "\n---\n")
		fmt.Fprintf(&got, "=== %s\n%s\n---\n", title, text)
		text, wanted := withoutWanted(text)
		if strings.HasPrefix(title, "+") {
			text = changedText(t, whole, text)
		} else {
			base, whole = nil, unescaped(text)+"\n"
			text = whole
		}
		all := toldOfText(format, text)
		if base != nil {
			all = columns(all)
		}
		shown := slices.Concat(prefixed("- ", without(base, all)), prefixed("+ ", without(all, base)))
		for _, want := range wanted {
			if !slices.ContainsFunc(all, func(line string) bool { return strings.Contains(line, want) }) {
				t.Errorf("%s, %s: nothing that is told has %q:\n%s", path, c, want, strings.Join(first(30, shown), "\n"))
			}
		}
		if base != nil {
			shown = first(30, shown)
		}
		for _, line := range shown {
			fmt.Fprintln(&got, line)
		}
		if base == nil {
			base = columns(all)
		}
	}
	Golden(t, path, got.String())
}

// withoutWanted parts a text of the file from what is wanted of it.
func withoutWanted(all string) (text string, wanted []string) {
	var kept []string
	for line := range strings.SplitSeq(all, "\n") {
		if want, ok := strings.CutPrefix(line, "want "); ok {
			wanted = append(wanted, want)
		} else {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n"), wanted
}

func changedText(t *testing.T, whole, changes string) string {
	for line := range strings.SplitSeq(changes, "\n") {
		was, now, ok := strings.Cut(line, "=> ")
		was, now = unescaped(strings.TrimSuffix(was, " ")), unescaped(now)
		switch {
		case !ok || !strings.Contains(whole, was):
			t.Fatalf("%q changes nothing", line)
		case was == "":
			whole += now + "\n"
		default:
			whole = strings.Replace(whole, was, now, 1)
		}
	}
	return whole
}

// unescaped is a text in which a reader of the file can see what bytes are: \xff, \n, \t and \r.
func unescaped(text string) string {
	return strings.NewReplacer(`\xff`, "\xff", `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(text)
}

// toldOfForms writes what each form changes: in the lines of a file where it stands, and where blanks do.
func toldOfForms(format read.Format, used string, all []Form) string {
	var out strings.Builder
	mode := "\x00"
	for _, f := range all {
		if f[0] != mode {
			mode = f[0]
			fmt.Fprintf(&out, "\n=== %s\n", strings.ReplaceAll(mode, "\n", " / "))
		}
		with, _ := f.text(used, f[1])
		blank, _ := f.text(used, strings.Repeat(" ", len(f[1])))
		now, was := Told(format.Read("x", []byte(with), read.Options{})), Told(format.Read("x", []byte(blank), read.Options{}))
		fmt.Fprintf(&out, "%s\n", f[1])
		for _, line := range slices.Concat(prefixed("  - ", without(was, now)), prefixed("  + ", without(now, was))) {
			fmt.Fprintln(&out, line)
		}
	}
	return out.String()
}

func prefixed(by string, lines []string) (out []string) {
	for _, line := range lines {
		out = append(out, by+line)
	}
	return out
}

// text is a file with a line in place of the form's, and that line's number.
func (f Form) text(used, line string) (text string, at int) {
	if f[0] == "" {
		return line + "\n", 1
	}
	return f[0] + "\n      " + line + "\n" + used, 2 + strings.Count(f[0], "\n")
}
