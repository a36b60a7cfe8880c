package live

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/testcerts"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
)

// A target is a gNMI server made with the library that this package does not use: what it
// decodes of a request and encodes of notifications is right by itself.
type target struct {
	gnmi.UnimplementedGNMIServer
	asked chan *gnmi.SubscribeRequest
	send  []*gnmi.SubscribeResponse
	fail  error
}

func (s *target) Subscribe(stream gnmi.GNMI_SubscribeServer) error {
	r, err := stream.Recv()
	if err != nil {
		return err
	}
	if user := metadata.ValueFromIncomingContext(stream.Context(), "username"); len(user) != 1 || user[0] != "admin" {
		return status.Error(codes.Unauthenticated, "who are you?")
	}
	s.asked <- r
	for _, m := range s.send {
		if err := stream.Send(m); err != nil {
			return err
		}
		time.Sleep(time.Millisecond) // as a stream comes
	}
	return s.fail
}

func serve(t *testing.T, s *target, o ...grpc.ServerOption) (address string) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	s.asked = make(chan *gnmi.SubscribeRequest, 1)
	server := grpc.NewServer(o...)
	gnmi.RegisterGNMIServer(server, s)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

func elems(names ...string) *gnmi.Path {
	p := &gnmi.Path{}
	for _, name := range names {
		p.Elem = append(p.Elem, &gnmi.PathElem{Name: name})
	}
	return p
}

func note(at int64, path *gnmi.Path, value *gnmi.TypedValue) *gnmi.SubscribeResponse {
	return &gnmi.SubscribeResponse{Response: &gnmi.SubscribeResponse_Update{Update: &gnmi.Notification{
		Timestamp: at, Prefix: &gnmi.Path{Target: "COUNTERS_DB"}, Update: []*gnmi.Update{{Path: path, Val: value}}}}}
}

func synced() *gnmi.SubscribeResponse {
	return &gnmi.SubscribeResponse{Response: &gnmi.SubscribeResponse_SyncResponse{SyncResponse: true}}
}

func TestGNMIStream(t *testing.T) {
	const at = 1_767_323_045_000_000_000 // 2026-01-02T03:04:05Z
	queue := elems("qos", "interfaces", "interface", "output", "queues", "queue", "state", "transmit-octets")
	queue.Elem[2].Key, queue.Elem[5].Key = map[string]string{"interface-id": "Ethernet1/1"}, map[string]string{"name": "3"}
	s := &target{send: []*gnmi.SubscribeResponse{
		note(at, elems("COUNTERS", "Ethernet*"), &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: []byte(`{"Ethernet0":{"SAI_PORT_STAT_PFC_3_TX_PKTS":"44"}}`)}}),
		note(at, elems("COUNTERS", "Ethernet*", "Queues"), &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: []byte(`{"Ethernet0:3":{"SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES":"300000"}}`)}}),
		note(at, queue, &gnmi.TypedValue{Value: &gnmi.TypedValue_UintVal{UintVal: 9000}}),
		synced(),
	}}
	d := must.Get(ask(t, t.Context(), "leaf-1=gnmi+plaintext://admin:secret@"+serve(t, s)))(t)
	list := (<-s.asked).GetSubscribe()
	if list.GetMode() != gnmi.SubscriptionList_ONCE || list.GetEncoding() != gnmi.Encoding_JSON_IETF || list.GetPrefix().GetTarget() != "COUNTERS_DB" ||
		len(list.GetSubscription()) != 5 || list.GetSubscription()[1].GetPath().GetElem()[2].GetName() != "Queues" {
		t.Errorf("asked for %v", list)
	}
	rows, found := intake.Read(d.Name, d.Text)
	if len(found) != 0 || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, found)
	}
	for i, want := range []struct {
		object  string
		counter observe.Counter
		value   uint64
	}{{"Ethernet0", observe.PFCSent(3), 44}, {"Ethernet0 queue 3", observe.QueueShared, 300_000}, {"Ethernet1/1 queue 3", observe.QueueSentBytes, 9000}} {
		r := rows[i]
		if r.Device != "leaf-1" || r.Object.String() != want.object || r.Counter != want.counter || r.Value != want.value || r.Until.UnixNano() != at {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
}

// What is not all there is no reading.
func TestGNMIFailures(t *testing.T) {
	some := note(1, elems("COUNTERS", "Ethernet0"), &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonVal{JsonVal: []byte(`{}`)}})
	for want, s := range map[string]*target{
		"before it had sent all": {send: []*gnmi.SubscribeResponse{some}},
		"none of the counters":   {send: []*gnmi.SubscribeResponse{synced()}},
		"no such table":          {fail: status.Error(codes.NotFound, "no such table")},
		"broken midway":          {send: []*gnmi.SubscribeResponse{some}, fail: errors.New("broken midway")},
	} {
		if _, err := ask(t, t.Context(), "leaf-1=gnmi+plaintext://admin:secret@"+serve(t, s)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := ask(t, t.Context(), "gnmi+plaintext://eve:secret@"+serve(t, &target{})); err == nil || !strings.Contains(err.Error(), "who are you") {
		t.Error(err)
	}
	if _, err := ask(t, t.Context(), "gnmi://"+serve(t, &target{})); err == nil {
		t.Error("TLS with a server that has none")
	}
}

// gNMI over TLS with a CA of our own, and a certificate that the target wants to see.
func TestGNMITLS(t *testing.T) {
	ca := testcerts.New(t)
	pair := must.Get(KeyPair(ca.Issue(t, "leaf-1")))(t)
	pool := x509.NewCertPool()
	text := must.Get(os.ReadFile(ca.File))(t)
	pool.AppendCertsFromPEM(text)
	some := note(1, elems("COUNTERS", "Ethernet0"), &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonVal{JsonVal: []byte(`{}`)}})
	s := &target{send: []*gnmi.SubscribeResponse{some, synced()}}
	host := serve(t, s, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert})))
	cert, key := ca.Issue(t, "roceplan")
	t.Setenv("ROCEPLAN_TEST_PASSWORD", "hunter2")
	const by = "?password_env=ROCEPLAN_TEST_PASSWORD&ca_file="
	if _, err := ask(t, t.Context(), "gnmi://admin@"+host+by+ca.File+"&cert_file="+cert+"&key_file="+key); err != nil {
		t.Error(err)
	}
	if _, err := ask(t, t.Context(), "gnmi://admin@"+host+by+ca.File); err == nil {
		t.Error("the target wants a certificate, and there is none")
	}
	if _, err := ask(t, t.Context(), "gnmi://admin@"+host+by+testcerts.New(t).File+"&cert_file="+cert+"&key_file="+key); err == nil {
		t.Error("the target's certificate is of another authority")
	}
}

// No message of a target makes the decoder panic.
func FuzzNotification(f *testing.F) {
	f.Add([]byte{10, 2, 8, 1})
	f.Add([]byte{24, 1})
	f.Fuzz(func(t *testing.T, message []byte) {
		if note, _, err := notification(message); err == nil && note != nil {
			if text, err := note.text(); err == nil {
				intake.Read("leaf-1.json", text)
			}
		}
	})
}
