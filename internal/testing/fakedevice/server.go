// Package fakedevice has devices for tests: they answer over real sockets of the loopback, keep a
// running and a saved configuration, and refuse what the system refuses. The comment of each names
// the description of its behaviour. A [Fleet] numbers the messages, so that a test can have a fault
// happen at any of them.
package fakedevice

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// A Device answers behind a server.
type Device interface {
	// Exec runs a command with its input, as a server of SSH does.
	Exec(command, input string) (output, errors string, code int)
	// Subsystem serves a subsystem until the stream ends; false where there is none of the name.
	Subsystem(name string, stream io.ReadWriter, message func(do func() string) (string, bool)) bool
	// Restart lets the device begin with its saved configuration.
	Restart()
	// Save saves what runs.
	Save()
	// Edit changes something that a rollout changes, by hand; Unedit takes it back.
	Edit()
	Unedit()
	// RefuseNext lets the device refuse a command of the next message.
	RefuseNext()
	// Running returns the running configuration, and Passed all that ran, in turn. Seen has a function
	// called with each further configuration.
	Running() []byte
	Passed() [][]byte
	Seen(func([]byte))
}

// A Fault is a failure at a message.
type Fault int

const (
	None     Fault = iota
	Kill           // the client ends before the message is processed
	KillLate       // the client ends when the message is processed and not answered
	Refuse         // the device refuses one of the commands of a message
	Hang           // the device does not answer, and does nothing
	Lost           // the connection ends when the message is processed and not answered
	Unsaved        // the device restarts with what was saved
	Saved          // the device saves and restarts
	Hand           // the device is changed by hand before the message
	Late           // the connection ends at once, and the message is processed a moment later
	Expired        // the time of a commit that waits to be confirmed runs out before the message
)

// Faults are those that every system can have.
var Faults = []Fault{None, Kill, KillLate, Refuse, Hang, Lost, Unsaved, Saved, Hand, Expired}

func (f Fault) String() string {
	return [...]string{"none", "kill", "kill after the message", "refused", "hang", "lost connection", "restart, not saved", "restart, saved", "edit by hand", "worked on later", "timer ran out"}[f]
}

// A Fleet is devices, and the numbers of their messages.
type Fleet struct {
	KnownHosts string // file
	Key        string // file with the client's key
	Password   string

	t    testing.TB
	key  ssh.PublicKey
	lock sync.Mutex
	Seen int // messages so far
	at   int
	what Fault
	kill func()
	Hit  string // the device at which the fault happened
	conn map[net.Conn]bool
	dead bool
	end  chan struct{}  // closed with the test: hanging messages end
	work sync.WaitGroup // messages that are processed late
}

// NewFleet makes the client's key.
func NewFleet(t testing.TB) *Fleet {
	t.Helper()
	f := &Fleet{t: t, at: -1, Password: "correct horse", conn: map[net.Conn]bool{}, end: make(chan struct{})}
	t.Cleanup(func() { close(f.end) })
	t.Cleanup(f.work.Wait)
	public, private, err := ed25519.GenerateKey(rand.Reader)
	check(t, err)
	f.key, err = ssh.NewPublicKey(public)
	check(t, err)
	block, err := ssh.MarshalPrivateKey(private, "")
	check(t, err)
	folder := t.TempDir()
	f.Key, f.KnownHosts = filepath.Join(folder, "key"), filepath.Join(folder, "known_hosts")
	check(t, os.WriteFile(f.Key, pem.EncodeToMemory(block), 0o600))
	check(t, os.WriteFile(f.KnownHosts, nil, 0o600))
	return f
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Plan has a fault happen at a message, counted from 0 on; kill ends the client.
func (f *Fleet) Plan(at int, what Fault, kill func()) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.Seen, f.at, f.what, f.kill, f.Hit, f.dead = 0, at, what, kill, "", false
}

// Serve lets a device answer over SSH, and returns where.
func (f *Fleet) Serve(name string, d Device) (host string) {
	f.t.Helper()
	return f.Answer(func(conn net.Conn, config *ssh.ServerConfig) { f.serve(name, d, conn, config) })
}

