package live

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/redisserver"
	"github.com/roceplan/roceplan/internal/testing/testcerts"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
)

// startRedis connects to COUNTERS_DB of a real server with some more options.
func startRedis(t *testing.T, also ...string) (conn redis.Conn, socket string) {
	t.Helper()
	socket, stop := redisserver.Start(t, also...)
	t.Cleanup(stop)
	conn = redisserver.Dial(t, socket, countersDB, redis.DialPassword(redisPassword(also)))
	t.Cleanup(func() { conn.Close() })
	return conn, socket
}

// redisPassword returns the server's --requirepass.
func redisPassword(args []string) string {
	if i := slices.Index(args, "--requirepass"); i >= 0 {
		return args[i+1]
	}
	return ""
}

func set(t *testing.T, conn redis.Conn, key string, pairs ...string) {
	t.Helper()
	must.Get(conn.Do("HSET", redis.Args{key}.AddFlat(pairs)...))(t)
}

// Live changes of COUNTERS_DB are seen by the next reading: a drop, and the headroom that was used.
func TestRedis(t *testing.T) {
	conn, socket := startRedis(t)
	set(t, conn, "COUNTERS_PG_NAME_MAP", "Ethernet0:3", "oid:0x1a0000000001")
	set(t, conn, "COUNTERS:oid:0x1a0000000001", string(observe.GroupDropped), "0")
	set(t, conn, "CRM:STATS", "crm_stats_ipv4_route_used", "1")
	read := func() map[observe.Counter]uint64 {
		d := must.Get(ask(t, t.Context(), "leaf-1=redis+unix://"+socket))(t)
		rows := must.Sound(intake.Read(d.Name, d.Text))(t)
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
	if _, err := ask(t, t.Context(), "leaf-1=redis+unix://"+socket+".not"); err == nil {
		t.Error("a server that is not there answered")
	}
	if _, err := ParseAddress("redis+unix://" + socket); err == nil {
		t.Error("a socket does not say which device it is of")
	}
}

// Redis over TLS with a CA of our own, a certificate that the server wants to see, and a password
// that is in a file. Where one of them is missing or wrong, nothing is read.
func TestRedisTLS(t *testing.T) {
	ca := testcerts.New(t)
	cert, key := ca.Issue(t, "leaf-1")
	mine, myKey := ca.Issue(t, "roceplan")
	port := freePort(t)
	conn, _ := startRedis(t, "--requirepass", "hunter2", "--bind", "127.0.0.1", "--tls-port", port, "--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", ca.File)
	set(t, conn, "COUNTERS_PORT_NAME_MAP", "Ethernet0", "oid:0x1")
	password := filepath.Join(t.TempDir(), "password")
	must.Do(t, os.WriteFile(password, []byte("hunter2\n"), 0o600))
	whole := map[string]string{"password_file": password, "ca_file": ca.File, "cert_file": mine, "key_file": myKey}
	read := func(set map[string]string) error {
		query := url.Values{}
		for name, value := range whole {
			query.Set(name, value)
		}
		for name, value := range set {
			query.Set(name, value)
			if value == "" {
				query.Del(name)
			}
		}
		_, err := ask(t, t.Context(), "leaf-1=rediss://127.0.0.1:"+port+"?"+query.Encode())
		return err
	}
	if err := read(nil); err != nil {
		t.Error(err)
	}
	if err := read(map[string]string{"server_name": "leaf-1"}); err != nil {
		t.Error(err)
	}
	for name, set := range map[string]map[string]string{
		"no password":       {"password_file": ""},
		"no certificate":    {"cert_file": "", "key_file": ""},
		"another authority": {"ca_file": testcerts.New(t).File},
		"that of the host":  {"ca_file": ""},
		"another name":      {"server_name": "leaf-2"},
		"no file":           {"ca_file": password + ".not"},
		"no certificates":   {"ca_file": password},
	} {
		if err := read(set); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// freePort is a port that was free a moment ago.
func freePort(t *testing.T) string {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	must.Do(t, err)
	return port
}
