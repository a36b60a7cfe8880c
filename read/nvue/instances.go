package nvue

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/natural"
)

// Lists of instances, such as swp1-4,swp6 and 0-3,5, which `nv config show` prints and
// every command takes.
const (
	maxPorts   = 1024 // of a range
	maxNumbers = 64
)

// listed are the keys below which a key may list instances.
var listed = map[string]func(string) []string{
	"interface": portNames, "member": portNames,
	"switch-priority": numberNames, "traffic-class": numberNames, "dscp": numberNames, "pcp": numberNames,
	"multicast-switch-priority": numberNames, "ingress-service-pool": numberNames, "egress-service-pool": numberNames,
}

// instanceNames returns the names in a key, below another key.
func instanceNames(below, key string) []string {
	if expand := listed[below]; expand != nil && strings.ContainsAny(key, ",-") {
		names := expand(key)
		slices.SortFunc(names, natural.Compare)
		return slices.Compact(names)
	}
	return []string{key}
}

var (
	portRange = regexp.MustCompile(`^(swp\d{1,5}s|swp|bond)(\d{1,5})-(?:swp\d{1,5}s|swp|bond)?(\d{1,5})$`)
	portName  = regexp.MustCompile(`^swp\d{1,5}(s\d{1,2})?$`)
	portStem  = regexp.MustCompile(`^(swp\d{1,5}s|swp|bond)\d`)
	bare      = regexp.MustCompile(`^\d{1,5}(-\d{1,5})?$`)
)

// portNames expands swp1-4, swp1-swp4, swp1s0-3 and swp1-3,7, where a bare number has the letters
// of the part before it. Any other name stays whole.
func portNames(key string) (names []string) {
	stem := ""
	for _, part := range strings.Split(key, ",") {
		if m := portStem.FindStringSubmatch(part); m != nil {
			stem = m[1]
		} else if bare.MatchString(part) {
			part = stem + part
		} else {
			stem = ""
		}
		m := portRange.FindStringSubmatch(part)
		if m == nil {
			names = append(names, part)
			continue
		}
		first, _ := strconv.Atoi(m[2])
		last, _ := strconv.Atoi(m[3])
		if last < first || last-first >= maxPorts {
			names = append(names, part)
			continue
		}
		for i := first; i <= last; i++ {
			names = append(names, fmt.Sprint(m[1], i))
		}
	}
	return names
}

// numberNames expands 0-3,5. Any other text stays whole.
func numberNames(key string) (names []string) {
	for _, part := range strings.Split(key, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, known := digits(from)
		last, bounded := digits(to)
		if !isRange || !known || !bounded || last < first || last-first >= maxNumbers {
			names = append(names, part)
			continue
		}
		for i := first; i <= last; i++ {
			names = append(names, fmt.Sprint(i))
		}
	}
	return names
}
