package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
)

// tutorials are the pages in docs/tutorials with the one whose folder each goes on in.
var tutorials = []struct{ page, after string }{
	{"ai-pod", ""},
	{"first-fabric", ""},
	{"proof", "first-fabric"},
	{"tuning", "first-fabric"},
	{"rollout", "first-fabric"},
	{"brownfield", ""},
	{"apply", ""},
}

// Each tutorial is done as a newcomer does it, in an empty folder: files are written and edited
// as the page says, commands are typed, and what they print is what the page shows.
func TestTutorials(t *testing.T) {
	oracle.Command(t, "git", "git")
	folder, err := filepath.Abs("../../docs/tutorials")
	check(t, err)
	if pages := glob(t, filepath.Join(folder, "*.md")); len(pages) != len(tutorials) {
		t.Errorf("%d pages, %d are run", len(pages), len(tutorials))
	}
	for _, page := range tutorials {
		t.Run(page.page, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, value := range map[string]string{"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@a", "GIT_CONFIG_GLOBAL": "/dev/null"} {
				t.Setenv(name, value)
			}
			if page.after != "" {
				follow(t, filepath.Join(folder, page.after+".md"), false)
			}
			commands := follow(t, filepath.Join(folder, page.page+".md"), *update)
			if commands < 5 || page.page == "ai-pod" && commands > 12 {
				t.Errorf("the page has %d commands", commands)
			}
		})
	}
}

// questions are the pages in docs/questions, in an order in which each finds the fabric as it was: the last one edits it.
var questions = []string{"completion", "incast", "failure", "all-to-all", "kmin"}

// Each question is answered in the folder of the first tutorial: the commands print what its page shows, and draw its pictures.
func TestQuestions(t *testing.T) {
	oracle.Command(t, "git", "git")
	folder, err := filepath.Abs("../../docs/questions")
	check(t, err)
	pages := append(slices.Clone(questions), "README")
	for _, page := range glob(t, filepath.Join(folder, "*.md")) {
		if name := strings.TrimSuffix(filepath.Base(page), ".md"); !slices.Contains(pages, name) {
			t.Errorf("%s is not run", name)
		}
	}
	t.Chdir(t.TempDir())
	follow(t, filepath.Join(folder, "../tutorials/first-fabric.md"), false)
	for _, page := range questions {
		file := filepath.Join(folder, page+".md")
		if follow(t, file, *update) < 1 {
			t.Errorf("%s has no command", page)
		}
		pictured(t, file)
	}
}

// howtos are the pages in docs/howto, in an order in which each finds the fabric as it was: the last one edits it.
var howtos = []string{"conditional", "cable", "import", "servers", "drops", "explain", "rack"}

// Each how-to is done in the folder of the first tutorial.
func TestHowTos(t *testing.T) {
	oracle.Command(t, "git", "git")
	folder, err := filepath.Abs("../../docs/howto")
	check(t, err)
	for _, page := range glob(t, filepath.Join(folder, "*.md")) {
		if name := strings.TrimSuffix(filepath.Base(page), ".md"); name != "README" && !slices.Contains(howtos, name) {
			t.Errorf("%s is not run", name)
		}
	}
	t.Chdir(t.TempDir())
	follow(t, filepath.Join(folder, "../tutorials/first-fabric.md"), false)
	for _, page := range howtos {
		if follow(t, filepath.Join(folder, page+".md"), *update) < 2 {
			t.Errorf("%s has less than two commands", page)
		}
	}
}

// picture is one that a page shows.
var picture = regexp.MustCompile(`\]\((plots/[^)]+\.svg)\)`)

// pictured holds that the pictures of a page are those that its commands drew.
func pictured(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	check(t, err)
	list := picture.FindAllSubmatch(text, -1)
	if len(list) == 0 {
		t.Errorf("%s shows no plot", file)
	}
	for _, m := range list {
		drawn, err := os.ReadFile(string(m[1]))
		check(t, err)
		shown := filepath.Join(filepath.Dir(file), string(m[1]))
		if *update {
			check(t, os.WriteFile(shown, drawn, 0o666))
		}
		if have, err := os.ReadFile(shown); err != nil || !bytes.Equal(have, drawn) {
			t.Errorf("%s is not what was drawn; -update writes it", shown)
		}
	}
}

