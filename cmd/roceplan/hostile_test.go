//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// Pipes that nobody writes to are refused by every command that reads files, at once.
func TestPipesAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.hcl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		oracle.Missing(t, "no pipes here: "+err.Error())
	}
	fabric := filepath.Join(dir, "file.hcl")
	if err := os.WriteFile(fabric, []byte("locals { x = file(\"pipe.hcl\") }\nfabric \"f\" { description = local.x }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	example, none := filepath.Join("../..", examples, "ucloud-pod"), filepath.Join(dir, "none")
	check(t, os.WriteFile(none, nil, 0o600))
	devices := func(name, query string) string {
		list := filepath.Join(dir, name)
		check(t, os.WriteFile(list, []byte("leaf-1="+strings.ReplaceAll(query, "PIPE", pipe)), 0o600))
		return list
	}
	web := filepath.Join(dir, "web")
	check(t, os.WriteFile(web, []byte("tls_server_config:\n  cert_file: "+pipe+"\n  key_file: "+pipe+"\n"), 0o600))
	for _, args := range [][]string{
		{"mcp", pipe}, {"fmt", pipe}, {"compile", pipe, "-o", none + ".new"}, {"compile", example, "-o", pipe}, {"explain", pipe, "leaf-1"}, {"margins", pipe}, {"report", pipe, "-o", none + ".new"}, {"tune", pipe},
		{"compare", pipe}, {"audit", "--chip", "tomahawk3", pipe}, {"audit-host", pipe, "cx5", "--dcb", pipe}, {"audit-host", example, "cx5", "--dcb", pipe}, {"import", pipe, "-o", none + ".new"}, {"cabling", example, pipe}, {"diff", pipe, example}, {"diff", example, pipe},
		{"patch", example, "tor-01", "--against", pipe}, {"merge", pipe}, {"probe", pipe, "--chip", "tomahawk3", "--port", "Ethernet0", "--pg", "3"}, {"verify", "--recheck", pipe}, {"verify", none, "--fabric", pipe}, {"calc", "pool", "--batch", pipe}, {"calc", "threshold", "--batch", pipe, "--chip", "tomahawk3"},
		{"observe", pipe, "--fabric", example}, {"observe", none, "--fabric", pipe}, {"observe", "--devices", pipe, "--fabric", example}, {"observe", none, "--fabric", example, "--watch", "127.0.0.1:0", "--web.config.file", pipe},
		{"observe", none, "--fabric", example, "--watch", "127.0.0.1:0", "--web.config.file", web},
		{"observe", "--devices", devices("ca", "rediss://127.0.0.1:1?ca_file=PIPE"), "--fabric", example}, {"observe", "--devices", devices("cert", "gnmi://127.0.0.1:1?cert_file=PIPE&key_file=PIPE"), "--fabric", example},
		{"apply", example, "--from", pipe, "--devices", none, "--dry-run"}, {"apply", example, "--from", example, "--devices", pipe, "--dry-run"}, {"apply", example, "--from", example, "--devices", none, "--journal", pipe, "--yes"},

		{"check", pipe}, {"check", fabric}, {"check", "--var-file", pipe, fabric}, {"chips", "--chips", pipe},
		{"calc", "headroom", "--batch", pipe, "--chip", "tomahawk3"}, {"calc", "headroom", "--table", pipe, "--chip", "tomahawk3", "--speed", "100Gbps", "--cable", "5m"},
		{"sim", "--hpcc", pipe}, {"sim", example, "--workload", pipe}, {"alerts", example, "--metrics", pipe}, {"replay", pipe}, {"verify", "--chip", "tomahawk3", pipe},
	} {
		ended := make(chan int, 1)
		go func() {
			var told strings.Builder
			code := run(args, strings.NewReader(""), io.Discard, &told, func(string) string { return "" })
			if !regexp.MustCompile(`not a (regular file|folder)|is a file; the output`).MatchString(told.String()) {
				t.Errorf("%v says %s", args, told.String())
			}
			ended <- code
		}()
		select {
		case code := <-ended:
			if code == 0 {
				t.Errorf("%v takes a pipe for a file", args)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%v waits for a pipe", args)
		}
	}
}
