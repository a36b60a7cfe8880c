package intake

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/observe"
)

// Tables of COUNTERS_DB, as sonic-swss-common common/schema.h names them. Keys of the last
// four are TABLE:oid:0x…, all others are one hash each.
const (
	PortNames     = "COUNTERS_PORT_NAME_MAP"        // port → oid
	QueueNames    = "COUNTERS_QUEUE_NAME_MAP"       // port:index → oid
	QueuePorts    = "COUNTERS_QUEUE_PORT_MAP"       // oid → oid of the port
	QueueIndices  = "COUNTERS_QUEUE_INDEX_MAP"      // oid → index
	QueueTypes    = "COUNTERS_QUEUE_TYPE_MAP"       // oid → SAI_QUEUE_TYPE_…
	GroupNames    = "COUNTERS_PG_NAME_MAP"          // port:index → oid
	GroupPorts    = "COUNTERS_PG_PORT_MAP"          // oid → oid of the port
	GroupIndices  = "COUNTERS_PG_INDEX_MAP"         // oid → index
	PoolNames     = "COUNTERS_BUFFER_POOL_NAME_MAP" // pool → oid
	Counters      = "COUNTERS"
	PeriodicMarks = "PERIODIC_WATERMARKS"   // since the last turn of the telemetry's timer
	UserMarks     = "USER_WATERMARKS"       // since the user cleared them
	LastingMarks  = "PERSISTENT_WATERMARKS" // since the user cleared these
)

// UnicastQueue is the type of queues that hold RoCE (SAI's saiqueue.h).
const UnicastQueue = "SAI_QUEUE_TYPE_UNICAST"

// PollWatermarks and PollCounters are how often SONiC reads the chip by default (sonic-swss
// orchagent/portsorch.cpp: QUEUE_WATERMARK_FLEX_STAT_COUNTER_POLL_MSECS and PG_WATERMARK_… are
// 60,000, QUEUE_STAT_COUNTER and PG_DROP_STAT_COUNTER 10,000, PORT_STAT_COUNTER 1,000).
const (
	PollWatermarks   = 60 * time.Second
	PollQueues       = 10 * time.Second
	PollPorts        = time.Second
	mostOIDsReported = 3 // of objects without a name
)

func isCountersDB(text []byte) bool {
	return opens(text, "{") && (bytes.Contains(text, []byte(`"COUNTERS_`)) || bytes.Contains(text, []byte(`"COUNTERS:oid:`)) ||
		bytes.Contains(text, []byte(`_WATERMARKS:oid:`)) || bytes.Contains(text, []byte(`"COUNTERS"`)))
}

// dialect bounds a file: COUNTERS_DB of a chassis has some 20 MB.
func dialect() *posjson.Dialect {
	return &posjson.Dialect{
		MaxSize: 64 << 20, MaxDepth: 64, MaxNodes: 8 << 20,
		Invalid: Invalid, TooLarge: Invalid, TooDeep: Invalid, Duplicate: Invalid, InvalidUTF8: Invalid,
	}
}

// document parses JSON; nil after a fault, which is reported.
func (r *reader) document(text []byte) (root *posjson.Node) {
	r.doc, root = r.dialect.Parse(r.file, text, &r.found)
	return root
}

// A database is COUNTERS_DB with its keys flat, each hash with its place.
type database struct {
	hashes  map[string]*posjson.Node
	keys    []hashKey       // TABLE:oid, in the order of the file
	ignored map[string]bool // oids of queues that carry no RoCE
}

type hashKey struct {
	table, oid string
	at         diag.Range
	hash       *posjson.Node
}

func readCountersDB(r *reader, text []byte) {
	root := r.document(text)
	if root == nil {
		return
	}
	if root.Kind != posjson.Object {
		r.found.Errorf(Invalid, r.doc.At(root), "this is not a dump, which is an object of hashes").Fixf("give the output of: sonic-db-dump -n COUNTERS_DB -y")
		return
	}
	db := database{hashes: map[string]*posjson.Node{}, ignored: map[string]bool{}}
	for i := range root.Members {
		db.member(r, &root.Members[i])
	}
	r.tables(&db)
}

// member takes a key of the dump: a hash as sonic-db-dump writes it, with type and value, or
// as redis-dump-load and the tests of sonic-utilities do, the fields alone; keys are also nested below their
// table.
func (db *database) member(r *reader, m *posjson.Member) {
	hash := &m.Value
	if v := hash.Get("value"); v != nil && hash.Get("type") != nil {
		hash = v
	}
	if hash.Kind != posjson.Object {
		if tableOf(m.Key) != "" || strings.HasSuffix(m.Key, "_MAP") {
			r.errorf(Invalid, r.doc.At(hash), "%s is not a hash of fields", posjson.Clip(m.Key)).Fixf("give the dump as it is written, with the fields of each hash")
		}
		return
	}
	db.hashes[m.Key] = hash
	if table := tableOf(m.Key); table != "" {
		db.keys = append(db.keys, hashKey{table, m.Key[len(table)+1:], r.doc.KeyAt(m), hash})
		return
	}
	switch m.Key {
	case Counters, PeriodicMarks, UserMarks, LastingMarks:
		for j := range hash.Members {
			row := &hash.Members[j]
			if row.Value.Kind == posjson.Object {
				db.keys = append(db.keys, hashKey{m.Key, row.Key, r.doc.KeyAt(row), &row.Value})
			}
		}
	}
}

// tableOf returns the table of a flat key, empty where it is of none that holds counters.
func tableOf(key string) string {
	for _, table := range []string{Counters, PeriodicMarks, UserMarks, LastingMarks} {
		if strings.HasPrefix(key, table+":oid:") {
			return table
		}
	}
	return ""
}

