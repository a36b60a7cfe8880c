package arch

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Each promise of SECURITY.md names the tests that fail if it is false, and these tests are there.
func TestSecurityPage(t *testing.T) {
	page := must.Get(fs.ReadFile(repository, "SECURITY.md"))(t)
	promises := 0
	for _, line := range strings.Split(string(page), "\n") {
		if promise, ok := strings.CutPrefix(line, "- "); ok {
			for _, sentence := range sentences(promise) {
				promises++
				if !namesTests(t, sentence) {
					t.Errorf("no test is named behind %q", sentence)
				}
			}
		}
	}
	if promises < 15 {
		t.Errorf("the page has %d promises, too few to mean anything", promises)
	}
}

// sentences cuts a promise where a sentence ends: at a period before a space and a capital, or at the
// end.
func sentences(text string) []string {
	ends := regexp.MustCompile("\\. (?:[A-Z`])").FindAllStringIndex(text, -1)
	var list []string
	from := 0
	for _, end := range ends {
		list = append(list, text[from:end[0]+1])
		from = end[0] + 2
	}
	return append(list, text[from:])
}

var testLink = regexp.MustCompile(`\[(Test\w+)\]\(([\w/.-]+_test\.go)\)`)

// namesTests reports whether a sentence ends with the names of tests, each of which is in its file.
func namesTests(t *testing.T, sentence string) bool {
	links := testLink.FindAllStringSubmatch(sentence, -1)
	for _, link := range links {
		text, err := fs.ReadFile(repository, link[2])
		if err != nil || !strings.Contains(string(text), "\nfunc "+link[1]+"(") {
			t.Errorf("there is no %s in %s", link[1], link[2])
		}
	}
	return len(links) > 0 && strings.HasSuffix(sentence, ").")
}

func TestSentencesWithoutTestsAreFound(t *testing.T) {
	got := sentences("It reads files ([TestA](a_test.go)). It writes none.")
	if len(got) != 2 || testLink.MatchString(got[1]) || !testLink.MatchString(got[0]) {
		t.Errorf("%q", got)
	}
}
