//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/roceplan/roceplan/internal/testing/year"
)

// benchmarkFabric is switches of one shape with 64 ports of 800G and three targets.
const benchmarkFabric = `fabric "benchmark" {
  expected_delay  = "20us"
  tolerable_delay = "60us"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 60
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}
switch "leaf-[%05d..%05d]" {
  chip    = "tomahawk5"
  os      = sonic
  targets = [sonic, eos, openconfig]
  port_group "all" {
    ports      = "Ethernet[0..504/8]"
    speed      = "800Gbps"
    lanes      = 8
    first_lane = 1
    cable      = "40m"
  }
}
`

// BenchmarkCompile measures the program as it is used: a process of its own, writing
// to a fresh directory. MB-peak is the largest resident set. BenchmarkCopy is `cp -r`
// of the same output, the yardstick for writing so many files on the same disk.
//
// Page cache and disk decide much of the larger figures: run both on a quiet machine.
func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{1, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			program := buildProgram(b, dir)
			fabric := writeFabric(b, dir, n)
			out := filepath.Join(dir, "out")
			peak := int64(0)
			for b.Loop() {
				b.StopTimer()
				check(b, os.RemoveAll(out))
				b.StartTimer()
				peak = max(peak, command(b, program, "compile", fabric, "-o", out))
			}
			b.ReportMetric(float64(peak)/1e6, "MB-peak")
		})
	}
}

func BenchmarkCopy(b *testing.B) {
	for _, n := range []int{1, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			out, copied := filepath.Join(dir, "out"), filepath.Join(dir, "copy")
			command(b, buildProgram(b, dir), "compile", writeFabric(b, dir, n), "-o", out)
			for b.Loop() {
				b.StopTimer()
				check(b, os.RemoveAll(copied))
				b.StartTimer()
				command(b, "cp", "-r", out, copied)
			}
		})
	}
}

// BenchmarkCompileInProcess is one shape without the process and the disk's other
// files: where allocations are counted.
func BenchmarkCompileInProcess(b *testing.B) {
	dir := b.TempDir()
	fabric := writeFabric(b, dir, 1)
	b.ReportAllocs()
	for b.Loop() {
		var stdout, stderr bytes.Buffer
		if code := run([]string{"compile", fabric, "-o", filepath.Join(dir, "out")}, nil, &stdout, &stderr, func(string) string { return "" }); code != exitFine {
			b.Fatalf("exit code %d: %s", code, &stderr)
		}
	}
}

// BenchmarkSteps orders changes of 1,028 switches of mixed systems, with the settings of each step and the states of SONiC between.
func BenchmarkSteps(b *testing.B) {
	for _, c := range year.Pods(32).Changes(b) {
		if c.Name != "longer cables" && c.Name != "DSCP moves" {
			continue
		}
		b.Run(c.Name, func(b *testing.B) {
			dir := b.TempDir()
			before, after := filepath.Join(dir, "before.hcl"), filepath.Join(dir, "after.hcl")
			check(b, os.WriteFile(before, []byte(c.Before), 0o666))
			check(b, os.WriteFile(after, []byte(c.After), 0o666))
			program, peak, work := buildProgram(b, dir), int64(0), time.Duration(0)
			for i := 0; b.Loop(); i++ {
				cmd := exec.Command(program, "diff", "--steps", filepath.Join(dir, fmt.Sprint(i)), before, after)
				if err := cmd.Run(); cmd.ProcessState.ExitCode() != exitFindings {
					b.Fatal(err)
				}
				peak = max(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss*1024)
				work += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			b.ReportMetric(float64(peak)/1e6, "MB-peak")
			b.ReportMetric(work.Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

func buildProgram(b *testing.B, dir string) string {
	program := filepath.Join(dir, "roceplan")
	command(b, "go", "build", "-o", program, ".")
	return program
}

func writeFabric(b *testing.B, dir string, n int) string {
	path := filepath.Join(dir, "fabric.hcl")
	check(b, os.WriteFile(path, fmt.Appendf(nil, benchmarkFabric, 1, n), 0o666))
	return path
}

// command runs a program and returns its peak resident set in bytes.
func command(b *testing.B, name string, args ...string) (peak int64) {
	cmd := exec.Command(name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s: %v\n%s", name, err, &stderr)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
}
