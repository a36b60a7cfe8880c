package live

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/roceplan/roceplan/internal/oracle"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
)

// startRedis runs a real server that nobody else can reach, and connects to COUNTERS_DB.
func startRedis(t *testing.T) (conn redis.Conn, socket string) {
	t.Helper()
	server := oracle.Command(t, "redis-server", "redis-server")
	dir, err := os.MkdirTemp("", "redis") // names of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(dir, "s")
	cmd := exec.Command(server, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // killed
		os.RemoveAll(dir)
	})
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := redis.Dial("unix", socket, redis.DialDatabase(countersDB))
		if err == nil {
			t.Cleanup(func() { conn.Close() })
			return conn, socket
		}
		if time.Since(start) > patience {
			t.Fatalf("no answer from redis-server: %v", err)
		}
	}
}

func set(t *testing.T, conn redis.Conn, key string, pairs ...string) {
	t.Helper()
	if _, err := conn.Do("HSET", redis.Args{key}.AddFlat(pairs)...); err != nil {
		t.Fatal(err)
	}
}

// Live changes of COUNTERS_DB are seen by the next reading: a drop, and the headroom that was used.
func TestRedis(t *testing.T) {
	conn, socket := startRedis(t)
	set(t, conn, "COUNTERS_PG_NAME_MAP", "Ethernet0:3", "oid:0x1a0000000001")
	set(t, conn, "COUNTERS:oid:0x1a0000000001", string(observe.GroupDropped), "0")
	set(t, conn, "CRM:STATS", "crm_stats_ipv4_route_used", "1")
	read := func() map[observe.Counter]uint64 {
		d, err := Read(t.Context(), "leaf-1=redis+unix://"+socket)
		if err != nil {
			t.Fatal(err)
		}
		rows, found := intake.Read(d.Name, d.Text)
		if found.HasErrors() {
			t.Fatal(found)
		}
		values := map[observe.Counter]uint64{}
		for _, r := range rows {
			if r.Device != "leaf-1" || r.Object != (observe.Object{Kind: observe.Group, Name: "Ethernet0", ID: 3}) || time.Since(r.Until) > time.Minute {
				t.Errorf("%+v", r)
			}
			values[r.Counter] = r.Value
		}
		return values
	}
	if got := read(); len(got) != 1 || got[observe.GroupDropped] != 0 {
		t.Errorf("%v", got)
	}
	set(t, conn, "COUNTERS:oid:0x1a0000000001", string(observe.GroupDropped), "7")
	set(t, conn, "PERSISTENT_WATERMARKS:oid:0x1a0000000001", string(observe.GroupHeadroom), "160512")
	if got := read(); got[observe.GroupDropped] != 7 || got[observe.GroupHeadroom] != 160_512 {
		t.Errorf("%v", got)
	}
	if _, err := Read(t.Context(), "leaf-1=redis+unix://"+socket+".not"); err == nil {
		t.Error("a server that is not there answered")
	}
	if _, err := Read(t.Context(), "redis+unix://"+socket); err == nil {
		t.Error("a socket does not say which device it is of")
	}
}
