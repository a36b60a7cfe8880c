package sim

import (
	"testing"
	"unsafe"
)

// What a hop touches is as small as it was designed; a field too many costs speed that no
// profile shows.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"packet", unsafe.Sizeof(packet{}), 32},
		{"port", unsafe.Sizeof(port{}), 64},
		{"usage", unsafe.Sizeof(usage{}), 8},
		{"flow", unsafe.Sizeof(flow{}), 256},
		{"flow, what each packet needs", unsafe.Offsetof(flow{}.hops), 128 - 4},
		{"inbound", unsafe.Sizeof(inbound{}), 128},
		{"inbound, what each packet needs", unsafe.Offsetof(inbound{}.nackAfter), 64 - 8},
		{"nic", unsafe.Sizeof(nic{}), 128},
		{"nic, what each turn needs", unsafe.Offsetof(nic{}.wakeAt), 64},
		{"DCQCN's state", unsafe.Sizeof(dcqcnState{}), 64},
		{"telemetry", unsafe.Sizeof(telemetry{}), 72},
	} {
		if c.got != c.want {
			t.Errorf("%s fills %d B, want %d", c.name, c.got, c.want)
		}
	}
}
