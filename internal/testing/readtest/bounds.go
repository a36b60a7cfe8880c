package readtest

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/read"
)

// RowBounds tries the bounds of rows on a file of leaves, one on each line: see [Bounds]. It leaves out
// names that rows with different bounds share, since a line does not have the path.
func RowBounds(t *testing.T, f read.Format, rows format.Rows, text string) {
	t.Helper()
	all, ambiguous := map[string][2]int64{}, map[string]bool{}
	for i := range rows {
		row := &rows[i]
		if !row.Bounded() {
			continue
		}
		least, most := row.Bounds()
		piece, bounds := fmt.Sprintf("%q: @", row.Name()), [2]int64{least, most}
		if was, have := all[piece]; have && was != bounds {
			ambiguous[piece] = true
		}
		all[piece] = bounds
	}
	maps.DeleteFunc(all, func(piece string, _ [2]int64) bool { return ambiguous[piece] })
	if len(all) == 0 {
		t.Error("no row has bounds")
	}
	Bounds(t, f, text, all, diag.Code(f.Name+"-read-number"))
}

// Bounds puts numbers into a file, at pieces of it in which @ stands for them: the least and the
// most that each takes by the device's schema, one beyond on both sides, and what no integer of 64
// bits holds. Those within give no finding of the codes; those
// beyond give one that names what was found and both bounds.
func Bounds(t *testing.T, format read.Format, text string, all map[string][2]int64, codes ...diag.Code) {
	t.Helper()
	for of, bounds := range all {
		low, high := bounds[0], bounds[1]
		piece := regexp.MustCompile(strings.Replace(regexp.QuoteMeta(of), "@", "(-?[0-9]+)", 1))
		at := piece.FindStringSubmatchIndex(text)
		if at == nil {
			t.Errorf("nothing of the file is %q", of)
			continue
		}
		told := func(number string) (messages []string) {
			r := format.Read("x", []byte(text[:at[2]]+number+text[at[3]:]), read.Options{})
			for _, d := range r.Found {
				for _, code := range codes {
					if d.Code == code && d.Subject.Start.Byte <= at[2] && at[2] <= d.Subject.End.Byte {
						messages = append(messages, d.Message)
					}
				}
			}
			return messages
		}
		for _, within := range []int64{low, high} {
			if messages := told(fmt.Sprint(within)); messages != nil {
				t.Errorf("%s: %d is refused: %q", of, within, messages)
			}
		}
		for _, beyond := range []string{fmt.Sprint(low - 1), fmt.Sprint(high + 1), fmt.Sprint(math.MinInt64), "9223372036854775808", "18446744073709551617"} {
			messages := told(beyond)
			if !strings.Contains(strings.Join(messages, "\n"), fmt.Sprintf(" from %d to %d", low, high)) || !strings.Contains(strings.Join(messages, "\n"), beyond) {
				t.Errorf("%s: %s is found to be %q, which goes from %d to %d", of, beyond, messages, low, high)
			}
		}
	}
}
