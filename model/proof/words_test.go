package proof_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
)

// Every word of a certificate is refused that is another one, but for statements: sources in the catalogue, and conditions
// of kinds that this package does not know (package verify does). See docs/certificates.md.
func TestEveryWordOfACertificate(t *testing.T) {
	indices := regexp.MustCompile(`/\d+`)
	passes, tried := map[string]bool{}, 0
	for what, c := range conditionals(t) {
		if errs := proof.Recheck(c, nil); errs != nil {
			t.Errorf("%s: %v", what, errs)
		}
		written := document(t, c)
		for _, part := range []string{"obligations", "groups"} {
			for _, p := range proof.Places("/"+part, written[part]) {
				word, is := p.Value.(string)
				if !is {
					continue
				}
				p.Set(word + "x")
				text, err := json.Marshal(written)
				if err != nil {
					t.Fatal(err)
				}
				p.Set(word)
				read, err := proof.ParseCertificate(text)
				if tried++; err == nil && len(proof.Recheck(read, nil)) == 0 {
					passes[indices.ReplaceAllString(p.Path, "")] = true
					t.Logf("%s: %s", what, p.Path)
				}
			}
		}
	}
	got := []string{}
	for path := range passes {
		got = append(got, path)
	}
	slices.Sort(got)
	if want := []string{"/obligations/conditions/assumes", "/obligations/conditions/id"}; !slices.Equal(got, want) || tried < 1000 {
		t.Errorf("of %d these are not refused: %q, want %q", tried, got, want)
	}
}
