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

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/observe"
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
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
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
	w := Watch(t.Context(), []*Address{address(t, "leaf-1=gnmi+plaintext://"+s.serve(t))}, Options{Every: 50 * time.Millisecond, Memory: 1 << 20})
	read := func() (got string, err error) {
		d := w.Round(t.Context())[0]
		if len(d.Found) > 0 {
			t.Fatal(d.Found)
		}
		if d.Err != nil {
			return "", d.Err
		}
		for _, r := range d.Rows {
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

// A target that never says that all was sent is an error, and no part of what it sent is a reading.
// Its connection ends too, however often it is asked.
func TestStreamNotReady(t *testing.T) {
	s := &streamer{asked: make(chan *gnmi.SubscribeRequest, 99), send: make(chan *gnmi.SubscribeResponse)}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	w := Watch(ctx, []*Address{address(t, "leaf-1=gnmi+plaintext://"+s.serve(t))}, Options{Every: 20 * time.Millisecond, Memory: 1 << 20})
	w.patience = 20 * time.Millisecond
	go func() {
		select {
		case s.send <- used(1, 1024, "Ethernet0"):
		case <-ctx.Done():
		}
	}()
	for failed := 0; failed < 3; {
		d := w.Round(ctx)[0]
		if d.Up || d.Rows != nil {
			t.Fatalf("%+v", d)
		}
		failed = d.Failed
	}
	for range 10_000 {
		if s.open.Load() == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d connections are open ten seconds later", s.open.Load())
}
