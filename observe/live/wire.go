package live

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of fields and values of gnmi.proto (openconfig/gnmi 0.14, proto/gnmi/gnmi.proto).
const (
	requestSubscribe = 1 // SubscribeRequest

	listPrefix, listSubscription, listMode, listEncoding = 1, 2, 5, 8 // SubscriptionList
	modeOnce, encodingJSONIETF                           = 1, 4

	subscriptionPath             = 1 // Subscription
	pathElem, pathTarget         = 3, 4
	elemName, elemKey            = 1, 2
	responseUpdate, responseSync = 1, 3 // SubscribeResponse

	notificationTime, notificationPrefix, notificationUpdate = 1, 2, 4
	updatePath, updateVal                                    = 1, 3
)

// subscribe is a request for SONiC's counters and watermarks by port (sonic-gnmi,
// sonic_data_client/virtual_db.go).
func subscribe() []byte {
	list := field(nil, listPrefix, field(nil, pathTarget, []byte("COUNTERS_DB")))
	for _, names := range [][]string{
		{"COUNTERS", "Ethernet*"}, {"COUNTERS", "Ethernet*", "Queues"}, {"COUNTERS", "Ethernet*", "Pfcwd"},
		{"PERIODIC_WATERMARKS", "Ethernet*", "Queues"}, {"PERIODIC_WATERMARKS", "Ethernet*", "PriorityGroups"},
	} {
		var path []byte
		for _, name := range names {
			path = field(path, pathElem, field(nil, elemName, []byte(name)))
		}
		list = field(list, listSubscription, field(nil, subscriptionPath, path))
	}
	list = protowire.AppendVarint(protowire.AppendTag(list, listMode, protowire.VarintType), modeOnce)
	list = protowire.AppendVarint(protowire.AppendTag(list, listEncoding, protowire.VarintType), encodingJSONIETF)
	return field(nil, requestSubscribe, list)
}

func field(to []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), value)
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
	}
)

var errWire = errors.New("a notification is not encoded as gnmi.proto says")

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

// notification reads a SubscribeResponse: a line of JSON, or that all was sent.
func notification(message []byte) (text []byte, synced bool, err error) {
	err = fields(message, func(n protowire.Number, number uint64, value []byte) error {
		switch n {
		case responseSync:
			synced = number != 0
		case responseUpdate:
			note, err := decodeNotification(value)
			if err != nil {
				return err
			}
			if text, err = json.Marshal(map[string]any{"update": note}); err != nil {
				return err
			}
			text = append(text, '\n')
		}
		return nil
	})
	return text, synced, err
}

func decodeNotification(message []byte) (note jsonNotification, err error) {
	err = fields(message, func(n protowire.Number, number uint64, value []byte) (err error) {
		switch n {
		case notificationTime:
			note.Timestamp = strconv.FormatUint(number, 10)
		case notificationPrefix:
			note.Prefix, err = decodePath(value)
		case notificationUpdate:
			var u jsonUpdate
			u, err = decodeUpdate(value)
			note.Update = append(note.Update, u)
		}
		return err
	})
	return note, err
}

func decodeUpdate(message []byte) (u jsonUpdate, err error) {
	err = fields(message, func(n protowire.Number, _ uint64, value []byte) (err error) {
		switch n {
		case updatePath:
			u.Path, err = decodePath(value)
		case updateVal:
			u.Val = map[string]any{}
			err = decodeValue(u.Val, value)
		}
		return err
	})
	return u, err
}

func decodePath(message []byte) (p jsonPath, err error) {
	err = fields(message, func(n protowire.Number, _ uint64, value []byte) error {
		if n != pathElem {
			return nil
		}
		e := jsonElem{Key: map[string]string{}}
		err := fields(value, func(n protowire.Number, _ uint64, value []byte) error {
			switch n {
			case elemName:
				e.Name = string(value)
			case elemKey: // an entry of a map: its key is 1, its value 2
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
