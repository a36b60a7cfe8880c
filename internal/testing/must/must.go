// Package must ends a test at an error that it does not expect, and reports values that it does not expect.
package must

import (
	"fmt"
	"strings"
)

// A TB is a test, a benchmark or a check of a property.
type TB interface {
	Helper()
	Fatal(args ...any)
	Error(args ...any)
}

// Do ends the test if err is not nil.
func Do(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get gives what a call returned, and ends the test if there was an error:
//
//	text := must.Get(os.ReadFile(path))(t)
func Get[V any](v V, err error) func(TB) V {
	return func(t TB) V {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Sound gives what a call returned, and ends the test if errors are among what it found:
//
//	catalogue := must.Sound(chips.Load())(t)
func Sound[V any, L interface{ HasErrors() bool }](v V, found L) func(TB) V {
	return func(t TB) V {
		t.Helper()
		if found.HasErrors() {
			t.Fatal(found)
		}
		return v
	}
}

// Equal reports a value that is not the one that is wanted. The test goes on.
func Equal[V comparable](t TB, got, want V) {
	if got != want {
		t.Helper()
		t.Error(unequal(got, want))
	}
}

// Equalf does as [Equal], with words in front of the two values.
func Equalf[V comparable](t TB, got, want V, format string, args ...any) {
	if got != want {
		t.Helper()
		t.Error(fmt.Sprintf(format, args...), unequal(got, want))
	}
}

// NoDiff reports the differences that cmp.Diff found. The test goes on.
func NoDiff(t TB, diff string) {
	if diff != "" {
		t.Helper()
		t.Error(diff)
	}
}

// NoDiffIn does as [NoDiff], with words in front of the differences.
func NoDiffIn(t TB, diff, format string, args ...any) {
	if diff != "" {
		t.Helper()
		t.Error(fmt.Sprintf(format, args...), diff)
	}
}

// unequal returns the words for two values; a text of one line is quoted.
func unequal[V any](got, want V) string {
	words := "%+v, want %+v"
	if text, ok := any(got).(string); ok && strings.Contains(text, "\n") {
		words = "\n%s\nwant\n%s"
	} else if ok {
		words = "%q, want %q"
	}
	return fmt.Sprintf(words, got, want)
}
