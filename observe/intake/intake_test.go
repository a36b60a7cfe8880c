package intake

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/observe"
)

// Each archive below testdata/formats holds files in one format and, in want.txt, the rows and
// findings, written by hand from the text.
func TestFormats(t *testing.T) {
	names, err := filepath.Glob("testdata/formats/*.txtar")
	if err != nil || len(names) < 3 {
		t.Fatalf("%d archives, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			inArchive(t, name, func(f txtar.File, got *strings.Builder) {
				rows, found := Read(f.Name, f.Data)
				if found.HasErrors() && rows != nil {
					t.Errorf("%s has errors and gives %d rows", f.Name, len(rows))
				}
				for _, r := range rows {
					fmt.Fprintln(got, rowText(r))
				}
				for _, d := range found {
					fmt.Fprintf(got, "%s:%d:%d: %s[%s]: %s\n", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Severity, d.Code, d.Message)
				}
			})
		})
	}
}

// inArchive compares what each writes of the files of an archive with its want.txt.
func inArchive(t *testing.T, name string, each func(f txtar.File, got *strings.Builder)) {
	t.Helper()
	var got strings.Builder
	want := ""
	for _, f := range must.Get(txtar.ParseFile(name))(t).Files {
		if f.Name == "want.txt" {
			want = string(f.Data)
		} else {
			each(f, &got)
		}
	}
	must.NoDiffIn(t, cmp.Diff(want, got.String()), "(-want +got)")
}

func rowText(r observe.Row) string {
	text := fmt.Sprintf("%s %v %v %s %d %v, %s", r.Device, r.Object.Kind, r.Object, r.Counter, r.Value, r.Kind, r.Source)
	if r.Cleared {
		text += ", cleared"
	}
	if r.Derived {
		text += ", derived"
	}
	if !r.Since.IsZero() {
		text += ", since " + r.Since.Format(time.RFC3339Nano)
	}
	if !r.Until.IsZero() {
		text += ", until " + r.Until.Format(time.RFC3339Nano)
	}
	return text
}

// Every beginning of a dump either is refused or, where it is whole JSON, is the whole dump.
func TestTruncated(t *testing.T) {
	archive := must.Get(txtar.ParseFile("testdata/formats/dump.txtar"))(t)
	whole := strings.TrimSpace(string(archive.Files[0].Data))
	for n := range len(whole) {
		if rows, found := Read("leaf-1.json", []byte(whole[:n])); !found.HasErrors() || rows != nil {
			t.Fatalf("of %d bytes, %d are taken for a dump of %d rows: %v", len(whole), n, len(rows), found)
		}
	}
}

// What `show pfc counters` prints is refused wherever it is cut off, but for its last byte: the end
// of the line.
func TestTruncatedTable(t *testing.T) {
	archive := must.Get(txtar.ParseFile("testdata/formats/tables.txtar"))(t)
	_, whole, _ := strings.Cut(string(archive.Files[0].Data), "\n") // the prompt
	whole = whole[:strings.Index(whole, "admin@")]
	for n := range len(whole) - 1 {
		if rows, found := Read("leaf-1.txt", []byte(whole[:n])); !found.HasErrors() || rows != nil {
			t.Fatalf("of %d bytes, %d are taken for a table of %d rows: %v", len(whole), n, len(rows), found)
		}
	}
	if rows, found := Read("leaf-1.txt", []byte(whole)); len(rows) != 8 || len(found) > 0 {
		t.Fatalf("%d rows of the whole table, want 8: %v", len(rows), found)
	}
}

// A record of several commands has a prompt before each, root's without a name too. The tables are of a public record of a
// SONiC switch whose queue 3 dropped packets.
func TestTablesAfterPrompts(t *testing.T) {
	const session = `# show queue watermark unicast
Egress shared pool occupancy per unicast queue:
       Port    UC0    UC1    UC2      UC3    UC4    UC5    UC6    UC7
-----------  -----  -----  -----  -------  -----  -----  -----  -----
  Ethernet4      0      0      0  2097408      0      0      0   7168
# show queue counters
For namespace :
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet4    UC3            8193           852072        91786       9545744
# show pfc counters
    Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
-----------  ------  ------  ------  ------  ------  ------  ------  ------
  Ethernet4       0       0       0       0       0       0       0       0

    Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
-----------  ------  ------  ------  ------  ------  ------  ------  ------
  Ethernet4       0       0       0       0       0       0       0       0
`
	for _, prompt := range []string{"# ", "$ ", "root@leaf-1:~# "} {
		if rows, found := Read("leaf-1.txt", []byte(strings.ReplaceAll(session, "# ", prompt))); len(rows) != 8+4+16 || len(found) > 0 {
			t.Errorf("%q: %d rows, want 28: %v", prompt, len(rows), found)
		}
	}
}

func FuzzRead(f *testing.F) {
	names := must.Get(filepath.Glob("testdata/formats/*.txtar"))(f)
	for _, name := range names {
		archive := must.Get(txtar.ParseFile(name))(f)
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, found := Read("leaf-1.json", text)
		if found.HasErrors() && rows != nil {
			t.Error("rows of a file with errors")
		}
	})
}
