package live

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// talk serves connections on the loopback address, each by a goroutine, until the test ends.
func talk(t *testing.T, with func(net.Conn)) string {
	t.Helper()
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed
			}
			t.Cleanup(func() { conn.Close() })
			go func() {
				defer conn.Close()
				with(conn)
			}()
		}
	}()
	return listener.Addr().String()
}

func address(t *testing.T, arg string) *Address {
	t.Helper()
	a := must.Get(ParseAddress(arg))(t)
	return a
}

// ask asks the device at an address.
func ask(t *testing.T, ctx context.Context, arg string) (Document, error) {
	t.Helper()
	d := ReadAll(ctx, []*Address{address(t, arg)}, Options{Memory: 1 << 30})[0]
	return d, d.Err
}

// replying answers each command of a client that sends one after another with the same text.
func replying(reply string) func(net.Conn) {
	return func(conn net.Conn) {
		buf := make([]byte, 1<<16)
		for {
			if _, err := conn.Read(buf); err != nil {
				return
			}
			if _, err := io.WriteString(conn, reply); err != nil {
				return
			}
		}
	}
}

// endless sends a text again and again.
func endless(first, again string) func(net.Conn) {
	return func(conn net.Conn) {
		_, err := io.WriteString(conn, first)
		for again := strings.Repeat(again, 1<<16/len(again)); err == nil; {
			_, err = io.WriteString(conn, again)
		}
	}
}

// No reply of a Redis server ends the program, takes more than a little memory, or outlasts the
// time that the caller gives. The context is what ends a server that sends nothing or sends slowly.
func TestHostileRedis(t *testing.T) {
	for name, server := range map[string]func(net.Conn){
		"length beyond 63 bits":    replying("$9000000000000000000\r\n"),
		"length beyond memory":     replying("$99999999999\r\n"),
		"negative length":          replying("$-2\r\n"),
		"array beyond memory":      replying("*1000000000000\r\n"),
		"array beyond 63 bits":     replying("*99999999999999999999\r\n"),
		"array of nothing":         replying("*0\r\n"),
		"null for a page":          replying("*-1\r\n"),
		"nested arrays":            endless("", "*1\r\n"),
		"wide and nested arrays":   endless("", "*1000\r\n"),
		"endless array":            endless("*1000000000\r\n", "$1\r\na\r\n"),
		"endless line":             endless("+", "a"),
		"endless number":           endless(":", "1"),
		"endless length":           endless("$", "0"),
		"endless text":             endless("$1000000000\r\n", "a"),
		"endless cursor":           replying("*2\r\n$1\r\n7\r\n*0\r\n"),
		"endless keys":             replying("*2\r\n$1\r\n7\r\n*1\r\n$22\r\nCOUNTERS_PORT_NAME_MAP\r\n"),
		"no text where one is due": replying("*2\r\n*0\r\n:5\r\n"),
		"no keys where some are":   replying("*2\r\n$1\r\n0\r\n+none\r\n"),
		"a field without value":    replying("*2\r\n$1\r\n0\r\n*1\r\n$22\r\nCOUNTERS_PORT_NAME_MAP\r\n"),
		"an error":                 replying("-ERR out of order\r\n"),
		"another protocol":         replying("HTTP/1.1 400 Bad Request\r\n\r\n"),
		"no end of line":           replying("+OK\n"),
		"a byte where a line ends": replying("$1\r\na__"),
		"silence":                  func(conn net.Conn) { io.Copy(io.Discard, conn) },
		"an end at once":           func(net.Conn) {},
		"half a reply":             func(conn net.Conn) { io.WriteString(conn, "$10\r\nabc") },
		"a byte at a time": func(conn net.Conn) {
			for {
				if _, err := io.WriteString(conn, "1"); err != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
			defer stop()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			naps := fakedevice.Naps()
			d, err := ask(t, ctx, "leaf-1=redis://"+talk(t, server)+"/0")
			if took := naps(); took > 700 {
				t.Errorf("it took %d naps of 10 ms where 200 are allowed", took)
			}
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Errorf("read %d bytes without an error", len(d.Text))
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
				t.Errorf("%d bytes were allocated", took)
			}
		})
	}
}

// Devices that are asked once take no more memory together than they may: those that send most are given
// up.
func TestMemoryOfOneReading(t *testing.T) {
	var much []*gnmi.SubscribeResponse
	for i := range 4 {
		value := &gnmi.TypedValue{Value: &gnmi.TypedValue_StringVal{StringVal: strings.Repeat("1", 1<<20)}}
		much = append(much, note(1, elems("COUNTERS", fmt.Sprint(i)), value))
	}
	honest := &flood{first: []*gnmi.SubscribeResponse{used(1, 1024, "Ethernet0"), synced()}}
	large := &flood{first: append(much, synced())}
	addresses := []*Address{address(t, "honest=gnmi+plaintext://"+honest.serve(t))}
	for range 3 {
		addresses = append(addresses, address(t, "leaf=gnmi+plaintext://"+large.serve(t)))
	}
	documents := ReadAll(t.Context(), addresses, Options{Memory: 10 << 20})
	held, over := 0, 0
	for _, d := range documents {
		held += len(d.Text)
		if d.Err != nil && strings.Contains(d.Err.Error(), "take more than 10485760 bytes, and this one took most") {
			over++
		}
	}
	if over == 0 || over > 3 {
		t.Errorf("%d devices took too much", over)
	}
	if held > 10<<20 || len(documents[0].Text) == 0 {
		t.Errorf("%d bytes are held, %d of the device that sent little", held, len(documents[0].Text))
	}
	for _, d := range ReadAll(t.Context(), addresses, Options{Memory: 20 << 20}) {
		if d.Err != nil {
			t.Error(d.Err)
		}
	}
}

// A password that a device repeats is in no message.
func TestPasswordsRepeated(t *testing.T) {
	// What Redis 7 answers where AUTH is renamed (src/server.c, processCommand).
	echo := func(text string) func(net.Conn) {
		return replying("-ERR unknown command 'AUTH', with args beginning with: 'admin' '" + text + "'\r\n")
	}
	refuse := func(_ any, s grpc.ServerStream, _ *grpc.StreamServerInfo, _ grpc.StreamHandler) error {
		sent, _ := metadata.FromIncomingContext(s.Context())
		return status.Errorf(codes.Unauthenticated, "%q", sent["password"])
	}
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	server := grpc.NewServer(grpc.StreamInterceptor(refuse))
	gnmi.RegisterGNMIServer(server, &flood{})
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	for _, password := range []string{"hunter2", `hun"ter2`, `hunt\er2`, "ter2"} {
		for scheme, host := range map[string]string{"redis": talk(t, echo(password)), "gnmi+plaintext": listener.Addr().String()} {
			_, err := ask(t, t.Context(), "leaf-1="+scheme+"://admin:"+url.PathEscape(password)+"@"+host)
			if err == nil || !strings.Contains(err.Error(), hidden) || strings.Contains(err.Error(), "er2") {
				t.Errorf("%s, %q: %v", scheme, password, err)
			}
		}
	}
}
