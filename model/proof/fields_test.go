package proof

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
)

var indices = regexp.MustCompile(`/\d+`)

// restsOnFiles are numbers of a model that a certificate may have otherwise and be right in itself: limits, which stand in
// expressions that only the files can give again (see Compare), and what no group of the switch is concerned with.
var restsOnFiles = []string{
	"Config/egress_pools/shared_cells", "Config/ports/ingress_bounds/limit/static_cells", "Config/ports/pgs/limit/alpha", "Config/ports/pgs/limit/static_cells",
	"Config/ports/pgs/reserved_cells", "Config/ports/pgs/xon_offset_cells", "Config/ports/queues/limit/static_cells", "Config/ports/queues/pool",
	"Config/ports/queues/reserved_cells", "Config/slices", "Ports/link/cable", "Ports/link/lossless_frame", "Ports/link/port_frame", "Ports/link/rate",
	"Ports/link/response", "Ports/pausable", "Ports/queues",
}

// Every number of a certificate, one more or one less, is refused, but for those that rest on the files alone, those of
// obligations that were not evaluated, and what is told beside a sum.
func TestEveryNumberOfACertificate(t *testing.T) {
	passes := map[string]bool{}
	tried := 0
	for _, seed := range []int{2, 7, 9, 13} {
		sw := tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 5)), tinyKind(seed))
		p := ofModel(sw, Context{})
		p.buffer()
		text, err := Certify(p.report, nil, "", nil).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		var document any
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		ChangeNumbers(document, "", func(path string) {
			text, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			c, err := ParseCertificate(text)
			if err != nil {
				return
			}
			tried++
			if len(Recheck(c, nil)) > 0 {
				return
			}
			if parts := strings.Split(path, "/"); parts[1] == "obligations" {
				n, _ := strconv.Atoi(parts[2])
				o := &p.report.Obligations[n]
				if o.Left.Expr == "" {
					return
				}
				if parts[3] == "terms" {
					k, _ := strconv.Atoi(parts[4])
					used := regexp.MustCompile(`\b` + o.Terms[k].Symbol + `\b`).MatchString(o.Left.Expr + " " + o.Right.Expr)
					if !used && o.Terms[k].Expr == "" {
						return
					}
				}
			}
			passes[indices.ReplaceAllString(path, "")] = true
		})
	}
	var got []string
	for path := range passes {
		if model, ok := strings.CutPrefix(path, "/model/"); ok {
			got = append(got, model)
		} else if !strings.HasPrefix(path, "/coverage/") { // which says nothing that arithmetic could show
			t.Errorf("%s is not refused", path)
		}
	}
	if slices.Sort(got); !slices.Equal(got, restsOnFiles) || tried < 900 {
		t.Errorf("of %d these are not refused: %q", tried, got)
	}
}
