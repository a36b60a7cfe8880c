package intake

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/observe"
)

// shown returns the counters by the types that `watermarkstat -t TYPE --json` (sonic-utilities,
// scripts/watermarkstat) is asked for. Its output does not say which it is: the file is called after it,
// DEVICE/TYPE.json, and DEVICE/persistent_TYPE.json where -p was given. `show priority-group watermark
// headroom --json` is pg_headroom, `show queue watermark unicast --json` is q_shared_uni, and so on.
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

// kindOfFile returns the type that a file is called after, and whether -p was given.
func (r *reader) kindOfFile() (kind string, lasting bool) {
	base := path.Base(filepath.ToSlash(r.file))
	return strings.CutPrefix(strings.TrimSuffix(base, path.Ext(base)), "persistent_")
}

func readShown(r *reader, text []byte) {
	kind, lasting := r.kindOfFile()
	source := UserMarks
	if lasting {
		source = LastingMarks
	}
	counter, ok := shown()[kind]
	root := r.document(text)
	switch {
	case root == nil:
		return
	case !ok:
		r.found.Errorf(Unnamed, r.line(1), "neither the output of watermarkstat nor the name of the file names the type").
			Fixf("name the file after the type: DEVICE/pg_headroom.json, pg_shared, q_shared_uni, q_shared_all, buffer_pool or headroom_pool, with persistent_ before it for -p")
		return
	}
	r.device = path.Base(path.Dir(filepath.ToSlash(r.file)))
	for _, row := range items(root) {
		port := scalar(row.Get("Port"))
		for i := range row.Members {
			m := &row.Members[i]
			object := observe.Object{Kind: observe.Pool, Name: m.Key}
			if port != "" {
				if object, ok = partOf(port, m.Key); !ok {
					continue // Port itself
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

// queueFields are those of `show queue counters --json` and `show queue wredcounters --json`
// (sonic-utilities, build_json in scripts queuestat and wredstat).
func queueFields() map[string]observe.Counter {
	return map[string]observe.Counter{
		"totalpacket": observe.QueueSent, "totalbytes": observe.QueueSentBytes, "droppacket": observe.QueueDropped, "dropbytes": observe.QueueDroppedBytes,
		"ecnmarkedpacket": observe.QueueMarked, "ecnmarkedbytes": observe.QueueMarkedBytes,
	}
}

func isQueueCounters(text []byte) bool {
	return opens(text, "{") && (bytes.Contains(text, []byte(`"totalpacket"`)) || bytes.Contains(text, []byte(`"ecnmarkedpacket"`)) || bytes.Contains(text, []byte(`"trimpacket"`)))
}

// readQueueCounters reads ports with their queues by name, UC3. Numbers are texts with commas; they
// are differences where the user has cleared the counters, which "cached_time" shows.
func readQueueCounters(r *reader, text []byte) {
	r.deviceOfTable()
	root := r.document(text)
	if root == nil {
		return
	}
	fields := queueFields()
	for i := range root.Members {
		port := &root.Members[i]
		cleared := port.Value.Get("cached_time") != nil
		for j := range port.Value.Members {
			queue := &port.Value.Members[j]
			id, ok := queueOf(queue.Key)
			if !ok {
				continue
			}
			object := observe.Object{Kind: observe.Queue, Name: port.Key, ID: id}
			for k := range queue.Value.Members {
				m := &queue.Value.Members[k]
				counter, known := fields[m.Key]
				if !known {
					continue
				}
				if n, ok := r.wholeText(strings.ReplaceAll(scalar(&m.Value), ",", ""), m.Key, r.doc.At(&m.Value)); ok {
					r.add(observe.Row{Object: object, Counter: counter, Value: n, Every: pollOf(counter), Cleared: cleared, Source: Counters, At: r.doc.At(&m.Value)})
				}
			}
		}
	}
}
