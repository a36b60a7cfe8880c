// Package site is called by woven code at each place that a mutant changes: it does as the source
// says, unless that place's mutant is the one under test. All mutants of a run are compiled once,
// and a file says which of them is alive.
package site

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"sync"
)

// The state of a process under test: which mutant is alive (0: none), and whether places
// that are passed are written down. It is read once, before anything else runs.
var (
	alive, tracing = read()
	passed         sync.Map
)

// read reads the file named by control: the number of a mutant, or "trace".
func read() (alive int, tracing bool) {
	text, err := os.ReadFile(control)
	if err != nil {
		return 0, false
	}
	if string(text) == "trace" {
		return 0, true
	}
	alive, err = strconv.Atoi(string(text))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", control, err))
	}
	return alive, false
}

// On reports whether mutant id is under test. Places ask only where the mutant's value
// differs, so a place that no test passes is one where no test could tell.
func On(id int) bool {
	if tracing {
		trace(id)
	}
	return id == alive
}

// trace appends id to the list of places that were passed, once for each process.
func trace(id int) {
	if _, known := passed.LoadOrStore(id, true); known {
		return
	}
	out, err := os.OpenFile(control+".passed", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	fmt.Fprintln(out, id)
}

// A Number can be added and multiplied.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// Less is a < b, the mutant a <= b.
func Less[T cmp.Ordered](id int, a, b T) bool { return a < b || a == b && On(id) }

// LessEqual is a <= b, the mutant a < b.
func LessEqual[T cmp.Ordered](id int, a, b T) bool { return a < b || a == b && !On(id) }

// Greater is a > b, the mutant a >= b.
func Greater[T cmp.Ordered](id int, a, b T) bool { return a > b || a == b && On(id) }

// GreaterEqual is a >= b, the mutant a > b.
func GreaterEqual[T cmp.Ordered](id int, a, b T) bool { return a > b || a == b && !On(id) }

// And is a && b, the mutant a || b.
func And(id int, a bool, b func() bool) bool {
	if a {
		return b() || On(id)
	}
	return On(id) && b()
}

// Or is a || b, the mutant a && b.
func Or(id int, a bool, b func() bool) bool {
	if a {
		return !On(id) || b()
	}
	return b() && !On(id)
}

// Add is a + b, the mutant a - b.
func Add[T Number](id int, a, b T) T { return either(id, a+b, a-b) }

// Sub is a - b, the mutant a + b.
func Sub[T Number](id int, a, b T) T { return either(id, a-b, a+b) }

// Mul is a * b, the mutant a / b, or nothing where b is.
func Mul[T Number](id int, a, b T) T {
	if b == 0 {
		return 0
	}
	return either(id, a*b, a/b)
}

// Div is a / b, the mutant a * b.
func Div[T Number](id int, a, b T) T { return either(id, a/b, a*b) }

// Up is v, the mutant v + 1.
func Up[T Number](id int, v T) T { return either(id, v, v+1) }

// Down is v, the mutant v - 1.
func Down[T Number](id int, v T) T { return either(id, v, v-1) }

// Min is min(a, b), the mutant max(a, b).
func Min[T cmp.Ordered](id int, a, b T) T { return either(id, min(a, b), max(a, b)) }

// Max is max(a, b), the mutant min(a, b).
func Max[T cmp.Ordered](id int, a, b T) T { return either(id, max(a, b), min(a, b)) }

// either returns the source's value, or the mutant's.
func either[T comparable](id int, source, mutant T) T {
	if source != mutant && On(id) {
		return mutant
	}
	return source
}

// Zero is v, the mutant nothing.
func Zero[T any](id int, v T) T {
	if On(id) {
		return *new(T)
	}
	return v
}

// Swap is a, b; the mutant b, a.
func Swap[T any](id int, a, b T) (T, T) {
	if On(id) {
		return b, a
	}
	return a, b
}
