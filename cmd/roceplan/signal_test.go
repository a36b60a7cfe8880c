//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// INT and TERM end every command that can take long, wherever it is: it exits with 130, and
// leaves nothing behind.
func TestSignalsEndEveryCommand(t *testing.T) {
	dir := t.TempDir()
	example, err := filepath.Abs(filepath.Join("../..", examples, "ucloud-pod"))
	check(t, err)
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		check(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	// Every switch differs, so each is computed, rendered and proved by itself.
	var large strings.Builder
	large.WriteString("fabric \"f\" {}\ntraffic_class \"storage\" {\n dscp = [26]\n queue = 3\n pfc = 3\n weight = 60\n}\ntraffic_class \"rest\" {\n dscp = rest\n queue = 0\n weight = 40\n}\n")
	for i := range 8000 {
		fmt.Fprintf(&large, "switch \"leaf-%d\" {\n chip = \"tomahawk3\"\n os = sonic\n port_group \"p\" {\n ports = \"port[1..32]\"\n speed = \"100Gbps\"\n cable = \"%dcm\"\n }\n}\n", i, 100+i)
	}
	fabric := put("large.hcl", large.String())
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}
	commands := map[string][]string{
		"compile":         {"compile", fabric, "-o", filepath.Join(dir, "out")},
		"compile --check": {"compile", "--check", fabric, "-o", filepath.Join(dir, "none")},
		"check":           {"check", fabric},
		"diff":            {"diff", fabric, fabric},
		"explain":         {"explain", fabric, "leaf-1"},
		"sim":             {"sim", example, "--pattern", "websearch-70", "--size", "4x16", "--seeds", "1000"},
		"tune":            {"tune", example},
		"standard input":  {"check", "-"},
		"calc --batch":    {"calc", "headroom", "--batch", "-"},
		"verify -":        {"verify", "-", "--chip", "tomahawk3"},
	}
	t.Run("all", func(t *testing.T) {
		for name, args := range commands {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				endedBy(t, signals[len(name)%2], args)
			})
		}
	})
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	check(t, err)
	hidden, err := filepath.Glob(filepath.Join(dir, ".*"))
	check(t, err)
	if all := append(left, hidden...); len(all) != 1 {
		t.Errorf("what is left: %v", all)
	}
}

// endedBy runs the program until it has asked for the signal before that comes: on a machine with
// much to do, it might not have at first.
func endedBy(t *testing.T, signal syscall.Signal, args []string) {
	for after := 400 * time.Millisecond; !obeys(t, signal, args, after); after *= 2 {
		if after > 10*time.Second {
			t.Fatalf("%v kills it, whenever it comes", signal)
		}
	}
}

// obeys runs the program, sends it a signal when it has begun, and waits for its end. It reports
// whether the program had asked for the signal.
func obeys(t *testing.T, signal syscall.Signal, args []string, after time.Duration) bool {
	cmd := exec.Command("roceplan", args...)
	var said strings.Builder
	cmd.Stderr = &said
	in, err := cmd.StdinPipe() // that nobody writes to, and nobody closes
	check(t, err)
	defer in.Close()
	cmd.Stdout = io.Discard
	check(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
		t.Fatalf("it ends before the signal: %s", said.String())
	case <-time.After(after):
	}
	check(t, cmd.Process.Signal(signal))
	select {
	case <-ended:
	case <-time.After(time.Minute):
		check(t, cmd.Process.Kill())
		t.Fatal("it goes on")
	}
	if cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		return false
	}
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d: %s", code, said.String())
	}
	return true
}
