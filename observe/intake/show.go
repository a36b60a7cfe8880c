package intake

import (
	"bytes"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/observe"
)

// shown are what `watermarkstat -t TYPE --json` (sonic-utilities, scripts/watermarkstat) is asked
// for. Its output does not say which it is: the file is called after it, DEVICE/TYPE.json, and
// DEVICE/persistent_TYPE.json where -p was given. `show priority-group watermark headroom --json`
// is pg_headroom, `show queue watermark unicast --json` is q_shared_uni, and so on.
func shown() map[string]observe.Counter {
	return map[string]observe.Counter{
		"pg_headroom": observe.GroupHeadroom, "pg_shared": observe.GroupShared,
		"q_shared_uni": observe.QueueShared, "q_shared_all": observe.QueueShared,
		"buffer_pool": observe.PoolShared, "headroom_pool": observe.PoolHeadroom,
	}
}

func isShown(text []byte) bool {
	return opens(text, "[") && (bytes.Contains(text, []byte(`"PG`)) || bytes.Contains(text, []byte(`"UC`)) || bytes.Contains(text, []byte(`"ALL`)) || bytes.Contains(text, []byte(`_pool"`)))
}

func readShown(r *reader, text []byte) {
	base := strings.TrimSuffix(path.Base(filepath.ToSlash(r.file)), path.Ext(r.file))
	kind, source := strings.TrimPrefix(base, "persistent_"), UserMarks
	if kind != base {
		source = LastingMarks
	}
	counter, ok := shown()[kind]
	root := r.document(text)
	switch {
	case root == nil:
		return
	case !ok:
		r.found.Errorf(Unnamed, r.line(1), "the output of watermarkstat does not say what it is of, and neither does the name of the file").
			Fixf("call the file after the type: DEVICE/pg_headroom.json, pg_shared, q_shared_uni, q_shared_all, buffer_pool or headroom_pool; persistent_ before it, where -p was given")
		return
	}
	r.device = path.Base(path.Dir(filepath.ToSlash(r.file)))
	for _, row := range items(root) {
		port := scalar(row.Get("Port"))
		for i := range row.Members {
			m := &row.Members[i]
			object := observe.Object{Kind: observe.Pool, Name: m.Key}
			if port != "" {
				n, err := strconv.ParseUint(strings.TrimLeft(m.Key, "PGUCAL"), 10, 8)
				if err != nil {
					continue // Port itself
				}
				object = observe.Object{Kind: observe.Queue, Name: port, ID: uint8(n)}
				if strings.HasPrefix(m.Key, "PG") {
					object.Kind = observe.Group
				}
			}
			if m.Value.Kind == posjson.Object {
				continue
			}
			if n, ok := r.whole(&m.Value, m.Key); ok {
				r.add(observe.Row{Object: object, Counter: counter, Value: n, Every: PollWatermarks, Source: source, At: r.doc.At(&m.Value)})
			}
		}
	}
}
