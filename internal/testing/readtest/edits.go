package readtest

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
)

// holdEdits compares with a golden file what a reader makes of a file, and what is otherwise of it
// when one word of the file is another one, one line is blank or is taken back in one of the
// ways that undone has. Lines stay where they are. An edit shows in a few lines of which the
// golden file has the first.
func holdEdits(t *testing.T, golden string, format read.Format, path string, undone func(line string) []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	tell := func() []string {
		return toldOfText(format, strings.Join(lines, "\n")+"\n")
	}
	var got strings.Builder
	whole := tell()
	fmt.Fprintln(&got, strings.Join(whole, "\n"))
	base := columns(whole)
	for i, line := range lines {
		var all []string
		if undone != nil && strings.TrimSpace(line) != "" {
			all = append(undone(line), "")
		}
		for _, edited := range append(all, edits(line)...) {
			lines[i] = edited
			now := columns(tell())
			fmt.Fprintf(&got, "=== %d: %s\n", i+1, strings.TrimSpace(edited))
			for _, shown := range first(3, slices.Concat(prefixed("- ", without(base, now)), prefixed("+ ", without(now, base)))) {
				fmt.Fprintln(&got, shown)
			}
		}
		lines[i] = line
	}
	Golden(t, golden, got.String())
}

var offsets = regexp.MustCompile(`(\d-\d+(?::\d+)?)\(\d+(?:-\d+)?\)`)

// columns are lines that tell places without offsets, which move with what is above.
func columns(told []string) (out []string) {
	for _, line := range told {
		out = append(out, offsets.ReplaceAllString(line, "$1"))
	}
	return out
}

func first(n int, lines []string) []string {
	if len(lines) > n {
		return append(lines[:n:n], fmt.Sprintf("… and %d more", len(lines)-n))
	}
	return lines
}

var tokens = regexp.MustCompile(`[A-Za-z0-9_.][-A-Za-z0-9_./|:]*`)

// edits returns the copies of a line in which one word is another: a number is one more, nothing or
// a million times as much, a text begins with another letter, true is false.
func edits(line string) (out []string) {
	for _, at := range tokens.FindAllStringIndex(line, -1) {
		for _, other := range others(line[at[0]:at[1]]) {
			out = append(out, line[:at[0]]+other+line[at[1]:])
		}
	}
	return out
}

func others(word string) []string {
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		if n == 0 {
			return []string{"1", "1000000"}
		}
		return []string{fmt.Sprint(n + 1), "0", fmt.Sprint(n * 1_000_000)}
	}
	if other, ok := opposites[word]; ok {
		return []string{other}
	}
	return []string{"x" + word}
}
