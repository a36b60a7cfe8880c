package live

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
)

// A streamer is a gNMI server that sends what the test gives it, until that ends.
type streamer struct {
	gnmi.UnimplementedGNMIServer
	asked chan *gnmi.SubscribeRequest
	send  chan *gnmi.SubscribeResponse
	open  atomic.Int64 // connections
}

func (s *streamer) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (s *streamer) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (s *streamer) HandleRPC(context.Context, stats.RPCStats)                         {}
func (s *streamer) HandleConn(_ context.Context, what stats.ConnStats) {
	switch what.(type) {
	case *stats.ConnBegin:
		s.open.Add(1)
	case *stats.ConnEnd:
		s.open.Add(-1)
	}
}

func (s *streamer) Subscribe(stream gnmi.GNMI_SubscribeServer) error {
	r, err := stream.Recv()
	if err != nil {
		return err
	}
	s.asked <- r
	ended := make(chan error, 1)
	go func() {
		_, err := stream.Recv() // the subscriber keeps its side open
		ended <- err
	}()
	for {
		select {
		case m := <-s.send:
			if m == nil {
				return status.Error(codes.Unavailable, "telemetry restarts")
			}
			if err := stream.Send(m); err != nil {
				return err
			}
		case err := <-ended:
			return fmt.Errorf("the subscriber ended: %w", err)
		}
	}
}

func (s *streamer) serve(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.StatsHandler(s))
	gnmi.RegisterGNMIServer(server, s)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

func used(at, bytes int64, port string) *gnmi.SubscribeResponse {
	text := fmt.Sprintf(`{"%s:3":{"SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES":"%d"}}`, port, bytes)
	return note(at, elems("PERIODIC_WATERMARKS", port, "PriorityGroups"), &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: []byte(text)}})
}

// A stream is followed: each reading has the last value of each path, without asking again; a path
// that the target deletes is unknown; a stream that breaks is an error once, and then begun anew.
func TestStream(t *testing.T) {
	s := &streamer{asked: make(chan *gnmi.SubscribeRequest, 9), send: make(chan *gnmi.SubscribeResponse)}
	w := NewWatcher(t.Context(), 50*time.Millisecond)
	address := "leaf-1=gnmi+plaintext://" + s.serve(t)
	read := func() (got string, err error) {
		d, err := w.Read(t.Context(), address)
		if err != nil {
			return "", err
		}
		rows, found := intake.Read(d.Name, d.Text)
		if len(found) > 0 {
			t.Fatal(found)
		}
		for _, r := range rows {
			if r.Counter != observe.GroupHeadroom || r.Device != "leaf-1" {
				t.Errorf("%+v", r)
			}
			got += fmt.Sprintf("%s=%d@%d ", r.Object.Name, r.Value, r.Until.UnixNano())
		}
		return got, nil
	}
	// until reads until it is as wanted: what was sent is read by another goroutine.
	until := func(want string) {
		t.Helper()
		got := ""
		for range 1000 {
			var err error
			if got, err = read(); err != nil {
				t.Fatal(err)
			}
			if got == want {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatalf("%s, want %s", got, want)
	}
	go func() {
		for _, m := range []*gnmi.SubscribeResponse{used(1, 1024, "Ethernet0"), used(1, 2048, "Ethernet4"), synced()} {
			s.send <- m
		}
	}()
	until("Ethernet0=1024@1 Ethernet4=2048@1 ")
	s.send <- used(2, 4096, "Ethernet4")
	until("Ethernet0=1024@1 Ethernet4=4096@2 ")
	gone := &gnmi.Notification{Timestamp: 3, Prefix: &gnmi.Path{Target: "COUNTERS_DB"}, Delete: []*gnmi.Path{elems("PERIODIC_WATERMARKS", "Ethernet0")}}
	s.send <- &gnmi.SubscribeResponse{Response: &gnmi.SubscribeResponse_Update{Update: gone}}
	until("Ethernet4=4096@2 ")

	list := (<-s.asked).GetSubscribe()
	if list.GetMode() != gnmi.SubscriptionList_STREAM || list.GetSubscription()[0].GetMode() != gnmi.SubscriptionMode_SAMPLE ||
		list.GetSubscription()[0].GetSampleInterval() != 50_000_000 || len(s.asked) > 0 {
		t.Errorf("asked for %v, and %d times more", list, len(s.asked))
	}

	s.send <- nil
	var err error
	for range 1000 {
		if _, err = read(); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err == nil || !strings.Contains(err.Error(), "telemetry restarts") {
		t.Fatalf("the target refused, and the reading gives %v", err)
	}
	go func() { s.send <- used(9, 512, "Ethernet8"); s.send <- synced() }()
	until("Ethernet8=512@9 ")
	if len(s.asked) != 1 {
		t.Errorf("subscribed %d times anew, want 1", len(s.asked))
	}
}

// A reading that is not awaited to its end is an error, and no part of what was sent. Its
// connection ends too: a target that is silent at every reading is left with none of them.
func TestStreamNotReady(t *testing.T) {
	s := &streamer{asked: make(chan *gnmi.SubscribeRequest, 9), send: make(chan *gnmi.SubscribeResponse)}
	w := NewWatcher(t.Context(), time.Second)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-s.asked
		s.send <- used(1, 1024, "Ethernet0")
		stop()
	}()
	if d, err := w.Read(ctx, "leaf-1=gnmi+plaintext://"+s.serve(t)); err == nil || d.Text != nil {
		t.Errorf("%s, %v", d.Text, err)
	}
	for range 1000 {
		if s.open.Load() == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d connections are open a second later", s.open.Load())
}