// Holds reports whether a hash of COUNTERS_DB is read: one of counters, or one of names.
func Holds(key string) bool { return tableOf(key) != "" || HoldsNames(key) }

// HoldsNames reports whether a hash says what other hashes belong to.
func HoldsNames(key string) bool {
	return slices.Contains([]string{PortNames, QueueNames, QueueTypes, GroupNames, PoolNames}, key)
}

// tables finds the object of every hash, and makes rows.
func (r *reader) tables(db *database) {
	objects := db.objects(r)
	var nameless []hashKey
	for _, key := range db.keys {
		object, ok := objects[key.oid]
		if db.ignored[key.oid] {
			continue
		}
		if !ok {
			if interesting(key.hash) {
				nameless = append(nameless, key)
			}
			continue
		}
		r.hash(key, object)
	}
	for i, key := range nameless {
		if i == mostOIDsReported {
			break
		}
		r.found.Warnf(Nameless, key.at, "no map names %s, so the owner of its counters is not known; there are %d such objects", posjson.Clip(key.oid), len(nameless)).Fixf("dump the whole COUNTERS_DB, with its COUNTERS_PORT_NAME_MAP and the other maps")
	}
}

// interesting reports whether a hash holds a counter of a queue or of a group: those that no
// map names are a loss. Ports of other sorts, such as the CPU's, have no name.
func interesting(hash *posjson.Node) bool {
	return hash.Get(string(observe.GroupHeadroom)) != nil || hash.Get(string(observe.GroupDropped)) != nil || hash.Get(string(observe.QueueShared)) != nil
}

// objects joins the maps of names. Queues that are not unicast carry no RoCE and are left out.
func (db *database) objects(r *reader) map[string]observe.Object {
	objects := map[string]observe.Object{}
	each := func(table string, f func(name, oid string, at *posjson.Node)) {
		hash := db.hashes[table]
		if hash == nil {
			return
		}
		for i := range hash.Members {
			m := &hash.Members[i]
			if !m.Value.Scalar() {
				r.errorf(Invalid, r.doc.At(&m.Value), "%s of %s is not one string", posjson.Clip(m.Key), table).Fixf("give the dump as it is written, with one string for each field")
				continue
			}
			f(m.Key, m.Value.Text, &m.Value)
		}
	}
	parts := func(kind observe.ObjectKind) func(name, oid string, at *posjson.Node) {
		return func(name, oid string, at *posjson.Node) {
			port, index, ok := cutLast(name, ":")
			id, err := strconv.ParseUint(index, 10, 8)
			if !ok || err != nil {
				r.errorf(Invalid, r.doc.At(at), "%s is not PORT:INDEX", posjson.Clip(name)).Fixf("give the dump as it is written: names of queues and groups are PORT:INDEX")
				return
			}
			objects[oid] = observe.Object{Kind: kind, Name: port, ID: uint8(id)}
		}
	}
	each(PortNames, func(name, oid string, _ *posjson.Node) { objects[oid] = observe.Object{Kind: observe.Port, Name: name} })
	each(GroupNames, parts(observe.Group))
	each(QueueNames, parts(observe.Queue))
	each(PoolNames, func(name, oid string, _ *posjson.Node) { objects[oid] = observe.Object{Kind: observe.Pool, Name: name} })
	each(QueueTypes, func(oid, kind string, _ *posjson.Node) {
		if kind != UnicastQueue && kind != "SAI_QUEUE_TYPE_ALL" {
			db.ignored[oid] = true
		}
	})
	return objects
}

// cutLast cuts at the last separator: names of ports may hold colons in other systems.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// hash makes rows of the counters that are known.
func (r *reader) hash(key hashKey, object observe.Object) {
	for _, counter := range observe.Known(object.Kind) {
		n := key.hash.Get(string(counter))
		if n == nil {
			continue
		}
		value, ok := r.whole(n, string(counter))
		if !ok {
			continue
		}
		r.add(observe.Row{
			Object: object, Counter: counter, Value: value, Every: pollOf(counter),
			// syncd reads the chip's watermark and clears it: the value in COUNTERS is of one interval
			// (sonic-sairedis syncd/FlexCounter.cpp, SAI_STATS_MODE_READ_AND_CLEAR).
			Cleared: key.table == Counters && counter.Kind() == observe.Watermark,
			Source:  key.table, At: r.doc.At(n),
		})
	}
}

// pollOf is SONiC's default.
func pollOf(c observe.Counter) time.Duration {
	switch {
	case c.Kind() == observe.Watermark:
		return PollWatermarks
	case strings.HasPrefix(string(c), "SAI_PORT_STAT"):
		return PollPorts
	}
	return PollQueues
}

// whole reads a whole number; "N/A" and the empty text, which SONiC writes where the chip has
// no such counter, are unknown.
func (r *reader) whole(n *posjson.Node, what string) (uint64, bool) {
	if !n.Scalar() {
		r.errorf(Invalid, r.doc.At(n), "%s is not one number", what).Fixf("give one number")
		return 0, false
	}
	if n.Text == "" || n.Text == "N/A" || n.Kind == posjson.Other && n.Text == "null" {
		return 0, false
	}
	value, err := strconv.ParseUint(n.Text, 10, 64)
	if err != nil {
		r.errorf(NotNumber, r.doc.At(n), "%s is %s, and must be a whole number below 2^64", what, posjson.Clip(n.Text)).Fixf("give the counter as the device counts it: a whole number below 2^64")
		return 0, false
	}
	return value, true
}
