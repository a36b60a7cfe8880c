package patch_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/redisserver"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// configDB is the number of SONiC's configuration database (sonic-swss-common
// common/database_config.json).
const configDB = 4

// startRedis connects to a real server.
func startRedis(t *testing.T) redis.Conn {
	t.Helper()
	socket, stop := redisserver.Start(t)
	t.Cleanup(stop)
	conn := redisserver.Dial(t, socket, configDB)
	t.Cleanup(func() { conn.Close() })
	return conn
}

func do(t *testing.T, conn redis.Conn, command string, args ...any) any {
	t.Helper()
	reply, err := conn.Do(command, args...)
	if err != nil {
		t.Fatalf("%s %v: %v", command, args, err)
	}
	return reply
}

// put lays a row out as SONiC does (sonic-swss-common common/configdb.h): a hash
// TABLE|key, a list under its name with @, and in a row without fields NULL: NULL.
func put(t *testing.T, conn redis.Conn, table, key string, row patch.Row) {
	args := redis.Args{table + "|" + key}
	for field, v := range row {
		if v.List != nil {
			args = args.Add(field+"@", strings.Join(v.List, ","))
		} else {
			args = args.Add(field, v.Text)
		}
	}
	if len(row) == 0 {
		args = args.Add("NULL", "NULL")
	}
	do(t, conn, "DEL", table+"|"+key)
	do(t, conn, "HSET", args...)
}

func load(t *testing.T, conn redis.Conn, db patch.DB) {
	do(t, conn, "FLUSHDB")
	for table, rows := range db {
		for key, row := range rows {
			put(t, conn, table, key, row)
		}
	}
}

// unload reads all that is there.
func unload(t *testing.T, conn redis.Conn) patch.DB {
	t.Helper()
	keys := must.Get(redis.Strings(do(t, conn, "KEYS", "*"), nil))(t)
	db := make(patch.DB)
	for _, key := range keys {
		table, name, _ := strings.Cut(key, "|")
		if db[table] == nil {
			db[table] = make(patch.Table)
		}
		db[table][name] = readRow(t, conn, key)
	}
	return db
}

func readRow(t *testing.T, conn redis.Conn, key string) patch.Row {
	hash := must.Get(redis.StringMap(do(t, conn, "HGETALL", key), nil))(t)
	row := make(patch.Row)
	for field, text := range hash {
		switch name, isList := strings.CutSuffix(field, "@"); {
		case field == "NULL":
		case isList:
			row[name] = patch.Value{List: strings.Split(text, ",")}
		default:
			row[field] = patch.Value{Text: text}
		}
	}
	return row
}

