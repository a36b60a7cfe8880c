package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"

	"github.com/roceplan/roceplan/units"
)

// watchedPod is a lossless port whose headroom is measured.
const watchedPod = `
fabric "pod" {
  expected_delay  = "10us"
  tolerable_delay = "40us"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 60
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}
switch "leaf-1" {
  chip = "trident3"
  os   = eos
  port_group "servers" {
    ports = "Ethernet[1..4]"
    speed = "100Gbps"
    cable = "3m"
  }
}
`

// The watch reads again, so that metrics follow what the file holds; a broken file is a failed
// reading and leaves the last values.
func TestObserveWatch(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		check(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	dump := func(used int) string {
		return fmt.Sprintf(`{"COUNTERS_PG_NAME_MAP": {"Ethernet1:3": "oid:0x1"}, "PERSISTENT_WATERMARKS:oid:0x1": {"SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES": "%d"}}`, used)
	}
	write("fabric.hcl", watchedPod)
	write("leaf-1.json", dump(1024))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reader, writer := io.Pipe()
	term := &terminal{Context: ctx, out: bufio.NewWriter(writer), err: io.Discard}
	ended := make(chan error, 1)
	go func() {
		ended <- observeCmd{Paths: []string{filepath.Join(folder, "leaf-1.json")}, Fabric: filepath.Join(folder, "fabric.hcl"), Watch: "127.0.0.1:0", Every: "5ms", Memory: "100MB"}.Run(term)
		writer.Close()
	}()
	lines := bufio.NewReader(reader)
	line, err := lines.ReadString('\n')
	check(t, err)
	go io.Copy(io.Discard, lines)
	address := strings.TrimSpace(strings.TrimPrefix(line, "metrics on "))
	until(t, address, `roceplan_headroom_used_bytes{device="leaf-1",port="Ethernet1",pg="3"} 1024`)
	write("leaf-1.json", dump(2048))
	until(t, address, `pg="3"} 2048`)
	write("leaf-1.json", dump(4096)[:40])
	until(t, address, "roceplan_readings_failed_total 3")
	until(t, address, `pg="3"} 2048`)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// until asks for metrics until they have a line.
func until(t *testing.T, address, want string) {
	t.Helper()
	body := ""
	for range 2000 {
		r, err := http.Get(address)
		check(t, err)
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		check(t, err)
		if body = string(text); strings.Contains(body, want) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("metrics lack %s:\n%s", want, body)
}

// A streamingTarget sends what it counts while nobody asks.
type streamingTarget struct {
	gnmi.UnimplementedGNMIServer
	used chan int
}

func (s streamingTarget) Subscribe(stream gnmi.GNMI_SubscribeServer) error {
	if _, err := stream.Recv(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		text := fmt.Sprintf(`{"Ethernet1:3": {"SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES": "%d"}}`, <-s.used)
		note := &gnmi.Notification{Timestamp: time.Now().UnixNano(), Update: []*gnmi.Update{{
			Path: &gnmi.Path{Elem: []*gnmi.PathElem{{Name: "PERIODIC_WATERMARKS"}, {Name: "Ethernet*"}, {Name: "PriorityGroups"}}},
			Val:  &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: []byte(text)}},
		}}}
		if err := stream.Send(&gnmi.SubscribeResponse{Response: &gnmi.SubscribeResponse_Update{Update: note}}); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		if err := stream.Send(&gnmi.SubscribeResponse{Response: &gnmi.SubscribeResponse_SyncResponse{SyncResponse: true}}); err != nil {
			return err
		}
	}
}

// What a gNMI target streams is what the watch shows, without asking again.
func TestObserveWatchStream(t *testing.T) {
	s := streamingTarget{used: make(chan int, 1)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	server := grpc.NewServer()
	gnmi.RegisterGNMIServer(server, s)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	fabric := filepath.Join(t.TempDir(), "fabric.hcl")
	check(t, os.WriteFile(fabric, []byte(watchedPod), 0o666))

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reader, writer := io.Pipe()
	term := &terminal{Context: ctx, out: bufio.NewWriter(writer), err: io.Discard}
	ended := make(chan error, 1)
	s.used <- 1024
	go func() {
		ended <- observeCmd{Paths: []string{"leaf-1=gnmi+plaintext://" + listener.Addr().String()}, Fabric: fabric, Watch: "127.0.0.1:0", Every: "5ms", Memory: "100MB"}.Run(term)
		writer.Close()
	}()
	lines := bufio.NewReader(reader)
	line, err := lines.ReadString('\n')
	check(t, err)
	go io.Copy(io.Discard, lines)
	address := strings.TrimSpace(strings.TrimPrefix(line, "metrics on "))
	until(t, address, `roceplan_headroom_used_bytes{device="leaf-1",port="Ethernet1",pg="3"} 1024`)
	s.used <- 2048
	until(t, address, `pg="3"} 2048`)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What observe --watch does where nothing else is asked for is a call that it takes.
func TestWatchDefaults(t *testing.T) {
	var line commandLine
	parser := newParser(&line, &terminal{Context: t.Context(), out: bufio.NewWriter(io.Discard), err: io.Discard}, func(int) {})
	_, err := parser.Parse([]string{"observe", "redis://leaf-1", "--fabric", "f.hcl", "--watch", ":0"})
	check(t, err)
	if every, err := units.ParseTime(line.Observe.Every); err != nil || every < units.Second {
		t.Errorf("--every is %q: %v", line.Observe.Every, err)
	}
	if _, err := units.ParseBytes(line.Observe.Memory); err != nil {
		t.Errorf("--memory is %q: %v", line.Observe.Memory, err)
	}
}
