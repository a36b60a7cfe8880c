package fakedevice

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/openconfig/gnmi/proto/gnmi"
	"github.com/openconfig/gnmi/proto/gnmi_ext"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// GNMI is a switch with Nokia SR Linux, or one with OpenConfig's models, that speaks gNMI, by the library
// that roceplan does not use. A SetRequest is done as a whole: deletions, then replacements, then updates
// (gNMI specification 0.10, section 3.4.3). With the extension of confirmed commits one waits at a time,
// under an ID; a confirm or cancel of another fails (openconfig/reference,
// rpc/gnmi/gnmi-commit-confirmed.md, section 3.2). A confirmed commit is saved, as with commit-save of SR
// Linux.
type GNMI struct {
	Confirms   Confirms
	OpenConfig bool // it has OpenConfig's models; else Nokia's

	store
	gnmi.UnimplementedGNMIServer
	t     testing.TB
	fleet *Fleet
	name  string
}

// Confirms says how far a device supports the extension of confirmed commits.
type Confirms int

const (
	Timed    Confirms = iota
	Ignored           // gNMI specification 0.10, section 2.7: what a target does not know it may ignore
	Rejected          // UNIMPLEMENTED
)

// NewSRLinux is a switch that runs a configuration.
func NewSRLinux(t testing.TB, config []byte) *GNMI {
	t.Helper()
	var tree map[string]any
	check(t, json.Unmarshal(config, &tree))
	tree["srl_nokia-network-instance:network-instance"] = []any{map[string]any{"name": "default", "description": "of others"}}
	return newGNMI(t, tree)
}

// NewOpenConfig is a switch that runs a configuration. It refuses what refers to something that is not
// there.
func NewOpenConfig(t testing.TB, config []byte) *GNMI {
	t.Helper()
	var tree map[string]any
	check(t, json.Unmarshal(config, &tree))
	interfaces := tree["openconfig-interfaces:interfaces"].(map[string]any)
	interfaces["interface"] = append(interfaces["interface"].([]any), map[string]any{"name": "Loopback0",
		"config": map[string]any{"name": "Loopback0", "type": "iana-if-type:softwareLoopback", "description": "of others"}})
	s := newGNMI(t, tree)
	s.OpenConfig = true
	return s
}

func newGNMI(t testing.TB, tree map[string]any) *GNMI {
	return &GNMI{t: t, store: newStore(jsonText(tree), `(?m)^(\s+"mtu": )(\d+),$`)}
}

func jsonText(tree map[string]any) string {
	text, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		panic(err) // it was read from JSON
	}
	return string(text) + "\n"
}

// ServeGNMI lets a device answer without TLS, and returns where.
func (f *Fleet) ServeGNMI(name string, d *GNMI) (host string) {
	f.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(f.t, err)
	d.fleet, d.name = f, name
	server := grpc.NewServer()
	gnmi.RegisterGNMIServer(server, d)
	go server.Serve(listener) // until the test ends
	f.t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// called lets a call be a message of the fleet.
func (s *GNMI) called(ctx context.Context, do func() error) error {
	if user := metadata.ValueFromIncomingContext(ctx, "username"); len(user) != 1 || user[0] != "admin" {
		return status.Error(codes.Unauthenticated, "who are you?")
	}
	var err error
	done := make(chan bool, 1)
	go func() { done <- s.fleet.message(s.name, s, nil, func() { err = do() }) }()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case goes := <-done:
		if !goes {
			return status.Error(codes.Unavailable, "the connection ends")
		}
	}
	return err
}

// Get gives all.
func (s *GNMI) Get(ctx context.Context, r *gnmi.GetRequest) (answer *gnmi.GetResponse, err error) {
	err = s.called(ctx, func() error {
		if r.Type != gnmi.GetRequest_CONFIG || r.Encoding != gnmi.Encoding_JSON_IETF || len(r.Path) != 1 || len(r.Path[0].Elem) > 0 || !s.ours(r.Path[0]) {
			return status.Errorf(codes.Unimplemented, "%v", r)
		}
		value := &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: s.Running()}}
		answer = &gnmi.GetResponse{Notification: []*gnmi.Notification{{Update: []*gnmi.Update{{Path: &gnmi.Path{}, Val: value}}}}}
		return nil
	})
	return answer, err
}

// Set makes all of a request, or nothing.
func (s *GNMI) Set(ctx context.Context, r *gnmi.SetRequest) (answer *gnmi.SetResponse, err error) {
	err = s.called(ctx, func() error {
		s.lock.Lock()
		defer s.lock.Unlock()
		answer = &gnmi.SetResponse{}
		var c *gnmi_ext.Commit
		switch {
		case len(r.Extension) == 0 || s.Confirms == Ignored:
		case s.Confirms == Rejected || r.Extension[0].GetCommit() == nil:
			return status.Error(codes.Unimplemented, "an extension that is not known")
		default:
			c = r.Extension[0].GetCommit()
		}
		return s.set(r, c)
	})
	return answer, err
}

