package live_test

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/observe/live"
)

// again sends a text until the client has gone.
func again(to io.Writer, text string) {
	for text := strings.Repeat(text, 1+1<<15/len(text)); ; {
		if _, err := io.WriteString(to, text); err != nil {
			return
		}
	}
}

// loggedIn answers the client once it has logged in.
func loggedIn(with func(ssh.Conn, <-chan ssh.NewChannel)) func(net.Conn, *ssh.ServerConfig) {
	return func(conn net.Conn, config *ssh.ServerConfig) {
		defer conn.Close()
		c, channels, requests, err := ssh.NewServerConn(conn, config)
		if err != nil {
			return
		}
		go ssh.DiscardRequests(requests)
		with(c, channels)
	}
}

// running answers a command once it was accepted. The session ends when that returns.
func running(with func(ssh.Channel)) func(net.Conn, *ssh.ServerConfig) {
	return loggedIn(func(_ ssh.Conn, channels <-chan ssh.NewChannel) {
		for c := range channels {
			channel, requests, err := c.Accept()
			if err != nil {
				return
			}
			go func() {
				for r := range requests {
					r.Reply(true, nil)
				}
			}()
			with(channel)
			channel.Close()
		}
	})
}

// No SSH server ends the program, takes more than a little memory, or is waited for longer than the
// caller allows. Each is an error.
func TestHostileSSH(t *testing.T) {
	fleet := fakedevice.NewFleet(t)
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	for name, answer := range map[string]func(net.Conn, *ssh.ServerConfig){
		"silence":                   func(conn net.Conn, _ *ssh.ServerConfig) { <-over; conn.Close() },
		"an end at once":            func(conn net.Conn, _ *ssh.ServerConfig) { conn.Close() },
		"lines before the version":  func(conn net.Conn, _ *ssh.ServerConfig) { again(conn, "\x1b[2Jhello\r\n") },
		"a version without end":     func(conn net.Conn, _ *ssh.ServerConfig) { again(conn, "SSH-2.0-") },
		"bytes behind the version":  func(conn net.Conn, _ *ssh.ServerConfig) { io.WriteString(conn, "SSH-2.0-x\r\n"); again(conn, "\xff") },
		"silence after the login":   loggedIn(func(ssh.Conn, <-chan ssh.NewChannel) { <-over }),
		"silence after the session": running(func(ssh.Channel) { <-over }),
		"an end without a code":     running(func(ssh.Channel) {}),
		"a code that is no number":  running(func(c ssh.Channel) { c.SendRequest("exit-status", false, nil) }),
		"a code of nine bytes":      running(func(c ssh.Channel) { c.SendRequest("exit-status", false, []byte("123456789")) }),
		"a signal that is none":     running(func(c ssh.Channel) { c.SendRequest("exit-signal", false, []byte{0xff, 0xff, 0xff, 0xff}) }),
		"output without end":        running(func(c ssh.Channel) { again(c, "\x1b[31m{") }),
		"errors without end":        running(func(c ssh.Channel) { again(c.Stderr(), "\x1b[31m{") }),
		"a byte at a time": running(func(c ssh.Channel) {
			for range 1000 {
				c.Write([]byte{' '})
				time.Sleep(10 * time.Millisecond)
			}
		}),
		"an end without a close": running(func(c ssh.Channel) { c.CloseWrite(); <-over }),
		"a code and no end":      running(func(c ssh.Channel) { c.SendRequest("exit-status", false, []byte{0, 0, 0, 0}); <-over }),
		"requests without end": running(func(c ssh.Channel) {
			for {
				if _, err := c.SendRequest(strings.Repeat("a", 1000), false, nil); err != nil {
					return
				}
			}
		}),
		"requests before the answer": loggedIn(func(_ ssh.Conn, channels <-chan ssh.NewChannel) {
			for c := range channels {
				channel, _, err := c.Accept()
				for err == nil {
					_, err = channel.SendRequest("exit-status", false, []byte{0, 0, 0, 0})
				}
			}
		}),
		"channels of the server": loggedIn(func(c ssh.Conn, _ <-chan ssh.NewChannel) {
			for {
				if _, _, err := c.OpenChannel("session", nil); err != nil && !strings.Contains(err.Error(), "unknown channel type") {
					return
				}
			}
		}),
		"a refusal with controls": loggedIn(func(_ ssh.Conn, channels <-chan ssh.NewChannel) {
			for c := range channels {
				c.Reject(ssh.Prohibited, "\x1b[2J"+strings.Repeat("no ", 1<<12))
			}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := live.ParseAddress("ssh://admin@" + fleet.Answer(answer) + "?key_file=" + fleet.Key + "&known_hosts=" + fleet.KnownHosts)
			check(t, err)
			naps := fakedevice.Naps()
			shell, err := a.OpenSSH(t.Context())
			if err == nil {
				defer shell.Close()
				ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
				defer stop()
				var ran live.Ran
				// The input is more than a server takes before it reads.
				if ran, err = shell.Run(ctx, "sudo -n sh -s", make([]byte, 8<<20)); err == nil {
					t.Errorf("%d bytes and the code %d without an error", len(ran.Output), ran.Code)
				}
			}
			took := naps()
			if took > 2000 {
				t.Errorf("it ended after %d naps of 10 ms: %v", took, err)
			}
			t.Log(took, "naps:", err)
		})
	}
	t.Cleanup(func() {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > 256<<20 {
			t.Errorf("%d bytes are held", m.HeapAlloc)
		}
	})
}

// An agent that does not answer is waited for as long as a server is.
func TestSilentAgent(t *testing.T) {
	fleet := fakedevice.NewFleet(t)
	host := fleet.Serve("leaf-1", fakedevice.NewSonic(t, []byte(config), "202505"))
	socket := filepath.Join(t.TempDir(), "agent")
	listener, err := net.Listen("unix", socket)
	check(t, err)
	defer listener.Close()
	t.Setenv("SSH_AUTH_SOCK", socket)
	naps := fakedevice.Naps()
	_, err = ask(t, "ssh://admin@"+host+"?known_hosts="+fleet.KnownHosts)
	if took := naps(); err == nil || took > 2000 {
		t.Errorf("after %d naps of 10 ms: %v", took, err)
	}
}
