package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// Levels is a curve by fill, as Junos has it: shares of packets at shares of what the queue may hold. Those of
// `0% at 55%, 100% at 90%` are marked, those of `drop 0% at 0%, 100% at 20%` dropped. No document gives that amount
// in bytes. Empty: there is none.
type Levels string

const dropping = "drop "

// LevelsOf returns the curve with a share of packets at each fill level, both in per cent.
func LevelsOf(drops bool, fill, share []int64) Levels {
	var points []string
	for i := range min(len(fill), len(share)) {
		points = append(points, fmt.Sprintf("%d%% at %d%%", share[i], fill[i]))
	}
	if drops {
		return Levels(dropping + strings.Join(points, ", "))
	}
	return Levels(strings.Join(points, ", "))
}

// Drops reports whether packets are dropped, not marked.
func (l Levels) Drops() bool { return strings.HasPrefix(string(l), dropping) }

// ParseLevels reads a curve whose fill levels rise.
func ParseLevels(text string) (Levels, error) {
	wrong := func(format string, args ...any) (Levels, error) {
		return "", &units.ParseError{Text: text, Kind: "shares of packets at rising fill levels", Problem: fmt.Sprintf(format, args...), Example: "0% at 55%, 100% at 90%"}
	}
	var fill, share []int64
	all, drops := strings.CutPrefix(text, dropping)
	for point := range strings.SplitSeq(all, ",") {
		words := strings.Fields(point)
		if len(words) != 3 || words[1] != "at" {
			return wrong("%q is not a share of packets at a fill level", strings.TrimSpace(point))
		}
		s, okShare := perCent(words[0])
		f, okFill := perCent(words[2])
		if !okShare || !okFill {
			return wrong("%q is not of whole per cent from 0%% to 100%%", strings.TrimSpace(point))
		}
		if n := len(fill); n > 0 && f <= fill[n-1] {
			return wrong("fill levels %d%% and %d%% do not rise", fill[n-1], f)
		}
		fill, share = append(fill, f), append(share, s)
	}
	return LevelsOf(drops, fill, share), nil
}

func perCent(word string) (int64, bool) {
	digits, ok := strings.CutSuffix(word, "%")
	n, err := strconv.ParseUint(digits, 10, 8)
	return int64(n), ok && err == nil && n <= 100
}

// Points returns the fill levels and the shares, in per cent.
func (l Levels) Points() (fill, share []int64) {
	for point := range strings.SplitSeq(strings.TrimPrefix(string(l), dropping), ", ") {
		s, f, _ := strings.Cut(point, " at ")
		if n, ok := perCent(f); ok {
			m, _ := perCent(s)
			fill, share = append(fill, n), append(share, m)
		}
	}
	return fill, share
}

func (l Levels) String() string {
	if l == "" {
		return "none"
	}
	fill, share := l.Points()
	if fill == nil {
		return string(l)
	}
	what := "probabilities"
	if l.Drops() {
		what += " of a drop"
	}
	return fmt.Sprintf("fill levels of %v %% with %s of %v %%", fill, what, share)
}
