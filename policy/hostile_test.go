//go:build unix

package policy_test

import (
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/policy"
)

const anyFabric = "\nfabric \"f\" {}\n"

func inLocals(lines string) string { return "locals {\n" + lines + "\n}" + anyFabric }

// Texts that ask for more than any machine has end with one finding, in bounded time and
// memory. What they take is charged for what it costs: none takes longer than ten times what a third of the
// budget takes where it goes to rounds of a loop, which hide nothing. Both are measured here, one after the other.
func TestHostile(t *testing.T) {
	nest := func(from, each string, times int) string {
		text := from
		for range times {
			text = strings.ReplaceAll(each, "_", text)
		}
		return text
	}
	// A text's file is made when it is loaded: those of other texts would be in its figure.
	files := map[string]func() string{
		"deep.json":     func() string { return strings.Repeat("[", 500_000) },
		"indented.yaml": func() string { return repeat(2000, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }) },
		"bomb.yaml": func() string {
			return "a0: &a0 [x, x]\n" + repeat(40, func(i int) string { return fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i) })
		},
		"wide.json":  func() string { return "[" + strings.Repeat("1,", 15<<20) + "1]" },
		"commas.csv": func() string { return "a,b\n" + strings.Repeat(",\n", 15<<20) },
	}
	for name, text := range map[string]string{
		"nested for":         inLocals("x = [for a in range(1024): [for b in range(1024): [for c in range(1024): a]]]"),
		"nested condition":   inLocals("x = [for a in range(1024): a if length([for b in range(1024): b if length([for c in range(1024): c]) > 0]) > 0]"),
		"doubled by locals":  inLocals("a0 = range(1024)\n" + repeat(40, func(i int) string { return fmt.Sprintf("a%d = concat(local.a%d, local.a%d)\n", i+1, i, i) })),
		"doubled in place":   inLocals("x = " + nest("range(1024)", "[for v in [_]: concat(v, v)][0]", 40)),
		"doubled by sharing": inLocals("x = " + nest("[1]", "[for v in [_]: [v, v]][0]", 50)),
		"doubled text":       inLocals("x = " + nest(`"xxxxxxxx"`, `[for v in [_]: "${v}${v}"][0]`, 40)),
		"a variable":         "variable \"x\" { default = [for a in range(1024): [for b in range(1024): [for c in range(1024): a]]] }" + anyFabric,
		"splat":              inLocals("r = range(1024)\na = [for i in local.r: local.r]\nb = [for i in local.r: local.a[*][0]]\nc = [for i in local.r: local.b[*][*]]"),
		"range":              inLocals("x = [for i in range(1024): [for j in range(1024): length(range(1024))]]"),
		"setproduct":         inLocals("a = range(1024)\nx = setproduct(local.a, local.a, local.a, local.a)"),
		"replace":            inLocals("a = \"" + strings.Repeat("x", 1<<20) + "\"\nb = replace(local.a, \"x\", local.a)"),
		"replace nothing":    inLocals("a = \"" + strings.Repeat("x", 1<<20) + "\"\nb = replace(local.a, \"\", local.a)"),
		"join":               inLocals("a = \"" + strings.Repeat("x", 1<<20) + "\"\nb = join(local.a, [for i in range(1024): \"\"])"),
		"join of numbers":    inLocals(`x = join("", [for i in range(1024): join("", [for j in range(9): join("", range(1024))])])`),
		"sort of numbers":    inLocals("x = [for i in range(1024): [for j in range(9): length(sort(range(1024)))]]"),
		"set of numbers":     inLocals("r = range(1024)\nx = [for i in local.r: [for j in local.r: length(toset(local.r))]]"),
		"zipmap of numbers":  inLocals("r = range(1024)\nx = [for i in local.r: [for j in local.r: length(zipmap(local.r, local.r))]]"),
		"choice of numbers":  inLocals("r = range(1024)\nt = split(\" \", \"a b\")\nx = [for i in local.r: [for j in local.r: length(i < 0 ? local.t : local.r)]]"),
		"product of numbers": inLocals("r = range(1024)\nt = split(\" \", \"a b\")\nx = [for i in local.r: [for j in local.r: length(setproduct(local.r, local.t))]]"),
		"formatlist":         inLocals("a = \"" + strings.Repeat("x", 1<<20) + "\"\nb = formatlist(\"%s%s\", local.a, range(1024))"),
		"format":             inLocals("a = \"" + strings.Repeat("x", 1<<20) + "\"\nb = format(\"" + strings.Repeat("%[1]s", 1024) + "\", local.a)"),
		"regex":              inLocals("a = \"" + strings.Repeat("x", 1<<20) + "\"\nb = regex(\"(x|y)*z" + strings.Repeat("x?", 10_000) + "\", local.a)"),
		"try hides nothing":  inLocals("x = try([for a in range(1024): [for b in range(1024): [for c in range(1024): a]]], 1)"),
		"many types":         inLocals("x = sort(flatten([for a in range(60): [for i in range(1024): [i, \"a\"]]]))"),
		"deep JSON":          inLocals(`x = jsondecode(file("deep.json"))`),
		"wide JSON":          inLocals(`x = jsondecode(file("wide.json"))`),
		"deep YAML":          inLocals(`x = yamldecode(file("deep.json"))`),
		"indented YAML":      inLocals(`x = yamldecode(file("indented.yaml"))`),
		"aliases of aliases": inLocals(`x = yamldecode(file("bomb.yaml"))`),
		"wide YAML":          inLocals(`x = yamldecode(file("wide.json"))`),
		"CSV of commas":      inLocals(`x = csvdecode(file("commas.csv"))`),
		"200,000 blocks":     anyFabric + repeat(200_000, func(i int) string { return fmt.Sprintf("switch \"s%d\" { chip = \"tomahawk3\" }\n", i) }),
		"instances":          anyFabric + repeat(200, func(i int) string { return fmt.Sprintf("switch \"s%d\" {\n  count = 65536\n}\n", i) }),
		"signs":              anyFabric + "locals { x = " + strings.Repeat("-", 8<<20) + "1 }",
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{}
			for file, make := range files {
				if strings.Contains(text, file) {
					root[file] = &fstest.MapFile{Data: []byte(make())}
				}
			}
			third, none, _ := spent(t, root, loops)
			if len(none) > 0 {
				t.Fatal(none)
			}
			took, found, heap := spent(t, root, text)
			tooMuch := 0
			for _, f := range found {
				if f.Code == policy.TooLarge || f.Code == policy.TooDeep {
					tooMuch++
				}
			}
			if tooMuch == 0 {
				t.Errorf("it is taken: %d findings: %.300v", len(found), found)
			}
			if took > 10*third || heap > 300<<20 {
				t.Errorf("it takes %v and %d MB, and a third of the budget %v", took, heap>>20, third)
			}
			t.Logf("%v, %.1f thirds, %d MB", took, float64(took)/float64(third), heap>>20)
		})
	}
}

