package arch

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// idiom are words that people who build networks do not use, and what they say instead. What is
// here was in the program once, or is of the same kind.
var instead = []struct{ word, say string }{
	{`tells (whether|if|that|how|why|which|what)`, "reports whether, is set where, says"},
	{`(full )?to the brim`, "full"},
	{`is no (name|length|rate|amount|time|unit|port|class|queue|number|method|word) of`, "is not a …"},
	{`mend(s|ed|ing)?`, "fix, correct"},
	{`stays? out of (it|the)`, "is left out"},
	{`reckon(s|ed|ing)?`, "assume, compute, use"},
	{`(w|th)hence|hither|thither|hence(forth)?`, "from which, so"},
	{`(where|there|here)(in|of|by|upon|with|unto)`, "in which, by this"},
	{`(n[ao]ught|aught)`, "nothing, zero"},
	{`lest`, "so that … not"},
	{`amiss|astray|awry`, "wrong"},
	{`thrice`, "three times"},
	{`albeit`, "although"},
	{`up?on which`, "on which"},
	{`whilst|amongst|amidst|betwixt`, "while, among, between"},
	{`heed(s|ed|ing)?`, "obey, ignore"},
	{`(slip|slips) of the (finger|pen)`, "spelling mistake"},
	{`foretold|forewarned|forebod(es|ing)`, "predicted"},
	{`bids?|shuns?|begets?|deems?|ought`, "asks, avoids, makes, is taken as, should"},
	{`waits? for the dead`, "waits for a process that ended"},
}

// compiled finds any of the words; one expression reads the text once.
func compiled() *regexp.Regexp {
	var words []string
	for _, w := range instead {
		words = append(words, w.word)
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
}

// Prose is plain: the words of an idiom of our own are in no comment, message or page.
func TestPlainWords(t *testing.T) {
	files, idiom := 0, compiled()
	repository := os.DirFS("../..")
	must.Do(t, fs.WalkDir(repository, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (name == "golden" || d.Name() == "testdata" || d.Name() == "node_modules" || name == "out" || name == "dist" || name != "." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if !slices.Contains([]string{".go", ".md", ".hcl", ".tmpl", ".html"}, path.Ext(name)) || name == "internal/arch/words_test.go" {
			return nil
		}
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		files++
		for _, found := range append(unplain(string(text), idiom), nouns(string(text))...) {
			t.Errorf("%s:%s", name, found)
		}
		return nil
	}))
	if files < 500 {
		t.Errorf("%d files were read, which cannot be all", files)
	}
}

// unplain finds words of the idiom in a text: line, word, and what to say instead.
func unplain(text string, idiom *regexp.Regexp) (found []string) {
	for _, at := range idiom.FindAllStringIndex(text, -1) {
		line := 1 + strings.Count(text[:at[0]], "\n")
		found = append(found, fmt.Sprintf("%d: %q is not plain: %s", line, text[at[0]:at[1]], better(text[at[0]:at[1]])))
	}
	return found
}

// better returns the words to use instead of a phrase that was found.
func better(phrase string) string {
	for _, w := range instead {
		if regexp.MustCompile(`(?i)^(` + w.word + `)$`).MatchString(phrase) {
			return w.say
		}
	}
	return ""
}

// A doc comment of a function, from its first line to the function's name.
var functionDoc = regexp.MustCompile(`(?m)^// (\w+) (is|are) (what|the)\b.*(\n//.*)*\nfunc (\([^)]*\) )?(\w+)`)

// nouns finds functions whose doc comment says what they are, and not what they do.
func nouns(text string) (found []string) {
	for _, at := range functionDoc.FindAllStringSubmatchIndex(text, -1) {
		if name := text[at[2]:at[3]]; name == text[at[12]:at[13]] {
			line := 1 + strings.Count(text[:at[0]], "\n")
			found = append(found, fmt.Sprintf("%d: a function does something: write \"%s returns …\", \"%s reports whether …\", or another verb", line, name, name))
		}
	}
	return found
}

func TestNounsAreFound(t *testing.T) {
	for _, text := range []string{"\n// f is what holds.\nfunc f() {}", "// f are the ports\n// of s.\nfunc (s *T) f() {}", "// F is the key.\nfunc F[K any]() {}"} {
		must.Equalf(t, len(nouns(text)), 1, "%q passes:", text)
	}
	for _, text := range []string{"// f returns the port.\nfunc f() {}", "// t is the key.\ntype t int\n\nfunc t() {}", "// f isthe key\nfunc f() {}", "// g is the key of f.\n\nfunc g() {}"} {
		if found := nouns(text); found != nil {
			t.Errorf("%q does not pass: %q", text, found)
		}
	}
}

func TestIdiomIsFound(t *testing.T) {
	all := compiled()
	for _, text := range []string{"f tells whether it holds", "Mend these first", "It is filled to the brim", "x is no name of a chip", "HEED it"} {
		must.Equalf(t, len(unplain(text, all)), 1, "%q passes: %q:", text, unplain(text, all))
	}
	for _, text := range []string{"amendment", "it reports whether", "needed", "a number of cells", "therefore", "upon"} {
		if found := unplain(text, all); found != nil {
			t.Errorf("%q does not pass: %q", text, found)
		}
	}
}

// unfit are words that no comment of production code needs, and what to write instead. Messages and tests may have them.
var unfit = []struct{ word, say string }{
	{`[Nn]obody`, "no host, no file, not declared"},
	{`beside`, "next to, in addition to, outside"},
	{`[Ss]tands`, "is"},
	{`told|[Tt]ells`, "configured, printed, reports, sets"},
	{`[Ll]ies?`, "is"},
}

// Comments of production code have a verb that says what happens: a switch is configured, a finding is reported.
func TestPlainComments(t *testing.T) {
	comments := 0
	for file, tree := range parseTree(t, ".") {
		if strings.HasPrefix(file, "internal/testing/") {
			continue
		}
		for _, group := range tree.Comments {
			comments++
			for _, found := range unfitIn(group.Text()) {
				t.Errorf("%s: %s", file, found)
			}
		}
	}
	if comments < 10_000 {
		t.Errorf("%d comments were read, which cannot be all", comments)
	}
}

// unfitIn finds unfit words of a comment: the word, what to write instead, and the comment's beginning.
func unfitIn(comment string) (found []string) {
	for _, w := range unfit {
		if word := regexp.MustCompile(`\b(` + w.word + `)\b`).FindString(comment); word != "" {
			found = append(found, fmt.Sprintf("%q is not plain: %s: %.60q", word, w.say, comment))
		}
	}
	return found
}

func TestUnfitWordsAreFound(t *testing.T) {
	for _, text := range []string{"nil where nobody asks", "kept beside the file", "where a packet stands", "what it is told", "Tells the peer", "it lies below"} {
		must.Equalf(t, len(unfitIn(text)), 1, "%q passes: %q:", text, unfitIn(text))
	}
	for _, text := range []string{"Beside is a name", "it implies", "besides", "a switch understands", "Told is a type"} {
		if found := unfitIn(text); found != nil {
			t.Errorf("%q does not pass: %q", text, found)
		}
	}
}