// fence is a block of code with what stands behind the opening fence.
var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// follow does what a page says, and returns how many commands it typed. With rewrite, what they
// print goes into the page.
func follow(t *testing.T, file string, rewrite bool) (commands int) {
	text, err := os.ReadFile(file)
	check(t, err)
	done := fence.ReplaceAllFunc(text, func(block []byte) []byte {
		m := fence.FindSubmatch(block)
		kind, body := strings.Fields(string(m[1])), string(m[2])
		switch {
		case kind[0] == "console":
			n, shown := typed(t, body, cmp.Or(strings.Join(kind[1:], ""), "exit=0"))
			commands += n
			return fmt.Appendf(nil, "```%s\n%s```", m[1], shown)
		case kind[0] == "diff":
			amend(t, kind[1], body)
		case len(kind) == 3 && kind[1] == "lab":
			check(t, os.WriteFile(kind[2], []byte(body), 0o666))
			startLab(t, body)
		case len(kind) == 3 && kind[1] == "append":
			have, err := os.ReadFile(kind[2])
			check(t, err)
			check(t, os.WriteFile(kind[2], append(have, "\n"+body...), 0o666))
		case len(kind) == 2:
			check(t, os.MkdirAll(filepath.Dir(kind[1]), 0o777))
			check(t, os.WriteFile(kind[1], []byte(body), 0o666))
		}
		return block
	})
	if rewrite && !bytes.Equal(done, text) {
		check(t, os.WriteFile(file, done, 0o666))
	}
	return commands
}

// startLab starts switches that run a fabric and the configuration of other tools, and writes their addresses and
// running configurations.
func startLab(t *testing.T, text string) {
	t.Helper()
	catalogue, _ := chips.Load()
	_, p := plantest.Text(t, catalogue, text)
	setRelease(p, "202505")
	devices, lines := fakedevice.NewFleet(t).Run(p)
	check(t, os.WriteFile("devices.txt", []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	for name, d := range devices {
		check(t, os.MkdirAll(filepath.Join("fetched", name), 0o777))
		check(t, os.WriteFile(filepath.Join("fetched", name, "config_db.json"), d.Running(), 0o666))
	}
}

// amend replaces the lines of a file that are marked with -, with those around them, by those
// that are marked with +.
func amend(t *testing.T, file, change string) {
	var before, after strings.Builder
	for line := range strings.Lines(change) {
		if line[0] != '+' {
			before.WriteString(line[1:])
		}
		if line[0] != '-' {
			after.WriteString(line[1:])
		}
	}
	text, err := os.ReadFile(file)
	check(t, err)
	if n := strings.Count(string(text), before.String()); n != 1 {
		t.Fatalf("%s has %d times\n%s", file, n, &before)
	}
	check(t, os.WriteFile(file, []byte(strings.Replace(string(text), before.String(), after.String(), 1)), 0o666))
}

// typed types the commands of a block and checks what each prints against what stands below it,
// where a line … stands for any number of lines. The last one ends with the exit code.
func typed(t *testing.T, block, exit string) (commands int, shown string) {
	var out strings.Builder
	parts := strings.Split("\n"+block, "\n$ ")
	if parts[0] != "" {
		t.Fatalf("output without a command: %s", block)
	}
	for i, part := range parts[1:] {
		last := i == len(parts)-2
		if !last {
			part += "\n"
		}
		command, want, _ := strings.Cut(part, "\n")
		got, code := shell(command)
		if code := fmt.Sprintf("exit=%d", code); last && code != exit || !last && code != "exit=0" {
			t.Errorf("%s: %s\n%s", command, code, got)
		}
		if !matches(want, got) {
			if !*update {
				t.Errorf("$ %s\nprints\n%s\nwant\n%s", command, got, want)
			}
			want = got
		}
		fmt.Fprintf(&out, "$ %s\n%s", command, want)
		commands++
	}
	return commands, out.String()
}

// shell types a command line; roceplan is this test's own.
func shell(line string) (printed string, code int) {
	c := exec.Command("sh", "-c", line)
	out, _ := c.CombinedOutput()
	return string(out), c.ProcessState.ExitCode()
}

// matches reports whether a text is what a page shows.
func matches(shown, got string) bool {
	var pattern []string
	for part := range strings.SplitSeq("\n"+shown, "\n…\n") {
		pattern = append(pattern, regexp.QuoteMeta(part))
	}
	if slices.Equal(pattern, []string{regexp.QuoteMeta("\n" + got)}) {
		return true
	}
	return regexp.MustCompile("(?s)^" + strings.Join(pattern, `\n(?:.*\n)?`) + "$").MatchString("\n" + got)
}

// What matches and what does not.
func TestTutorialMatches(t *testing.T) {
	for _, c := range []struct {
		shown, got string
		want       bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\nc\n", false},
		{"a\n…\nd\n", "a\nb\nc\nd\n", true},
		{"a\n…\nd\n", "a\nd\n", true},
		{"a\n…\nd\n", "a\nb\nc\n", false},
		{"a\n…\n", "a\nb\n", true},
		{"…\nb\n", "a\nb\n", true},
		{"", "", true},
		{"", "a\n", false},
	} {
		if got := matches(c.shown, c.got); got != c.want {
			t.Errorf("%q as %q: %v", c.got, c.shown, got)
		}
	}
}
