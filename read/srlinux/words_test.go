package srlinux

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
)

// Each word of a line with the bytes from which to which it stands, counted from where the line
// begins in its file. Quotes are of the word's place and not of its text, and a backslash in them keeps
// what follows it.
func TestWordsOfALine(t *testing.T) {
	for _, c := range []struct {
		line string
		at   int32
		want string
	}{
		{"", 0, ""}, {" \t\r\n", 7, ""}, {"a", 0, "a 0-1"}, {"a b", 0, "a 0-1, b 2-3"}, {"\tset  /x\r\n", 10, "set 11-14, /x 16-18"}, {"a\tb\n", 100, "a 100-101, b 102-103"},
		{`"a b" c`, 5, "a b 5-10, c 11-12"}, {`"" c`, 0, " 0-2, c 3-4"}, {`"a"b`, 0, "a 0-3, b 3-4"}, {`a"b c"`, 0, `a"b 0-3, c" 4-6`},
		{`"a\"b" c`, 0, `a"b 0-6, c 7-8`}, {`"a\\" c`, 0, `a\ 0-5, c 6-7`}, {`"a\`, 0, `a\ 0-3`}, {`"a b`, 3, "a b 3-7"}, {`"`, 3, " 3-4"}, {`x "`, 0, "x 0-1,  2-3"},
		{"a\xff b", 0, "a? 0-2, b 3-4"}, {"\"\xff\"", 0, "? 0-3"}, {"é x", 0, "é 0-2, x 3-4"},
	} {
		var got []string
		for _, w := range wordsOf([]byte(c.line), c.at) {
			got = append(got, fmt.Sprintf("%s %d-%d", w.text, w.start, w.end))
		}
		must.Equalf(t, strings.Join(got, ", "), c.want, "%q from %d:", c.line, c.at)
	}
}

// Groups and queues of a port are in the order of their numbers, in whatever order its profiles name
// them: eight of each have 40,320 orders.
func TestOrderOfGroupsAndQueues(t *testing.T) {
	var text strings.Builder
	for _, i := range []int{3, 0, 7, 5, 1, 6, 2, 4} {
		fmt.Fprintf(&text, "set / qos queues queue q%d queue-index %d\nset / qos queues pfc-queue pfc%d queue-index %d\n", i, i, i, i)
		fmt.Fprintf(&text, "set / qos pfc-mapping-profile m received-traffic unicast-mapping pfc-queue pfc%d pfc-pause-frame-priority %d\n", i, 7-i)
		fmt.Fprintf(&text, "set / qos scheduler-policies scheduler-policy s scheduler 1 input q%d queue-name q%d\n", i, i)
		fmt.Fprintf(&text, "set / qos buffer-management buffer-allocation-profile b queues queue q%d maximum-burst-size %d\n", i, 1000*(i+1))
	}
	text.WriteString("set / qos interfaces interface ethernet-1/1 pfc pfc-mapping-profile m\nset / qos interfaces interface ethernet-1/1 pfc pfc-enable true\n" +
		"set / qos interfaces interface ethernet-1/1 output buffer-allocation-profile b\nset / qos interfaces interface ethernet-1/1 output scheduler scheduler-policy s\n")
	result := Format().Read("f", []byte(text.String()), read.Options{})
	if len(result.Switch.Ports) != 1 {
		t.Fatal(readtest.Told(result))
	}
	qos, all := result.Switch.Ports[0].QoS, []uint8{0, 1, 2, 3, 4, 5, 6, 7}
	var groups, queues []uint8
	for _, pg := range qos.PGs {
		groups = append(groups, pg.ID)
	}
	for _, q := range qos.Queues {
		queues = append(queues, q.ID)
	}
	if !slices.Equal(groups, all) || !slices.Equal(queues, all) || qos.PFC != 255 {
		t.Errorf("groups %v, queues %v, PFC %b", groups, queues, qos.PFC)
	}
}
