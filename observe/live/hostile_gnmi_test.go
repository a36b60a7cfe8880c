package live

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// A flood sends messages until its subscriber has gone.
type flood struct {
	gnmi.UnimplementedGNMIServer
	first []*gnmi.SubscribeResponse
	again func(i int) *gnmi.SubscribeResponse // nil: it waits
}

func (f *flood) Subscribe(stream gnmi.GNMI_SubscribeServer) error {
	for _, m := range f.first {
		if err := stream.Send(m); err != nil {
			return err
		}
	}
	if f.again == nil {
		<-stream.Context().Done()
		return nil
	}
	for i := 0; ; i++ {
		if err := stream.Send(f.again(i)); err != nil {
			return err
		}
	}
}

func (f *flood) serve(t *testing.T) string {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	server := grpc.NewServer()
	gnmi.RegisterGNMIServer(server, f)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

func uintValue(n uint64) *gnmi.TypedValue {
	return &gnmi.TypedValue{Value: &gnmi.TypedValue_UintVal{UintVal: n}}
}

func updates(list ...*gnmi.Update) *gnmi.SubscribeResponse {
	return &gnmi.SubscribeResponse{Response: &gnmi.SubscribeResponse_Update{Update: &gnmi.Notification{Timestamp: 1, Update: list}}}
}

// No target that streams ends the watch, takes more than a little memory, or keeps another from being
// read. Each is an error, or says nothing that is believed.
func TestHostileGNMI(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	deep := elems(strings.Split(strings.Repeat("a/", 10_000), "/")...)
	wide := make([]*gnmi.Update, 100_000)
	for i := range wide {
		wide[i] = &gnmi.Update{Path: elems("a", "b")}
	}
	gone := &gnmi.Notification{}
	for range 1000 {
		gone.Delete = append(gone.Delete, elems("COUNTERS"))
	}
	paths := func(i int) *gnmi.SubscribeResponse {
		return note(1, elems("COUNTERS", fmt.Sprint(i)+long[:3000]), uintValue(1))
	}
	// Of these all was sent once: what ends them is a bound.
	whole := []*gnmi.SubscribeResponse{paths(0), synced()}
	var many []*gnmi.SubscribeResponse
	for i := range 5000 {
		many = append(many, paths(i))
	}
	hostile := map[string]string{
		"new paths without end": (&flood{first: whole, again: paths}).serve(t),
		"one path without end": (&flood{again: func(i int) *gnmi.SubscribeResponse {
			return note(1, elems("COUNTERS", long[:4000]), uintValue(uint64(i)))
		}}).serve(t),
		"large values": (&flood{first: whole, again: func(i int) *gnmi.SubscribeResponse {
			return note(1, elems("COUNTERS", fmt.Sprint(i)), &gnmi.TypedValue{Value: &gnmi.TypedValue_StringVal{StringVal: long}})
		}}).serve(t),
		"deletions without end": (&flood{first: append(many, whole...), again: func(int) *gnmi.SubscribeResponse {
			return &gnmi.SubscribeResponse{Response: &gnmi.SubscribeResponse_Update{Update: gone}}
		}}).serve(t),
		"a long path":             (&flood{first: []*gnmi.SubscribeResponse{note(1, elems(long), uintValue(1)), synced()}}).serve(t),
		"a deep path":             (&flood{first: []*gnmi.SubscribeResponse{note(1, deep, uintValue(1)), synced()}}).serve(t),
		"too many parts":          (&flood{first: []*gnmi.SubscribeResponse{updates(wide...), synced()}}).serve(t),
		"values that are none":    (&flood{first: []*gnmi.SubscribeResponse{note(1, elems("COUNTERS", "Ethernet0", "SAI_PORT_STAT_PFC_3_TX_PKTS"), &gnmi.TypedValue{Value: &gnmi.TypedValue_StringVal{StringVal: "many\x1b[31m"}}), synced()}}).serve(t),
		"JSON that is none":       (&flood{first: []*gnmi.SubscribeResponse{note(1, elems("COUNTERS"), &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonVal{JsonVal: []byte(strings.Repeat("[", 1<<20))}}), synced()}}).serve(t),
		"silence":                 (&flood{}).serve(t),
		"no HTTP/2":               talk(t, replying("HTTP/1.1 200 OK\r\n\r\n")),
		"bytes without end":       talk(t, endless("", "\x00")),
		"frames of HTTP/2":        talk(t, endless("", "\x00\x00\x00\x04\x00\x00\x00\x00\x00")), // SETTINGS without settings
		"headers without end":     talk(t, endless("\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x01\x01\x00\x00\x00\x00\x01\x88", "\x00\x00\x02\x09\x00\x00\x00\x00\x01\x88\x88")),
		"an end in the midst":     talk(t, func(conn net.Conn) { conn.Write([]byte("\x00\x00\x10")) }),
		"a refusal with controls": talk(t, replying("\x00\x00\x08\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x1b")), // GOAWAY
	}
	honest := &flood{first: []*gnmi.SubscribeResponse{used(1, 1024, "Ethernet0"), synced()}}
	addresses, names := []*Address{address(t, "honest=gnmi+plaintext://"+honest.serve(t))}, []string{""}
	for name, host := range hostile {
		addresses, names = append(addresses, address(t, "leaf=gnmi+plaintext://"+host)), append(names, name)
	}
	w := Watch(t.Context(), addresses, Options{Every: 200 * time.Millisecond, Memory: 48 << 20})
	w.patience = 2 * time.Second
	failed := map[string]bool{}
	up := 0
	for rounds := 0; rounds < 2000 && (len(failed) < len(hostile) || up < 5); rounds++ {
		list := w.Round(t.Context())
		if d := list[0]; d.Up && len(d.Rows) == 1 {
			up++
		}
		for i, d := range list[1:] {
			if d.Failed > 0 {
				failed[names[i+1]] = true
			}
			if d.Up && len(d.Rows) > 0 && !strings.Contains(names[i+1], "without end") {
				t.Errorf("%s gave %d rows", names[i+1], len(d.Rows))
			}
			if d.Err != nil && strings.Contains(d.Err.Error(), "\x1b") {
				t.Errorf("%s: the error has an escape", names[i+1])
			}
		}
	}
	for _, name := range names[1:] {
		if !failed[name] {
			t.Errorf("%s never failed", name)
		}
	}
	if up < 5 {
		t.Error("an honest target was not read")
	}
	// The servers are of this process too. What their library keeps in pools is free after the second collection.
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 512<<20 {
		t.Errorf("%d bytes are held", m.HeapAlloc)
	}
}