// Answer lets a function answer each connection, and returns where. The server's key is in the file of
// known hosts.
func (f *Fleet) Answer(with func(net.Conn, *ssh.ServerConfig)) (host string) {
	f.t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	check(f.t, err)
	signer, err := ssh.NewSignerFromKey(private)
	check(f.t, err)
	config := &ssh.ServerConfig{
		PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if string(key.Marshal()) != string(f.key.Marshal()) {
				return nil, os.ErrPermission
			}
			return nil, nil
		},
		PasswordCallback: func(_ ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
			if string(password) != f.Password {
				return nil, os.ErrPermission
			}
			return nil, nil
		},
	}
	config.AddHostKey(signer)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(f.t, err)
	f.t.Cleanup(func() { listener.Close() })
	host = listener.Addr().String()
	known, err := os.OpenFile(f.KnownHosts, os.O_APPEND|os.O_WRONLY, 0o600)
	check(f.t, err)
	_, err = known.WriteString(knownhosts.Line([]string{host}, signer.PublicKey()) + "\n")
	check(f.t, err)
	check(f.t, known.Close())
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go with(conn, config)
		}
	}()
	return host
}

func (f *Fleet) serve(name string, d Device, conn net.Conn, config *ssh.ServerConfig) {
	defer conn.Close()
	f.lock.Lock()
	if f.dead {
		f.lock.Unlock()
		return
	}
	f.conn[conn] = true
	f.lock.Unlock()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		if c.ChannelType() != "session" {
			c.Reject(ssh.UnknownChannelType, "")
			continue
		}
		channel, requests, err := c.Accept()
		if err != nil {
			return
		}
		go f.session(name, d, conn, channel, requests)
	}
}

func (f *Fleet) session(name string, d Device, conn net.Conn, channel ssh.Channel, requests <-chan *ssh.Request) {
	defer channel.Close()
	for r := range requests {
		var what struct{ Text string }
		if r.Type != "shell" && ssh.Unmarshal(r.Payload, &what) != nil {
			r.Reply(false, nil)
			continue
		}
		switch r.Type {
		case "exec", "shell":
			r.Reply(true, nil)
			input, _ := io.ReadAll(channel)
			var output, errors string
			var code int
			if !f.message(name, d, conn, func() { output, errors, code = d.Exec(what.Text, string(input)) }) {
				return
			}
			io.WriteString(channel, output)
			io.WriteString(channel.Stderr(), errors)
			channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Code uint32 }{uint32(code)}))
			return
		case "subsystem":
			r.Reply(true, nil)
			d.Subsystem(what.Text, channel, func(do func() string) (answer string, goes bool) {
				goes = f.message(name, d, conn, func() { answer = do() })
				return answer, goes
			})
			return
		default:
			r.Reply(false, nil)
		}
	}
}

// message processes a message, or has the fault happen. It reports whether there is an answer.
func (f *Fleet) message(name string, d Device, conn net.Conn, do func()) bool {
	f.lock.Lock()
	if f.dead {
		f.lock.Unlock()
		return false
	}
	what := None
	if f.Seen == f.at {
		what, f.Hit = f.what, name
	}
	f.Seen++
	f.lock.Unlock()
	switch what {
	case Kill:
		f.endClient()
		return false
	case KillLate:
		do()
		f.endClient()
		return false
	case Refuse:
		d.RefuseNext()
	case Hang:
		<-f.end
		return false
	case Late:
		f.work.Go(func() {
			time.Sleep(200 * time.Millisecond)
			do()
		})
		end(conn)
		return false
	case Lost:
		do()
		end(conn)
		return false
	case Saved, Unsaved:
		if what == Saved {
			d.Save()
		}
		d.Restart()
		end(conn)
		return false
	case Hand:
		d.Edit()
	case Expired:
		if e, ok := d.(interface{ Expire() }); ok {
			e.Expire()
		}
	}
	do()
	return true
}

// end ends a connection. A call of gNMI has none here: its connection ends with the call.
func end(conn net.Conn) {
	if conn != nil {
		conn.Close()
	}
}

// Settle waits for messages that are processed late.
func (f *Fleet) Settle() { f.work.Wait() }

// endClient ends the client as a kill does: nothing more of it reaches a device.
func (f *Fleet) endClient() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.dead = true
	for c := range f.conn {
		c.Close()
	}
	f.conn = map[net.Conn]bool{}
	if f.kill != nil {
		f.kill()
	}
}

// A refusal is exactly what a device prints when it does not do something.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }
