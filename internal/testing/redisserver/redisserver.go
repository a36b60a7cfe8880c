// Package redisserver runs a real redis-server for tests, at a socket in a folder of its own.
package redisserver

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// patience is the time that the server may take for its start and for each answer.
const patience = 30 * time.Second

// Start runs a server with some more options until stop is called, or until the process of the test ends. It answers
// at the socket.
func Start(t testing.TB, options ...string) (socket string, stop func()) {
	t.Helper()
	server := oracle.Command(t, "redis-server", "redis-server")
	dir, err := os.MkdirTemp("", "redis") // names of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(dir, "s")
	cmd := exec.Command("sh", append([]string{"-c", `"$@" & read -r _; kill $!; wait`, "sh", server, "--port", "0", "--unixsocket", socket,
		"--save", "", "--appendonly", "no", "--dir", dir}, options...)...)
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
		conn, err := net.Dial("unix", socket) // it listens once it can answer
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
func Dial(t testing.TB, socket string, database int, options ...redis.DialOption) redis.Conn {
	t.Helper()
	conn, err := redis.Dial("unix", socket, append(options, redis.DialDatabase(database), redis.DialReadTimeout(patience), redis.DialWriteTimeout(patience))...)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}
