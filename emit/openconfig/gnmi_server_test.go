package openconfig

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"sync"
	"testing"

	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	reader "github.com/roceplan/roceplan/read/openconfig"
)

// A server is a gNMI target: it holds one tree, changes it by Set as the gNMI
// specification 0.10 says, and gives it by Get. It refuses what the structs of this
// package do not have, values that their leaves cannot hold, and references to what is
// not there; then nothing has changed.
type server struct {
	gnmi.UnimplementedGNMIServer
	schema *node

	lock sync.Mutex
	tree map[string]any // names without modules
}

// start serves a tree on the loopback interface and returns a client of it.
func start(t *testing.T, tree map[string]any) gnmi.GNMIClient {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	s := grpc.NewServer()
	gnmi.RegisterGNMIServer(s, &server{schema: structs(), tree: tree})
	go s.Serve(listener)
	t.Cleanup(s.Stop)
	conn := must.Get(grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials())))(t)
	t.Cleanup(func() { conn.Close() })
	return gnmi.NewGNMIClient(conn)
}

// Set deletes, replaces and updates, in this order (section 3.4.3), or does nothing.
func (s *server) Set(_ context.Context, r *gnmi.SetRequest) (*gnmi.SetResponse, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	refuse := func(err error) (*gnmi.SetResponse, error) {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if origin := r.GetPrefix().GetOrigin(); origin != "openconfig" {
		return refuse(fmt.Errorf("origin %q", origin))
	}
	next := clone(s.tree).(map[string]any)
	response := &gnmi.SetResponse{}
	for _, p := range r.Delete {
		s.remove(next, p)
		response.Response = append(response.Response, &gnmi.UpdateResult{Path: p, Op: gnmi.UpdateResult_DELETE})
	}
	for _, u := range r.Replace {
		s.remove(next, u.Path)
		if err := s.merge(next, u); err != nil {
			return refuse(err)
		}
		response.Response = append(response.Response, &gnmi.UpdateResult{Path: u.Path, Op: gnmi.UpdateResult_REPLACE})
	}
	for _, u := range r.Update {
		if err := s.merge(next, u); err != nil {
			return refuse(err)
		}
		response.Response = append(response.Response, &gnmi.UpdateResult{Path: u.Path, Op: gnmi.UpdateResult_UPDATE})
	}
	if err := s.schema.check("", next); err != nil {
		return refuse(err)
	}
	if _, list := readtest.Switch(reader.Format(), "tree", held(next)); list.HasErrors() {
		return refuse(fmt.Errorf("%v", list))
	}
	s.tree = next
	return response, nil
}

// Get gives the whole tree.
func (s *server) Get(context.Context, *gnmi.GetRequest) (*gnmi.GetResponse, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	value := &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: held(s.tree)}}
	return &gnmi.GetResponse{Notification: []*gnmi.Notification{{Update: []*gnmi.Update{{Path: &gnmi.Path{}, Val: value}}}}}, nil
}

// document is a tree as RFC 7951 writes it.
func held(tree map[string]any) []byte {
	named := map[string]any{}
	for name, v := range tree {
		named["openconfig-"+name+":"+name] = v
	}
	text, err := json.Marshal(named)
	if err != nil {
		panic(err)
	}
	return text
}

// remove takes away what a path names, if it is there.
func (s *server) remove(tree map[string]any, p *gnmi.Path) {
	at, last := tree, len(p.Elem)-1
	for _, e := range p.Elem[:last] {
		v, _ := at[e.Name].(map[string]any)
		if e.Key != nil {
			v = find(at[e.Name], e.Key)
		}
		if v == nil {
			return
		}
		at = v
	}
	delete(at, p.Elem[last].Name) // no request of ours takes away single entries
}

func find(list any, key map[string]string) map[string]any {
	items, _ := list.([]any)
	for _, item := range items {
		entry, same := item.(map[string]any), true
		for name, value := range key {
			same = same && fmt.Sprint(entry[name]) == value
		}
		if same {
			return entry
		}
	}
	return nil
}

// merge lays a value over what a path names, and makes the way to it.
func (s *server) merge(tree map[string]any, u *gnmi.Update) error {
	dec := json.NewDecoder(bytes.NewReader(u.Val.GetJsonIetfVal()))
	dec.UseNumber()
	var value map[string]any
	if err := dec.Decode(&value); err != nil {
		return fmt.Errorf("%v: %w", u.Path, err)
	}
	for name := range value {
		if bare(name) == name {
			return fmt.Errorf("%v: the member %q carries no module", u.Path, name)
		}
	}
	at, schema := tree, s.schema
	for _, e := range u.Path.Elem {
		if schema = schema.children[e.Name]; schema == nil {
			return fmt.Errorf("there is no %q", e.Name)
		}
		if e.Key == nil {
			if at[e.Name] == nil {
				at[e.Name] = map[string]any{}
			}
			at = at[e.Name].(map[string]any)
			continue
		}
		entry := find(at[e.Name], e.Key)
		if entry == nil {
			entry = map[string]any{}
			for name, value := range e.Key {
				entry[name] = value
			}
			items, _ := at[e.Name].([]any)
			at[e.Name] = append(items, entry)
		}
		at = entry
	}
	lay(schema, at, value)
	return nil
}

// lay merges maps by name and lists by key.
func lay(schema *node, into, value map[string]any) {
	for name, v := range value {
		name = bare(name)
		var child *node
		if schema != nil {
			child = schema.children[name]
		}
		switch v := v.(type) {
		case map[string]any:
			if into[name] == nil {
				into[name] = map[string]any{}
			}
			lay(child, into[name].(map[string]any), v)
		case []any:
			if child == nil || child.key == "" {
				into[name] = v
				continue
			}
			for _, item := range v {
				item := item.(map[string]any)
				entry := find(into[name], map[string]string{child.key: fmt.Sprint(item[child.key])})
				if entry == nil {
					entry = map[string]any{}
					items, _ := into[name].([]any)
					into[name] = append(items, entry)
				}
				lay(child, entry, item)
			}
		default:
			into[name] = v
		}
	}
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for name, child := range out {
			out[name] = clone(child)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, child := range v {
			out[i] = clone(child)
		}
		return out
	}
	return v
}