func (s *GNMI) set(r *gnmi.SetRequest, c *gnmi_ext.Commit) error {
	ends := c.GetConfirm() != nil || c.GetCancel() != nil
	switch {
	case ends && s.waiting == "":
		return status.Error(codes.FailedPrecondition, "no commit waits")
	case ends:
		if err := s.end(c.Id, c.GetConfirm() != nil); err != nil {
			return status.Error(codes.InvalidArgument, err.Error())
		}
		if c.GetConfirm() != nil {
			s.saved = s.running
		}
		return nil
	case s.waiting != "":
		return status.Errorf(codes.FailedPrecondition, "commit %s is not confirmed", s.waiting)
	case c != nil && c.GetCommit().GetRollbackDuration().GetSeconds() <= 0:
		return status.Error(codes.InvalidArgument, "no rollback duration")
	case s.refused():
		return status.Error(codes.InvalidArgument, "the value is not of the model")
	}
	next, err := s.after(r)
	switch {
	case err != nil:
		return status.Error(codes.InvalidArgument, err.Error())
	case c != nil:
		s.try(next, c.Id)
	case next != s.running:
		s.run(next)
		s.saved = next
	}
	return nil
}

// ours reports whether a path is of the models that the device has.
func (s *GNMI) ours(p *gnmi.Path) bool { return p.Origin == "openconfig" == s.OpenConfig }

// after returns the configuration after a request.
func (s *GNMI) after(r *gnmi.SetRequest) (string, error) {
	var tree any
	if err := json.Unmarshal([]byte(s.running), &tree); err != nil {
		return "", err
	}
	for _, path := range r.Delete {
		if !s.ours(path) {
			return "", fmt.Errorf("origin %q", path.Origin)
		}
		tree, _ = edited(tree, path.Elem, nil, true)
	}
	for i, u := range slices.Concat(r.Replace, r.Update) {
		if !s.ours(u.Path) {
			return "", fmt.Errorf("origin %q", u.Path.Origin)
		}
		var value any
		err := json.Unmarshal(u.Val.GetJsonIetfVal(), &value)
		if err == nil {
			tree, err = edited(tree, u.Path.Elem, bare(value), i < len(r.Replace))
		}
		if err != nil {
			return "", err
		}
	}
	if qos := tree.(map[string]any)["openconfig-qos:qos"]; qos != nil {
		if lost := dangling(qos.(map[string]any), qos); lost != "" {
			return "", fmt.Errorf("there is no %s", lost)
		}
	}
	return jsonText(tree.(map[string]any)), nil
}

// dangling is a leaf that refers to an entry that is not there (openconfig-qos 2.2.0, leafrefs).
func dangling(qos map[string]any, tree any) string {
	switch v := tree.(type) {
	case []any:
		for _, entry := range v {
			if lost := dangling(qos, entry); lost != "" {
				return lost
			}
		}
	case map[string]any:
		for name, below := range v {
			of := map[string]string{"output-queue": "queue", "target-group": "forwarding-group", "queue-management-profile": "queue-management-profile", "buffer-allocation-profile": "buffer-allocation-profile"}[name]
			key, leaf := below.(string)
			list, _ := qos[of+"s"].(map[string]any)
			entries, _ := list[of].([]any)
			if leaf && of != "" && !slices.ContainsFunc(entries, func(e any) bool { return has(e, map[string]string{"name": key}) }) {
				return name + " " + key
			}
			if lost := dangling(qos, below); lost != "" {
				return lost
			}
		}
	}
	return ""
}

// bare leaves out OpenConfig's modules of members: below the top, each has that of its parent.
func bare(value any) any {
	node, ok := value.(map[string]any)
	if !ok {
		return value
	}
	for key, below := range node {
		if module, name, ok := strings.Cut(key, ":"); ok && strings.HasPrefix(module, "openconfig-") {
			delete(node, key)
			node[name] = below
		}
	}
	return node
}

// edited is a tree with a value at a path. The value replaces what is there, or is merged into it. A
// nil value removes what is there.
func edited(tree any, path []*gnmi.PathElem, value any, replace bool) (any, error) {
	if len(path) == 0 {
		if had, ok := tree.(map[string]any); ok && !replace {
			for key, v := range value.(map[string]any) {
				if below, ok := had[key].(map[string]any); ok {
					v, _ = edited(below, nil, v, false)
				}
				had[key] = v
			}
			return had, nil
		}
		return value, nil
	}
	node, ok := tree.(map[string]any)
	if !ok {
		if value == nil {
			return tree, nil
		}
		node = map[string]any{}
	}
	name := path[0].Name
	for key := range node { // the top of the tree names modules
		if _, bare, ok := strings.Cut(key, ":"); ok && bare == name {
			name = key
		}
	}
	if len(path[0].Key) == 0 {
		below, err := edited(node[name], path[1:], value, replace)
		if node[name] = below; below == nil {
			delete(node, name)
		}
		return node, err
	}
	list, _ := node[name].([]any)
	at := slices.IndexFunc(list, func(entry any) bool { return has(entry, path[0].Key) })
	if at < 0 {
		if value == nil {
			return tree, nil
		}
		list, at = append(list, keysOf(path[0].Key)), len(list)
	}
	below, err := edited(list[at], path[1:], value, replace)
	switch made, _ := below.(map[string]any); {
	case below == nil:
		list = slices.Delete(list, at, at+1)
	default:
		for key, v := range keysOf(path[0].Key) {
			if made[key] == nil {
				made[key] = v
			}
		}
		list[at] = made
	}
	if node[name] = list; len(list) == 0 {
		delete(node, name)
	}
	return node, err
}

func has(entry any, keys map[string]string) bool {
	node, _ := entry.(map[string]any)
	for key, want := range keys {
		if fmt.Sprint(node[key]) != want {
			return false
		}
	}
	return true
}

// keysOf returns the keys of a new entry; an index is a number.
func keysOf(keys map[string]string) map[string]any {
	entry := map[string]any{}
	for key, value := range keys {
		if entry[key] = value; key == "index" || key == "slot" {
			entry[key] = json.Number(value)
		}
	}
	return entry
}