// loops spends a third of the budget on rounds.
var loops = inLocals("r = range(1024)\nx = [for i in range(110): length([for j in local.r: j])]")

// spent returns the processor time and the most heap that it takes to load a text.
func spent(t *testing.T, root fs.FS, text string) (time.Duration, diag.List, uint64) {
	t.Helper()
	c := catalogue(t)
	runtime.GC()
	heap, stop := peakHeap()
	start := processorTime(t)
	src := policy.Source{Name: "fabric.hcl", Text: []byte(text)}
	_, found := policy.Load(policy.Options{Files: []policy.Source{src}, Root: root, Catalogue: c})
	took := processorTime(t) - start
	stop()
	return took, found, *heap
}

func repeat(n int, line func(i int) string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(line(i))
	}
	return out.String()
}

// processorTime returns the processor time that the process has used: the clock also counts what others use.
func processorTime(t *testing.T) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// peakHeap watches how large the heap gets until stop is called.
func peakHeap() (peak *uint64, stop func()) {
	usual := debug.SetGCPercent(100) // whatever the environment has: garbage is part of the figure
	peak = new(uint64)
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			*peak = max(*peak, m.HeapAlloc)
			select {
			case <-quit:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return peak, func() { close(quit); <-ended; debug.SetGCPercent(usual) }
}

// What --var gives is bounded like the text of a file.
func TestHostileVariables(t *testing.T) {
	list := "[" + strings.Repeat("1,", 900) + "1]"
	for declared, given := range map[string]string{
		"list(any)": "[for a in " + list + ": [for b in " + list + ": [for c in " + list + ": a]]]",
		"number":    "1e99999999",
		"string":    strings.Repeat("x", 128<<20),
	} {
		src := policy.Source{Name: "fabric.hcl", Text: []byte("variable \"x\" { type = " + declared + " }\nfabric \"f\" {}\n")}
		_, found := policy.Load(policy.Options{Files: []policy.Source{src}, Vars: map[string]string{"x": given}, Catalogue: catalogue(t)})
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == policy.TooLarge }) {
			t.Errorf("a value for %s that no machine can hold is taken: %v", declared, found)
		}
	}
}

// What a large fabric asks for is not refused: an inventory of 65,536 cables with five
// columns, of which a list of ends and a set of leaves is made.
func TestLargeInventory(t *testing.T) {
	rows := "leaf,port,host,cable,rack\n" + repeat(65_536, func(i int) string {
		return fmt.Sprintf("leaf-%d,Ethernet%d,host-%d,%dm,rack-%d\n", i/64, i%64, i, 1+i%40, i/512)
	})
	load(t, `
locals {
  rows   = csvdecode(file("cables.csv"))
  leaves = toset([for r in local.rows : r.leaf])
  racks  = distinct([for r in local.rows : r.rack])
  ends   = { for r in local.rows : r.host => "${r.leaf}:${r.port}" }
}
fabric "f" {
  mtu = length(local.leaves) + length(local.racks) + length(keys(local.ends)) == 1024 + 128 + 65536 ? "9216B" : "wrong"
}
`, fstest.MapFS{"cables.csv": {Data: []byte(rows)}})
}
