package goldentest

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// Parts returns the heading of a table in a file, and by their names the parts below it, each of which begins with
// "== NAME: ". A table that is not there yet has none where absent is set; else the test ends.
func Parts(t *testing.T, file string, absent bool) (heading string, of map[string]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !(absent && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	all := strings.Split("\n"+string(text), "\n== ")
	of = map[string]string{}
	for _, part := range all[1:] {
		name, _, _ := strings.Cut(part, ":")
		of[name] = "== " + strings.TrimRight(part, "\n") + "\n\n"
	}
	return strings.Trim(all[0], "\n"), of
}
