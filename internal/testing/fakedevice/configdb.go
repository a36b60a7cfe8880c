package fakedevice

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gomodule/redigo/redis"

	"github.com/roceplan/roceplan/internal/testing/redisserver"
)

// A ConfigDB is tables of rows of fields, each a text or a list.
type ConfigDB map[string]map[string]map[string]any

func parseDB(t testing.TB, text []byte) ConfigDB {
	t.Helper()
	var db ConfigDB
	check(t, json.Unmarshal(text, &db))
	return db
}

func (db ConfigDB) text() []byte {
	out, err := json.MarshalIndent(db, "", "    ")
	if err != nil {
		panic(err) // texts in maps have a JSON form
	}
	return append(out, '\n')
}

// A database is the configuration database of a switch, in a real redis-server. Its rows are those of SONiC
// (sonic-swss-common common/configdb.h): a hash TABLE|KEY, a list under its name with @, and in a row without
// fields NULL: NULL.
type database struct {
	t    testing.TB
	conn redis.Conn
}

// mostDatabases is the largest number of switches that run at a time: a choice.
const mostDatabases = 4096

// server has the databases of all switches that run.
var server struct {
	lock   sync.Mutex
	socket string
	stop   func()
	used   map[int]bool
}

// newDatabase is one without rows, until it is released.
func newDatabase(t testing.TB) (d database, release func()) {
	t.Helper()
	server.lock.Lock()
	defer server.lock.Unlock()
	if len(server.used) == 0 {
		server.socket, server.stop = redisserver.Start(t, "--databases", strconv.Itoa(mostDatabases))
		server.used = map[int]bool{}
	}
	number := 0
	for server.used[number] {
		number++
	}
	d = database{t, redisserver.Dial(t, server.socket, number)}
	server.used[number] = true
	return d, func() {
		server.lock.Lock()
		defer server.lock.Unlock()
		d.do("FLUSHDB")
		d.conn.Close()
		if delete(server.used, number); len(server.used) == 0 {
			server.stop()
		}
	}
}

func (d database) do(command string, args ...any) any {
	reply, err := d.conn.Do(command, args...)
	if err != nil {
		d.t.Errorf("%s %v: %v", command, args, err)
	}
	return reply
}

// cli returns the output of sonic-db-cli for a command (sonic-swss-common sonic-db-cli/sonic-db-cli.cpp,
// printRedisReply).
func (d database) cli(words []string) (reply string, err error) {
	args := redis.Args{}.AddFlat(words[1:])
	switch v, err := d.conn.Do(words[0], args...); v := v.(type) {
	case nil:
		return "\n", err
	case []byte:
		return string(v) + "\n", err
	default:
		return fmt.Sprintln(v), err
	}
}

// put sets a field of a row.
func (d database) put(table, key, field string, value any) {
	if list, ok := value.([]any); ok {
		var texts []string
		for _, v := range list {
			texts = append(texts, fmt.Sprint(v))
		}
		field, value = field+"@", strings.Join(texts, ",")
	}
	d.do("HSET", table+"|"+key, field, value)
}

// set makes a row anew.
func (d database) set(table, key string, row map[string]any) {
	d.do("DEL", table+"|"+key)
	if len(row) == 0 {
		d.put(table, key, "NULL", "NULL")
	}
	for field, value := range row {
		d.put(table, key, field, value)
	}
}

// become changes the rows that differ between what there is and what there will be.
func (d database) become(is, will ConfigDB) {
	for table, rows := range is {
		for key := range rows {
			if will[table][key] == nil {
				d.do("DEL", table+"|"+key)
			}
		}
	}
	for table, rows := range will {
		for key, row := range rows {
			if had := is[table][key]; had == nil || !reflect.DeepEqual(had, row) {
				d.set(table, key, row)
			}
		}
	}
}

// read returns all that there is.
func (d database) read() ConfigDB {
	keys, err := redis.Strings(d.conn.Do("KEYS", "*"))
	for _, key := range keys {
		if err == nil {
			err = d.conn.Send("HGETALL", key)
		}
	}
	if err == nil {
		err = d.conn.Flush()
	}
	db := ConfigDB{}
	for _, key := range keys {
		hash, wrong := redis.StringMap(d.conn.Receive())
		if wrong != nil {
			err = wrong
			break
		}
		table, name, _ := strings.Cut(key, "|")
		if db[table] == nil {
			db[table] = map[string]map[string]any{}
		}
		db[table][name] = rowOf(hash)
	}
	if err != nil {
		d.t.Error(err)
	}
	return db
}

func rowOf(hash map[string]string) map[string]any {
	row := map[string]any{}
	for field, text := range hash {
		switch name, list := strings.CutSuffix(field, "@"); {
		case list:
			var all []any
			for v := range strings.SplitSeq(text, ",") {
				all = append(all, v)
			}
			row[name] = all
		case field != "NULL":
			row[field] = text
		}
	}
	return row
}
