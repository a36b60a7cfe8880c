package goldentest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
)

// Matrix compares what a target declares of each intent with the table of a page: people read that, and
// internal/target holds it against what is read back of files.
func Matrix(t *testing.T, page string, target emit.Target) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| what a plan asks for | ")
	if !ok {
		t.Fatal("the page has no table of targets")
	}
	lines := strings.Split(table, "\n")
	column := slices.Index(cells("| "+lines[0]), target.Title)
	if column < 0 {
		t.Fatalf("the table has no column %q", target.Title)
	}
	rows := map[string]string{}
	for _, line := range lines[2:] {
		if row := cells(line); len(row) > column+1 {
			rows[row[0]] = row[column+1]
		}
	}
	if len(target.Can) != len(rows) {
		t.Errorf("%d intents, and the page has %d", len(target.Can), len(rows))
	}
	for _, intent := range emit.Intents() {
		can := target.Of(intent.Intent)
		want := can.Support.String()
		if can.Note != "" {
			want += ": " + can.Note
		}
		if got := rows[intent.Title]; got != want {
			t.Errorf("%s: declared is %q, and the page says %q", intent.Title, want, got)
		}
		if (can.Support == emit.Yes) != (len(can.Codes) == 0) || can.Evidence == "" {
			t.Errorf("%s is %v, with findings %v and evidence %q", intent.Title, can.Support, can.Codes, can.Evidence)
		}
	}
}

// cells returns the cells of a row of a table.
func cells(row string) []string {
	list := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), " | ")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}
