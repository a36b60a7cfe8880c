package readtest

import (
	"fmt"
	"hash/fnv"
	"io"
	"reflect"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// Fingerprint is equal for switches that are told the same: places and reasons aside.
func Fingerprint(sw *plan.Switch) uint64 {
	h := fnv.New64a()
	if sw != nil {
		fingerprint(h, reflect.ValueOf(sw).Elem())
	}
	return h.Sum64()
}

func fingerprint(w io.Writer, v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[diag.Range](), reflect.TypeFor[*plan.Why]():
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			io.WriteString(w, "nil;")
			return
		}
		fingerprint(w, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fingerprint(w, v.Field(i))
		}
		io.WriteString(w, ";")
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(w, "%d[", v.Len())
		for i := range v.Len() {
			fingerprint(w, v.Index(i))
		}
	case reflect.String:
		fmt.Fprintf(w, "%q,", v.String())
	case reflect.Bool:
		fmt.Fprintf(w, "%t,", v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		fmt.Fprintf(w, "%d,", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		fmt.Fprintf(w, "%d,", v.Uint())
	default:
		panic("a plan holds a " + v.Type().String())
	}
}
