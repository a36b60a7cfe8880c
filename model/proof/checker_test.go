package proof_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/smallswitch"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
	"pgregory.net/rapid"
)

var fuzzed = flag.Int("fuzzed", 2000, "certificates that are changed at random for TestCheckersAgree")

// Two programs that share no code agree on certificates. Those of all examples are right. Forgeries have a figure, a word, a
// device or an obligation changed, alone and with all that follows from it; 2,000 more are changed at random. Where the
// programs disagree, one of them is wrong: see docs/certificates.md.
func TestCheckersAgree(t *testing.T) {
	b := newBench(t)
	examples, err := filepath.Glob("../../examples/*/fabric.hcl")
	if err != nil || len(examples) < 9 {
		t.Fatalf("%d examples: %v", len(examples), err)
	}
	for _, path := range examples {
		name := filepath.Base(filepath.Dir(path))
		b.add(name, "as it is", b.example(name))
	}
	b.settle(true)
	for i, seed := range kinds {
		if i%50 == 0 {
			b.forge(fmt.Sprint("switch ", seed), b.small(seed))
		}
	}
	b.settle(false)
	if b.refused < 200 {
		t.Errorf("%d forgeries were refused, and there should be 200 at least", b.refused)
	}
	random := rand.New(rand.NewPCG(7, 11))
	for i := range *fuzzed {
		seed := kinds[i*37%len(kinds)]
		text := mutate(b.small(seed), random, &b.what)
		b.add(fmt.Sprint("switch ", seed), b.what, text)
		if i%250 == 249 {
			b.settle(false)
		}
	}
	b.settle(false)
	t.Logf("%d certificates: %d are refused by both, %d by neither", b.asked, b.refused, b.asked-b.refused)
}

// A bench asks both checkers about certificates. Its folder has their files.
type bench struct {
	t               *testing.T
	folder, checker string
	generator       *rapid.Generator[smallswitch.Switch]
	made            map[string][]byte // certificates by example or switch
	waiting         []question
	asked, refused  int
	what            string // the last mutation
}

// A question is a certificate, what was changed in it, and the problems that the program itself finds.
type question struct {
	name, what string
	path       string
	problems   []string
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, folder: t.TempDir(), generator: smallswitch.Generator(t), made: map[string][]byte{}}
	b.checker = filepath.Join(b.folder, "checker")
	build := exec.Command("go", "build", "-o", b.checker, ".")
	build.Dir = "../../checker"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return b
}

// open finds a file of the folder.
func (b *bench) open(name string) verify.File { return verify.In(os.DirFS(b.folder), name) }

func (b *bench) write(name string, text []byte) string {
	path := filepath.Join(b.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		b.t.Fatal(err)
	}
	return path
}

// example returns the certificate of an example, with its files; without those lines of its fabric that have a
// text.
func (b *bench) example(name string, without ...string) []byte {
	if text := b.made[name]; text != nil && without == nil {
		return text
	}
	in, err := roceplan.In(os.DirFS("../../examples"), name)
	if err != nil {
		b.t.Fatal(err)
	}
	for i, file := range in.Files {
		for _, line := range without {
			in.Files[i].Text = regexp.MustCompile(`(?m)^.*`+line+`.*\n`).ReplaceAll(file.Text, nil)
		}
	}
	fabric := roceplan.Load(in)
	compiled, err := roceplan.Compile(context.Background(), fabric, roceplan.CompileOptions{})
	if err != nil {
		b.t.Fatal(err)
	}
	var files []verify.File
	for _, f := range compiled.Configs() {
		text, err := f.Read()
		if err != nil {
			b.t.Fatal(err)
		}
		b.write(name+"/"+f.Name, text)
		files = append(files, b.open(name+"/"+f.Name))
	}
	report, err := roceplan.Verify(context.Background(), files, roceplan.VerifyOptions{Fabric: fabric})
	if err != nil {
		b.t.Fatal(err)
	}
	list, err := report.Certificates()
	if err != nil {
		b.t.Fatal(err)
	}
	return b.keep(name, list)
}

func (b *bench) keep(name string, list *verify.Certificates) []byte {
	text, err := list.Marshal()
	if err != nil {
		b.t.Fatal(err)
	}
	b.made[name] = text
	return text
}

