package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of fields and values of gnmi.proto (openconfig/gnmi 0.14, proto/gnmi/gnmi.proto).
const (
	requestSubscribe = 1 // SubscribeRequest

	listPrefix, listSubscription, listMode, listEncoding = 1, 2, 5, 8 // SubscriptionList
	encodingJSONIETF                                     = 4

	subscriptionPath, subscriptionMode, subscriptionInterval = 1, 2, 3 // Subscription
	modeSample                                               = 2

	pathElem, pathTarget         = 3, 4
	elemName, elemKey            = 1, 2
	responseUpdate, responseSync = 1, 3 // SubscribeResponse

	notificationTime, notificationPrefix, notificationUpdate, notificationDelete = 1, 2, 4, 5
	updatePath, updateVal                                                        = 1, 3
)

// A mode is how long a target answers: SubscriptionList.Mode, and how often it samples in a stream.
type mode struct {
	list   uint64
	sample time.Duration // 0: once
}

func once() mode { return mode{list: 1} }

func sampled(every time.Duration) mode { return mode{list: 0, sample: every} }

// subscribe is a request for SONiC's counters and watermarks by port (sonic-gnmi,
// sonic_data_client/virtual_db.go).
func subscribe(m mode) []byte {
	list := field(nil, listPrefix, field(nil, pathTarget, []byte("COUNTERS_DB")))
	for _, names := range [][]string{
		{"COUNTERS", "Ethernet*"}, {"COUNTERS", "Ethernet*", "Queues"}, {"COUNTERS", "Ethernet*", "Pfcwd"},
		{"PERIODIC_WATERMARKS", "Ethernet*", "Queues"}, {"PERIODIC_WATERMARKS", "Ethernet*", "PriorityGroups"},
	} {
		var path []byte
		for _, name := range names {
			path = field(path, pathElem, field(nil, elemName, []byte(name)))
		}
		subscription := field(nil, subscriptionPath, path)
		if m.sample > 0 {
			subscription = varint(varint(subscription, subscriptionMode, modeSample), subscriptionInterval, uint64(m.sample.Nanoseconds()))
		}
		list = field(list, listSubscription, subscription)
	}
	list = varint(varint(list, listMode, m.list), listEncoding, encodingJSONIETF)
	return field(nil, requestSubscribe, list)
}

func field(to []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), value)
}

func varint(to []byte, number protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(to, number, protowire.VarintType), value)
}

// The messages as protobuf's JSON mapping writes them.
type (
	jsonElem struct {
		Name string            `json:"name"`
		Key  map[string]string `json:"key,omitempty"`
	}
	jsonPath struct {
		Elem []jsonElem `json:"elem,omitempty"`
	}
	jsonUpdate struct {
		Path jsonPath       `json:"path"`
		Val  map[string]any `json:"val,omitempty"`
	}
	jsonNotification struct {
		Timestamp string       `json:"timestamp"`
		Prefix    jsonPath     `json:"prefix"`
		Update    []jsonUpdate `json:"update"`
		deleted   []jsonPath   // which no reader asks for
	}
)

var errWire = errors.New("a notification is not encoded as gnmi.proto says")

// Bounds of a notification. An element of two bytes on the wire takes a hundred in memory.
const (
	mostParts  = 1 << 17 // updates, deletions, and elements of paths with their keys
	mostLevels = 64      // elements of a path
	mostPath   = 4 << 10 // bytes of a path
)

var errParts = fmt.Errorf("a notification of more than %d parts, or with a path of more than %d elements or %d bytes, is not read", mostParts, mostLevels, mostPath)

// A decoder reads a message that has so many parts left.
type decoder struct{ left int }

// part counts a part.
func (d *decoder) part() error {
	if d.left--; d.left < 0 {
		return errParts
	}
	return nil
}

