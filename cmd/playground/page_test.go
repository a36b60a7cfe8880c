package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/report"
)

// The page's policy has the digest of the report's script, which the page shows in a frame: else the browser would not
// run it there. The page itself is tried in Chromium where the site is made.
func TestPolicy(t *testing.T) {
	compiled := must.Get(roceplan.Compile(t.Context(), roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "a.hcl", Text: []byte(`fabric "a" {}`)}}}), roceplan.CompileOptions{}))(t)
	var drawn bytes.Buffer
	must.Do(t, report.Write(&drawn, compiled, report.Options{}))
	digest := regexp.MustCompile(`script-src ('sha256-[^']*')`).FindStringSubmatch(strings.ReplaceAll(drawn.String(), "&#43;", "+"))
	page, err := os.ReadFile("page/index.html")
	if err != nil || digest == nil || !bytes.Contains(page, []byte(digest[1])) {
		t.Errorf("the policy does not have %v: %v", digest, err)
	}
}