// small returns the certificate of a small switch, as if its file were one of its own.
func (b *bench) small(seed int) []byte {
	name := fmt.Sprint("switch ", seed)
	if text := b.made[name]; text != nil {
		return text
	}
	s := b.generator.Example(seed)
	file := []byte(name)
	b.write(name+".txt", file)
	c := proof.Certify(prove(b.t, s.Plan, s.Chip, proof.Context{}), s.Plan.Names, s.Plan.Chip, map[string][]byte{name + ".txt": file})
	c.Stand(proof.Standing{Declared: []string{"chip " + s.Plan.Chip}})
	return b.keep(name, &verify.Certificates{Schema: verify.CertificatesSchema, Devices: s.Plan.Names, Shapes: []*proof.Certificate{c}})
}

// add puts a certificate to the program itself, and keeps it for the other one.
func (b *bench) add(name, what string, text []byte) {
	q := question{name: name, what: what, path: b.write(fmt.Sprintf("c/%d.json", b.asked), text)}
	b.asked++
	list, err := verify.ParseCertificates(text)
	if err != nil {
		q.problems = []string{err.Error()}
	} else if got, err := verify.Alone(list, b.open); err != nil {
		q.problems = []string{err.Error()}
	} else {
		for _, p := range got.Problems {
			q.problems = append(q.problems, p.Message)
		}
	}
	b.waiting = append(b.waiting, q)
}

// settle asks the other checker about all that wait, and compares. All have to be right, if right is set.
func (b *bench) settle(right bool) {
	b.t.Helper()
	args := []string{"-C", b.folder}
	for _, q := range b.waiting {
		args = append(args, q.path)
	}
	out, err := exec.Command(b.checker, args...).Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		b.t.Fatal(err)
	}
	says := map[string][]string{} // the first line and what follows, by path
	of := ""
	for line := range strings.Lines(string(out)) {
		verdict, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		if path, _, _ = strings.Cut(path, ":"); verdict == "right" || verdict == "refused" {
			of = path
		}
		says[of] = append(says[of], strings.TrimSpace(line))
	}
	for _, q := range b.waiting {
		other := says[q.path]
		switch {
		case len(other) == 0:
			b.t.Errorf("%s, %s: the checker says nothing: %v", q.name, q.what, err)
		case right && len(q.problems) > 0:
			b.t.Errorf("%s, %s: %q", q.name, q.what, q.problems)
		case strings.HasPrefix(other[0], "refused") != (len(q.problems) > 0):
			b.t.Errorf("%s, %s: the program says %q, and the checker %q", q.name, q.what, q.problems, other)
		}
		if len(q.problems) > 0 {
			b.refused++
		}
	}
	b.waiting = nil
}

