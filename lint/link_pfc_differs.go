package lint

import (
	"strconv"
	"strings"
)

// linkPFCDiffers compares the priorities that are lossless.
func linkPFCDiffers(l *joined) {
	if l.a.silent() || l.b.silent() || l.a.pfc() == l.b.pfc() {
		return
	}
	l.errorf(LinkPFCDiffers, l.a.pfcAt(), l.b.pfcAt(), "%v has PFC for %s, but its peer %v for %s: one of them ignores pauses of the other", l.a, Priorities(l.a.pfc()), l.b, Priorities(l.b.pfc())).Fixf("enable PFC for the same priorities at both ends")
}

// Priorities writes a set of PFC priorities.
func Priorities(set uint8) string {
	var all []string
	for p := range 8 {
		if set&(1<<p) != 0 {
			all = append(all, strconv.Itoa(p))
		}
	}
	switch len(all) {
	case 0:
		return "no priority"
	case 1:
		return "priority " + all[0]
	}
	return "priorities " + strings.Join(all, ", ")
}
