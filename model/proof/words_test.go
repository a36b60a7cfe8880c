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
		changeWords(written["obligations"], "/obligations", func(path string) {
			text, err := json.Marshal(written)
			if err != nil {
				t.Fatal(err)
			}
			read, err := proof.ParseCertificate(text)
			if tried++; err == nil && len(proof.Recheck(read, nil)) == 0 {
				passes[indices.ReplaceAllString(path, "")] = true
				t.Logf("%s: %s", what, path)
			}
		})
		changeWords(written["groups"], "/groups", func(path string) {
			text, _ := json.Marshal(written)
			if read, err := proof.ParseCertificate(text); err == nil && len(proof.Recheck(read, nil)) == 0 {
				passes[indices.ReplaceAllString(path, "")] = true
			}
		})
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

// changeWords calls try with each text of a document in turn longer by a letter.
func changeWords(v any, path string, try func(path string)) {
	each := func(old any, set func(any), path string) {
		if text, ok := old.(string); ok {
			set(text + "x")
			try(path)
			set(old)
			return
		}
		changeWords(old, path, try)
	}
	switch v := v.(type) {
	case map[string]any:
		for name, old := range v {
			each(old, func(now any) { v[name] = now }, path+"/"+name)
		}
	case []any:
		for i, old := range v {
			each(old, func(now any) { v[i] = now }, path)
		}
	}
}
