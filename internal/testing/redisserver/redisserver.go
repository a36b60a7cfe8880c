// Package redisserver runs a real redis-server for tests, which nobody else can reach.
package redisserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// patience is how long the server may take for its start and for each answer.
const patience = 30 * time.Second

// Start runs a server with some databases until stop is called, or until the process of the test ends. It answers at
// the socket.
func Start(t testing.TB, databases int) (socket string, stop func()) {
	t.Helper()
	server := oracle.Command(t, "redis-server", "redis-server")
	dir, err := os.MkdirTemp("", "redis") // names of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(dir, "s")
	cmd := exec.Command("sh", "-c", `"$@" & read -r _; kill $!; wait`, "sh", server, "--port", "0", "--unixsocket", socket,
		"--databases", strconv.Itoa(databases), "--save", "", "--appendonly", "no", "--dir", dir)
	alive, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	stop = func() {
		alive.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		os.RemoveAll(dir)
	}
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		conn, err := dial(socket, 0)
		if err == nil {
			conn.Close()
			return socket, stop
		}
		if time.Since(start) > patience {
			stop()
			t.Fatalf("no answer from redis-server: %v", err)
		}
	}
}

// Dial connects to a database of the server.
func Dial(t testing.TB, socket string, database int) redis.Conn {
	t.Helper()
	conn, err := dial(socket, database)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func dial(socket string, database int) (redis.Conn, error) {
	return redis.Dial("unix", socket, redis.DialDatabase(database), redis.DialReadTimeout(patience), redis.DialWriteTimeout(patience))
}