// forge asks about forgeries of a certificate: figures, words, devices and obligations.
func (b *bench) forge(name string, text []byte) {
	forged := func(what string, change func(list *verify.Certificates, c *proof.Certificate) bool) {
		list, err := verify.ParseCertificates(text)
		if err != nil {
			b.t.Fatal(err)
		}
		if change(list, list.Shapes[0]) {
			again, err := list.Marshal()
			if err != nil {
				b.t.Fatal(err)
			}
			b.add(name, what, again)
		}
	}
	list, _ := verify.ParseCertificates(text)
	all := list.Shapes[0].Obligations
	for i, o := range all {
		place := o.ID + " of " + o.Where
		each := func(what string, change func(o *proof.Claim, c *proof.Certificate) bool) {
			forged(what+" of "+place, func(_ *verify.Certificates, c *proof.Certificate) bool { return change(&c.Obligations[i], c) })
		}
		for _, symbol := range []string{"i", "t", "s", "q", "y", "n", "N", "Q", "h", "k", "o"} {
			was, has := o.Terms[symbol]
			for _, value := range []int64{was - 1, 0, 2*was + 1} {
				what := fmt.Sprintf("%s is %d", symbol, value)
				each(what, func(o *proof.Claim, _ *proof.Certificate) bool {
					o.Terms = with(o.Terms, symbol, value)
					return value != was && has
				})
				each(what+", and left as well", func(o *proof.Claim, c *proof.Certificate) bool {
					o.Terms, o.Left = with(o.Terms, symbol, value), o.Left+value-was
					c.Verdict = rework(c, o)
					return value != was
				})
			}
		}
		for _, by := range []int64{-1, 1, -o.Left} {
			each(fmt.Sprintf("left, by %d", by), func(o *proof.Claim, c *proof.Certificate) bool {
				o.Left += by
				c.Verdict = rework(c, o)
				return by != 0
			})
			each(fmt.Sprintf("right, by %d", by), func(o *proof.Claim, c *proof.Certificate) bool {
				o.Right += by
				c.Verdict = rework(c, o)
				return by != 0
			})
		}
		for k := range o.Fills {
			each(fmt.Sprint("fewer accounts of fill ", k), func(o *proof.Claim, _ *proof.Certificate) bool {
				o.Fills[k].Accounts--
				return true
			})
			each(fmt.Sprint("narrower accounts of fill ", k), func(o *proof.Claim, _ *proof.Certificate) bool {
				o.Fills[k].Limits[0].Alpha--
				o.Fills[k].Limits[0].Cells /= 2
				return true
			})
		}
		forged("without "+place, func(_ *verify.Certificates, c *proof.Certificate) bool {
			c.Obligations = slices.Delete(c.Obligations, i, i+1)
			return true
		})
		each("the place", func(o *proof.Claim, _ *proof.Certificate) bool {
			o.Where = all[(i+1)%len(all)].Where
			return true
		})
		each("the place, as one more,", func(o *proof.Claim, c *proof.Certificate) bool {
			c.Obligations = append(c.Obligations, *o)
			return true
		})
		for _, verdict := range []proof.Verdict{proof.Holds, proof.Conditional, proof.Fails, proof.Unjudged} {
			each(fmt.Sprint("the verdict, now ", verdict), func(o *proof.Claim, c *proof.Certificate) bool {
				was := o.Verdict
				o.Verdict = verdict
				c.Verdict = c.Due()
				return was != verdict
			})
		}
	}
	forged("a device more", func(list *verify.Certificates, c *proof.Certificate) bool {
		list.Devices, c.Switches = append(list.Devices, "spine-99"), append(c.Switches, "spine-99")
		return true
	})
	forged("a device that is missing", func(list *verify.Certificates, _ *proof.Certificate) bool {
		list.Devices = append(list.Devices, "spine-99")
		return true
	})
	forged("a device that is said to lack", func(list *verify.Certificates, _ *proof.Certificate) bool {
		list.Devices, list.Lacks = append(list.Devices, "spine-99"), []verify.Lack{{Device: "spine-99", Because: "it is late"}}
		return true
	})
	forged("without the last certificate", func(list *verify.Certificates, _ *proof.Certificate) bool {
		list.Shapes = list.Shapes[:len(list.Shapes)-1]
		return true
	})
	forged("a file that is another one", func(_ *verify.Certificates, c *proof.Certificate) bool {
		for name := range c.Files {
			c.Files[name] = strings.Repeat("0", 64)
		}
		return true
	})
}

// with is a copy of terms with one more.
func with(terms map[string]int64, symbol string, value int64) map[string]int64 {
	own := map[string]int64{symbol: value}
	for s, v := range terms {
		if s != symbol {
			own[s] = v
		}
	}
	return own
}

// rework gives an obligation the verdict that its sides say, and a certificate the one that its obligations do.
func rework(c *proof.Certificate, o *proof.Claim) proof.Verdict {
	if o.Verdict == proof.Holds || o.Verdict == proof.Fails {
		if o.Verdict = proof.Holds; o.Left > o.Right {
			o.Verdict = proof.Fails
		}
	}
	return c.Due()
}

// mutate changes one value of a certificate, at random: a number, a word, a truth, or what a list or an object has.
func mutate(text []byte, random *rand.Rand, what *string) []byte {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		panic(err)
	}
	var places []proof.Place
	for _, p := range proof.Places("", document) {
		if places = append(places, p); p.Delete != nil {
			places = append(places, proof.Place{Path: p.Path, Set: func(any) { p.Delete() }})
		}
	}
	p := places[random.IntN(len(places))]
	var now any
	switch v := p.Value.(type) {
	case json.Number:
		n, _ := v.Int64()
		now = []any{n + 1, n - 1, 0, 2 * n, -n, n + 1<<40}[random.IntN(6)]
	case string:
		now = []any{v + "x", "", strings.ReplaceAll(v, "1", "2"), strings.ToUpper(v)}[random.IntN(4)]
	case bool:
		now = !v
	case []any:
		i := random.IntN(len(v) + 1)
		switch rest := slices.Clone(v); {
		case i == len(v):
			slices.Reverse(rest)
			now = rest
		case random.IntN(2) == 0:
			now = slices.Delete(rest, i, i+1)
		default:
			now = append(rest, v[i])
		}
	}
	p.Set(now)
	*what = fmt.Sprintf("%s was %.60v and is %.60v", p.Path, p.Value, now)
	changed, err := json.Marshal(document)
	if err != nil {
		panic(err)
	}
	return changed
}
