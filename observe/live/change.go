package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of fields and values of gnmi.proto and gnmi_ext.proto (openconfig/gnmi 0.14, proto).
const (
	setDelete, setReplace, setUpdate, setExtension = 2, 3, 4, 5 // SetRequest
	getPath, getType, getEncoding                  = 2, 3, 5    // GetRequest
	pathOrigin                                     = 2          // Path
	typeConfig                                     = 1          // GetRequest.DataType
	getNotification                                = 1          // GetResponse
	valueJSONIETF                                  = 11         // TypedValue

	extensionCommit                                      = 4          // Extension
	commitID, commitRequest, commitConfirm, commitCancel = 1, 2, 3, 4 // Commit
	requestDuration, durationSeconds                     = 1, 1       // CommitRequest, Duration
)

// A Set is a SetRequest: what a target does as a whole, or not at all.
type Set struct {
	Deletes           []string // paths, such as /interface[name=ethernet-1/1]/mtu or openconfig:/qos
	Replaces, Updates []Value
}

// A Value is what a path gets, as JSON by RFC 7951.
type Value struct {
	Path string
	JSON []byte
}

// A Commit is a confirmed commit (openconfig/reference, rpc/gnmi/gnmi-commit-confirmed.md): a request
// with For is taken back after that time, unless one with Confirm or Cancel and the same ID comes.
type Commit struct {
	ID              string
	For             time.Duration
	Confirm, Cancel bool
}

// A StatusError is that a target ended a call by itself.
type StatusError struct{ Code, Message string }

func (e *StatusError) Error() string {
	return fmt.Sprintf("the target refuses: %.200q (gRPC status %.20q)", e.Message, e.Code)
}

// Codes of gRPC's status (grpc, doc/statuscodes.md).
const (
	InvalidArgument    = "3"
	NotFound           = "5"
	FailedPrecondition = "9"
	Unimplemented      = "12"
	Unavailable        = "14" // a connection ended
)

// Set changes a target. Without an ID the commit is no confirmed one.
func (a *Address) Set(ctx context.Context, s Set, c Commit) error {
	_, err := a.unary(ctx, "Set", setRequest(s, c))
	return err
}

// setRequest encodes a SetRequest.
func setRequest(s Set, c Commit) (message []byte) {
	for _, path := range s.Deletes {
		message = field(message, setDelete, pathOf(path))
	}
	for number, values := range map[protowire.Number][]Value{setReplace: s.Replaces, setUpdate: s.Updates} {
		for _, v := range values {
			message = field(message, number, field(field(nil, updatePath, pathOf(v.Path)), updateVal, field(nil, valueJSONIETF, v.JSON)))
		}
	}
	if c.ID == "" {
		return message
	}
	commit := field(nil, commitID, []byte(c.ID))
	switch {
	case c.Confirm:
		commit = field(commit, commitConfirm, nil)
	case c.Cancel:
		commit = field(commit, commitCancel, nil)
	default:
		commit = field(commit, commitRequest, field(nil, requestDuration, varint(nil, durationSeconds, uint64(c.For/time.Second))))
	}
	return field(message, setExtension, field(nil, extensionCommit, commit))
}

// Config returns the configuration of a target below a path, as JSON by RFC 7951.
func (a *Address) Config(ctx context.Context, path string) ([]byte, error) {
	message, err := a.unary(ctx, "Get", varint(varint(field(nil, getPath, pathOf(path)), getType, typeConfig), getEncoding, encodingJSONIETF))
	if err != nil {
		return nil, err
	}
	var text []byte
	d := &decoder{left: mostParts}
	err = fields(message, func(n protowire.Number, _ uint64, value []byte) error {
		if n != getNotification {
			return nil
		}
		note, err := d.notification(value)
		if err != nil {
			return err
		}
		for _, u := range note.Update {
			if json, ok := u.Val["jsonIetfVal"].([]byte); ok && text == nil {
				text = bytes.Clone(json)
			}
		}
		return nil
	})
	if err == nil && text == nil {
		err = errors.New("the target gave no configuration as JSON")
	}
	return text, err
}

// unary is a call with one message and one answer.
func (a *Address) unary(ctx context.Context, method string, message []byte) ([]byte, error) {
	response, err := call(ctx, a, method, bytes.NewReader(framed(message)))
	if err != nil {
		return nil, Cause(ctx, err)
	}
	defer response.Body.Close()
	answer, err := nextMessage(response.Body)
	if err == nil {
		_, err = io.Copy(io.Discard, io.LimitReader(response.Body, mostMessage)) // up to the trailer
	}
	if failed := statusOf(response.Trailer); failed != nil {
		return nil, failed
	}
	return answer, Cause(ctx, err)
}

// pathOf encodes a path of names, each with keys in brackets. The origin may be before it, as gnmic has
// it.
func pathOf(text string) (path []byte) {
	if origin, rest, ok := strings.Cut(text, ":/"); ok && !strings.ContainsAny(origin, "/[") {
		path, text = field(nil, pathOrigin, []byte(origin)), rest
	}
	for _, element := range elements(text) {
		name, rest, _ := strings.Cut(element, "[")
		elem := field(nil, elemName, []byte(name))
		keys := map[string]string{}
		for _, part := range strings.Split(strings.TrimSuffix(rest, "]"), "][") {
			if key, value, ok := strings.Cut(part, "="); ok {
				keys[key] = value
			}
		}
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			elem = field(elem, elemKey, field(field(nil, 1, []byte(key)), 2, []byte(keys[key])))
		}
		path = field(path, pathElem, elem)
	}
	return path
}

// elements cuts a path at slashes outside of brackets.
func elements(text string) (all []string) {
	depth, from := 0, 0
	for i, c := range text + "/" {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '/' && depth == 0:
			if i > from {
				all = append(all, text[from:i])
			}
			from = i + 1
		}
	}
	return all
}
