package live

import (
	"errors"
	"strings"
	"testing"
)

// Where the budget is exceeded the largest account is given up, whoever takes the last byte; what
// others hold stays, and what is closed may be taken again.
func TestBudget(t *testing.T) {
	b := newBudget(100)
	stopped := ""
	small, large, last := b.open(func() { stopped += "small" }), b.open(func() { stopped += "large" }), b.open(func() { stopped += "last" })
	for _, step := range []struct {
		of    *account
		bytes int
		over  bool
		used  int
	}{
		{small, 30, false, 30},
		{large, 60, false, 90},
		{last, 10, false, 100},
		{last, 1, false, 41}, // of which large pays
		{large, 0, true, 41},
		{large, 50, true, 41}, // an account that was given up holds nothing
		{last, 59, false, 100},
		{small, -30, false, 70},
		{last, 31, true, 0}, // it is the largest itself
	} {
		if err := step.of.take(step.bytes); (err != nil) != step.over || b.used != step.used {
			t.Fatalf("%+v: %v, %d bytes are used", step, err, b.used)
		}
	}
	if stopped != "largelast" || !large.isOver() || small.isOver() {
		t.Errorf("%s were stopped", stopped)
	}
	if err := small.settle(100); err != nil || b.used != 100 {
		t.Errorf("%v, %d bytes are used", err, b.used)
	}
	small.close()
	small.close()
	if b.used != 0 {
		t.Errorf("%d bytes are used", b.used)
	}
}

// A panic is an error that says where.
func TestRecovered(t *testing.T) {
	ask := func(reply []int) (err error) {
		defer recovered(&err)
		_ = reply[5]
		return nil
	}
	if err := ask([]int{1}); err == nil || !strings.Contains(err.Error(), "budget_test.go:") {
		t.Error(err)
	}
	if err := ask(make([]int, 9)); err != nil {
		t.Error(err)
	}
	again := func() (err error) {
		defer recovered(&err)
		return errors.New("its own")
	}
	if err := again(); err == nil || err.Error() != "its own" {
		t.Error(err)
	}
}