// perform does to the database what an operation says.
func perform(t *testing.T, conn redis.Conn, op patch.Operation) {
	keys := strings.Split(op.Path, "/")[1:]
	for i := range keys {
		keys[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(keys[i])
	}
	value := must.Get(json.Marshal(op.Value))(t)
	switch {
	case len(keys) == 1 && op.Op == "remove":
		found, err := redis.Strings(do(t, conn, "KEYS", keys[0]+"|*"), nil)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s is removed and was not there: %v", op.Path, err)
		}
		do(t, conn, "DEL", redis.Args{}.AddFlat(found)...)
	case len(keys) == 1:
		var table map[string]map[string]string
		check(t, json.Unmarshal(value, &table))
		for key, fields := range table {
			put(t, conn, keys[0], key, rowOf(fields))
		}
	case len(keys) == 2 && op.Op == "remove":
		one(t, op, do(t, conn, "DEL", keys[0]+"|"+keys[1]))
	case len(keys) == 2:
		var fields map[string]string
		check(t, json.Unmarshal(value, &fields))
		put(t, conn, keys[0], keys[1], rowOf(fields))
	case op.Op == "remove":
		one(t, op, do(t, conn, "HDEL", keys[0]+"|"+keys[1], keys[2]))
	default:
		var text string
		check(t, json.Unmarshal(value, &text))
		do(t, conn, "HSET", keys[0]+"|"+keys[1], keys[2], text)
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	must.Do(t, err)
}

func one(t *testing.T, op patch.Operation, reply any) {
	t.Helper()
	if n, err := redis.Int(reply, nil); err != nil || n != 1 {
		t.Fatalf("%s is removed and was not there", op.Path)
	}
}

func rowOf(fields map[string]string) patch.Row {
	row := make(patch.Row, len(fields))
	for field, text := range fields {
		row[field] = patch.Value{Text: text}
	}
	return row
}

// script is a file of the command line's test of patches.
func script(t testing.TB, name string) []byte {
	t.Helper()
	archive, err := txtar.ParseFile("../golden/script/patch.txtar")
	check(t, err)
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return archive.Files[i].Data
}

// In a real database a configuration comes back equal, and the patch leads from the old
// one to the new one.
func TestRedis(t *testing.T) {
	conn := startRedis(t)
	olds := [][]byte{script(t, "running.json"), script(t, "unsafe.json")}
	news := []*plan.Switch{nil, nil}
	draw := rapid.Custom(func(t *rapid.T) *plan.Switch { return fabric(t, false) })
	for i := range 20 {
		olds, news = append(olds, full(t, draw.Example(i))), append(news, draw.Example(i+100))
	}
	for i, src := range olds {
		old := running(t, src)
		load(t, conn, old.DB)
		if diff := cmp.Diff(old.DB, unload(t, conn)); diff != "" {
			t.Fatalf("the database differs (-loaded +read):\n%s", diff)
		}
		if news[i] == nil {
			continue
		}
		p := must.Sound(patch.Make(news[i], "leaf-01", old, nil))(t)
		for _, op := range p.Operations() {
			perform(t, conn, op)
		}
		now := unload(t, conn)
		if diff := cmp.Diff(running(t, apply(t, src, p.Operations()...)).DB, now); diff != "" {
			t.Fatalf("the patched database differs (-file +database):\n%s", diff)
		}
		if diff := cmp.Diff(p.Target, now); diff != "" {
			t.Fatalf("the patched database differs (-wanted +database):\n%s", diff)
		}
	}
	keepsOthers(t, conn)
}

// keepsOthers patches a switch with SONiC's defaults: tables and ports of others are in
// the database as they were.
func keepsOthers(t *testing.T, conn redis.Conn) {
	old := running(t, script(t, "running.json"))
	sw := defaults()
	p := must.Sound(patch.Make(sw, "tor-1", old, nil))(t)
	load(t, conn, old.DB)
	for _, op := range p.Operations() {
		perform(t, conn, op)
	}
	now := unload(t, conn)
	for _, table := range []string{"BGP_NEIGHBOR", "DEVICE_METADATA", "DOT1P_TO_TC_MAP", "LOOPBACK_INTERFACE", "NTP_SERVER", "VLAN"} {
		if diff := cmp.Diff(old.DB[table], now[table]); diff != "" || len(now[table]) == 0 {
			t.Errorf("%s is changed:\n%s", table, diff)
		}
	}
	for table, rows := range old.DB {
		for key, row := range rows {
			if strings.HasPrefix(key, "Ethernet12") {
				must.NoDiffIn(t, cmp.Diff(row, now[table][key]), "%s|%s is changed, and the fabric has no such port:", table, key)
			}
		}
	}
	if got := now["PORT_QOS_MAP"]["Ethernet0"]["scheduler"].Text; got != "scheduler.port" || now["SCHEDULER"][got] == nil {
		t.Errorf("the shaper of the port is gone: %q", got)
	}
	if now["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"] == nil {
		t.Error("the profile of a port that the fabric does not have is gone")
	}
	must.Equalf(t, now["PORT_QOS_MAP"]["Ethernet4"]["pfc_enable"].Text, "5", "Ethernet4 has PFC for")
}