// fields calls f for each field of a message: number is of a varint, value of all else.
func fields(message []byte, f func(n protowire.Number, number uint64, value []byte) error) error {
	for len(message) > 0 {
		n, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return errWire
		}
		message = message[size:]
		size = protowire.ConsumeFieldValue(n, kind, message)
		if size < 0 {
			return errWire
		}
		var number uint64
		value := message[:size]
		switch kind {
		case protowire.VarintType:
			number, _ = protowire.ConsumeVarint(value)
		case protowire.BytesType:
			value, _ = protowire.ConsumeBytes(value)
		}
		if err := f(n, number, value); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}

// text is a line of JSON.
func (n *jsonNotification) text() ([]byte, error) {
	text, err := json.Marshal(map[string]any{"update": n})
	return append(text, '\n'), err
}

// notification reads a SubscribeResponse: what changed, nil where it is that all was sent.
func notification(message []byte) (note *jsonNotification, synced bool, err error) {
	d := &decoder{left: mostParts}
	err = fields(message, func(n protowire.Number, number uint64, value []byte) error {
		switch n {
		case responseSync:
			synced = number != 0
		case responseUpdate:
			note, err = d.notification(value)
			return err
		}
		return nil
	})
	return note, synced, err
}

func (d *decoder) notification(message []byte) (note *jsonNotification, err error) {
	note = &jsonNotification{}
	err = fields(message, func(n protowire.Number, number uint64, value []byte) (err error) {
		switch n {
		case notificationTime:
			note.Timestamp = strconv.FormatUint(number, 10)
		case notificationPrefix:
			note.Prefix, err = d.path(value)
		case notificationUpdate:
			if err := d.part(); err != nil {
				return err
			}
			var u jsonUpdate
			u, err = d.update(value)
			note.Update = append(note.Update, u)
		case notificationDelete:
			if err := d.part(); err != nil {
				return err
			}
			var gone jsonPath
			gone, err = d.path(value)
			note.deleted = append(note.deleted, gone)
		}
		return err
	})
	return note, err
}

func (d *decoder) update(message []byte) (u jsonUpdate, err error) {
	err = fields(message, func(n protowire.Number, _ uint64, value []byte) (err error) {
		switch n {
		case updatePath:
			u.Path, err = d.path(value)
		case updateVal:
			u.Val = map[string]any{}
			err = decodeValue(u.Val, value)
		}
		return err
	})
	return u, err
}

func (d *decoder) path(message []byte) (p jsonPath, err error) {
	if len(message) > mostPath {
		return p, errParts
	}
	err = fields(message, func(n protowire.Number, _ uint64, value []byte) error {
		if n != pathElem {
			return nil
		}
		if len(p.Elem) == mostLevels || d.part() != nil {
			return errParts
		}
		e := jsonElem{Key: map[string]string{}}
		err := fields(value, func(n protowire.Number, _ uint64, value []byte) error {
			switch n {
			case elemName:
				e.Name = string(value)
			case elemKey: // an entry of a map: its key is 1, its value 2
				if err := d.part(); err != nil {
					return err
				}
				var pair [3]string
				err := fields(value, func(n protowire.Number, _ uint64, value []byte) error {
					if n == 1 || n == 2 {
						pair[n] = string(value)
					}
					return nil
				})
				e.Key[pair[1]] = pair[2]
				return err
			}
			return nil
		})
		p.Elem = append(p.Elem, e)
		return err
	})
	return p, err
}

// decodeValue reads a TypedValue. Values that no counter has stay out.
func decodeValue(to map[string]any, message []byte) error {
	return fields(message, func(n protowire.Number, number uint64, value []byte) error {
		switch n {
		case 1:
			to["stringVal"] = string(value)
		case 2:
			to["intVal"] = strconv.FormatInt(int64(number), 10)
		case 3:
			to["uintVal"] = strconv.FormatUint(number, 10)
		case 10:
			to["jsonVal"] = value // encoding/json writes bytes in base64, as protobuf does
		case 11:
			to["jsonIetfVal"] = value
		case 14:
			bits, size := protowire.ConsumeFixed64(value)
			if size < 0 {
				return errWire
			}
			to["doubleVal"] = math.Float64frombits(bits)
		}
		return nil
	})
}
