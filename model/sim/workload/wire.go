package workload

import (
	"encoding/binary"
	"math"
	"slices"
)

// The types of fields on the wire (protobuf.dev/programming-guides/encoding).
const (
	wireVarint, wireFixed64, wireBytes, wireFixed32 = 0, 1, 2, 5
)

// An etNode is a node of a Chakra execution trace (mlcommons/chakra, schema/protobuf/et_def.proto, message Node), as far
// as it matters.
type etNode struct {
	id          uint64
	kind        uint64 // such as [etSend]
	deps        []uint64
	mostDeps    int // one more is kept than these, which shows that there are too many
	micros      uint64
	numbers     map[string]int64 // those of [etAttributes]
	words       map[string]string
	offsetBytes int64 // of the message in its file
}

func newNode(mostDeps int, offsetBytes int64) *etNode {
	return &etNode{mostDeps: mostDeps, numbers: map[string]int64{}, words: map[string]string{}, offsetBytes: offsetBytes}
}

// etAttributes are those that are looked at.
var etAttributes = []string{"comm_dst", "comm_size", "comm_src", "comm_tag", "comm_type", "pg_name"}

// Kinds of nodes that communicate; the others take their time.
const (
	etSend     = 5
	etReceive  = 6
	etTogether = 7
)

// Numbers of fields.
const (
	nodeID, nodeType, nodeControlDeps, nodeDataDeps, nodeMicros, nodeAttr = 1, 3, 4, 5, 7, 10
	attrName, attrString                                                  = 1, 29
)

// decode reads a message; false where it is broken.
func (n *etNode) decode(b []byte) bool {
	return fields(b, func(number, kind uint64, value []byte, scalar uint64) bool {
		switch number {
		case nodeID:
			n.id = scalar
		case nodeType:
			n.kind = scalar
		case nodeMicros:
			n.micros = scalar
		case nodeControlDeps, nodeDataDeps:
			if kind != wireBytes { // packed or not
				n.waitFor(scalar)
				return true
			}
			for len(value) > 0 {
				v, size := binary.Uvarint(value)
				if size <= 0 {
					return false
				}
				n.waitFor(v)
				value = value[size:]
			}
		case nodeAttr:
			return kind == wireBytes && n.attribute(value)
		}
		return true
	})
}

// waitFor keeps what a node waits for.
func (n *etNode) waitFor(id uint64) {
	if len(n.deps) <= n.mostDeps {
		n.deps = append(n.deps, id)
	}
}

// attribute keeps a number or a word.
func (n *etNode) attribute(b []byte) bool {
	var name, word string
	var number *int64
	ok := fields(b, func(at, kind uint64, value []byte, scalar uint64) bool {
		switch {
		case at == attrName:
			name = string(value)
		case at == attrString:
			word = string(value)
		case at >= 7 && at <= 27 && at%2 == 1 && kind != wireBytes: // the scalars between int32_val and bool_val
			v := int64(scalar)
			if at == 15 || at == 17 { // sint
				v = int64(scalar>>1) ^ -int64(scalar&1)
			}
			number = &v
		}
		return true
	})
	switch {
	case !slices.Contains(etAttributes, name):
	case number != nil:
		n.numbers[name] = *number
	case word != "":
		n.words[name] = word
	}
	return ok
}

// number returns an attribute, or a value if it is not there.
func (n *etNode) number(name string, otherwise int64) int64 {
	if v, ok := n.numbers[name]; ok {
		return v
	}
	return otherwise
}

// fields visits the fields of a message; false where it is broken or the visitor says so.
func fields(b []byte, visit func(number, kind uint64, value []byte, scalar uint64) bool) bool {
	for len(b) > 0 {
		tag, size := binary.Uvarint(b)
		if size <= 0 || tag>>3 == 0 {
			return false
		}
		b = b[size:]
		var value []byte
		var scalar uint64
		switch kind := tag & 7; {
		case kind == wireVarint:
			scalar, size = binary.Uvarint(b)
		case kind == wireFixed64 && len(b) >= 8:
			scalar, size = binary.LittleEndian.Uint64(b), 8
		case kind == wireFixed32 && len(b) >= 4:
			scalar, size = uint64(binary.LittleEndian.Uint32(b)), 4
		case kind == wireBytes:
			value, size = behindLength(b)
		default:
			return false // groups are not in these messages
		}
		if size <= 0 || !visit(tag>>3, tag&7, value, scalar) {
			return false
		}
		b = b[size:]
	}
	return true
}

// behindLength returns a run of bytes behind its length, and how many both are; 0 or less where it is broken.
func behindLength(b []byte) ([]byte, int) {
	length, size := binary.Uvarint(b)
	if size <= 0 || length > math.MaxInt32 || int(length) > len(b)-size {
		return nil, 0
	}
	return b[size : size+int(length)], size + int(length)
}

// messages visits the messages of a trace, each behind its length; the first one is the trace's metadata. It returns the
// byte at which the trace is broken, or none.
func messages(b []byte, visit func(at int64, message []byte) bool) int64 {
	all := int64(len(b))
	for first := true; len(b) > 0; first = false {
		at := all - int64(len(b))
		message, size := behindLength(b)
		if size <= 0 {
			return at
		}
		b = b[size:]
		if !first && !visit(at, message) {
			return at
		}
	}
	return none
}
