// Package must ends a test at an error that it does not expect.
package must

// A TB is a test, a benchmark or a check of a property.
type TB interface {
	Helper()
	Fatal(args ...any)
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
