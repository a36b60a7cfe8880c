package proof

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
)

var indices = regexp.MustCompile(`/\d+`)

// restsOnFiles are numbers of a model that a certificate may have otherwise and be right in itself, where no side of an
// obligation changes by it. Compare reads them from the files again.
var restsOnFiles = []string{
	"cell", "egress/other/shared", "ingress/in/shared", "ports/feeds", "ports/groups/limit/alpha", "ports/groups/limit/cells", "ports/groups/offset",
	"ports/groups/reserved", "ports/ingress/in/cells", "ports/link/cable", "ports/link/frame", "ports/link/lossless", "ports/link/rate",
	"ports/link/response", "ports/pausable", "ports/queues/limit/cells",
}

// widerFills are numbers of fills: a wider limit, or one account more, takes nothing of a pool that has no free cell left.
var widerFills = []string{"/obligations/fills/accounts", "/obligations/fills/limits/alpha"}

// Every number of a certificate, one more or one less, is refused, but for those that rest on the files alone and fills that
// take nothing.
func TestEveryNumberOfACertificate(t *testing.T) {
	passes := map[string]bool{}
	tried := 0
	for _, seed := range []int{2, 7, 9, 13} {
		sw := tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 5)), tinyKind(seed))
		p := ofModel(sw, Context{})
		p.buffer()
		text := must.Get(json.Marshal(Certify(p.report, nil, "", nil)))(t)
		var document any
		must.Do(t, json.Unmarshal(text, &document))
		ChangeNumbers(document, "", func(path string) {
			text := must.Get(json.Marshal(document))(t)
			c, err := ParseCertificate(text)
			if err != nil {
				return
			}
			tried++
			if len(Recheck(c, nil)) > 0 {
				return
			}
			passes[indices.ReplaceAllString(path, "")] = true
		})
	}
	var got []string
	for path := range passes {
		if model, ok := strings.CutPrefix(path, "/model/"); ok {
			got = append(got, model)
		} else if !strings.HasPrefix(path, "/coverage/") && !slices.Contains(widerFills, path) { // which says nothing that arithmetic could show
			t.Errorf("%s is not refused", path)
		}
	}
	if slices.Sort(got); !slices.Equal(got, restsOnFiles) || tried < 500 {
		t.Errorf("of %d these are not refused: %q", tried, got)
	}
}
