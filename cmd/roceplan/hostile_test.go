//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
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
	example := filepath.Join("../..", examples, "ucloud-pod")
	for _, args := range [][]string{
		{"check", pipe}, {"check", fabric}, {"check", "--var-file", pipe, fabric}, {"chips", "--chips", pipe},
		{"calc", "headroom", "--batch", pipe, "--chip", "tomahawk3"}, {"calc", "headroom", "--table", pipe, "--chip", "tomahawk3", "--speed", "100Gbps", "--cable", "5m"},
		{"sim", "--hpcc", pipe}, {"sim", example, "--workload", pipe}, {"alerts", example, "--metrics", pipe}, {"replay", pipe}, {"verify", "--chip", "tomahawk3", pipe},
	} {
		ended := make(chan int, 1)
		go func() {
			var told strings.Builder
			code := run(args, strings.NewReader(""), io.Discard, &told, func(string) string { return "" })
			if !strings.Contains(told.String(), "not a regular file") {
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
