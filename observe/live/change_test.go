package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// Requests are decoded by the library as they were meant: paths with keys that hold slashes, values,
// and the extension of confirmed commits.
func TestSetOnTheWire(t *testing.T) {
	s := Set{
		Deletes:  []string{"/interface[name=ethernet-1/1]/mtu", "openconfig:/qos/queues"},
		Replaces: []Value{{"/qos/linecard[slot=1]/forwarding-complex[name=0]", []byte(`{"a":1}`)}},
		Updates:  []Value{{"/interface[name=ethernet-1/2]/subinterface[index=0]", []byte(`{"index":0}`)}},
	}
	for _, c := range []struct {
		commit Commit
		want   string
	}{
		{Commit{ID: "x", For: 10 * time.Minute}, `id:"x" commit:{rollback_duration:{seconds:600}}`},
		{Commit{ID: "x", Confirm: true}, `id:"x" confirm:{}`},
		{Commit{ID: "x", Cancel: true}, `id:"x" cancel:{}`},
		{Commit{}, ""},
	} {
		var r gnmi.SetRequest
		if err := proto.Unmarshal(setRequest(s, c.commit), &r); err != nil {
			t.Fatal(err)
		}
		path := func(p *gnmi.Path) (text string) {
			text = p.Origin
			for _, e := range p.Elem {
				text += fmt.Sprintf("/%s%v", e.Name, e.Key)
			}
			return text
		}
		got := path(r.Delete[0]) + " " + path(r.Delete[1]) + " " + path(r.Replace[0].Path) + string(r.Replace[0].Val.GetJsonIetfVal()) + " " + path(r.Update[0].Path) + string(r.Update[0].Val.GetJsonIetfVal())
		const want = `/interfacemap[name:ethernet-1/1]/mtumap[] openconfig/qosmap[]/queuesmap[] /qosmap[]/linecardmap[slot:1]/forwarding-complexmap[name:0]{"a":1} /interfacemap[name:ethernet-1/2]/subinterfacemap[index:0]{"index":0}`
		if got != want {
			t.Errorf("%s\nnot\n%s", got, want)
		}
		if c.want == "" && len(r.Extension) == 0 {
			continue
		}
		if got, err := prototext.Marshal(r.Extension[0].GetCommit()); err != nil || strings.Join(strings.Fields(string(got)), " ") != c.want {
			t.Errorf("%s, not %s: %v", got, c.want, err)
		}
	}
}
