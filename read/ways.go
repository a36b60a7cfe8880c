package read

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/packed"
)

// A Way is a statement after which packets may take other ways than shortest paths, or go
// nowhere. It changes no class, queue or buffer, so it is neutral to a verdict on losslessness, but
// not to one on deadlocks.
type Way struct {
	At   diag.Range
	Text string // as written, with single blanks, at most 80 bytes
	Why  string // what it is and what it does: "a static route, which …"
	// Port that bridges by the statement. It matters where a cable joins the port to a switch. Empty: the
	// whole switch.
	Port string
	// Bridged is set where only packets that are bridged feel it.
	Bridged bool
	// Value is the word of the statement that matters: an instance, the tag of a VLAN, an address.
	Value string
	// Bundle that the port is a member of. Some systems have only its number here.
	Bundle string
}

// A WayKind is a kind of such statements.
type WayKind struct {
	// Path is how the words of a statement begin, those of the sections around it first. "a|b" is one of
	// several words, "*" any word, "%" any word, which is a port, "%." a port with the number of a part of it behind
	// a dot, "&" any word, which is the value, "@" any word, which is a bundle, "~" any word, which is the name of a list
	// and the value, "…" any number of words, "1..299" a number from 1 to 299, "$" the end.
	// Behind the path "!bridged" sets Bridged, "!value V" is the value where the path has none, and with "!also" the
	// statement may be of a kind further down as well.
	Path string
	// Why is that of the Way. Empty: the statement is of no such kind, whatever follows in the list.
	Why string
}

// WayKinds finds the kind of a statement.
type WayKinds map[string][]wayKind // by the first word

type wayKind struct {
	words         []wayWord
	why, value    string
	bridged, also bool
}

// A wayWord is a word of a path, prepared for comparison.
type wayWord struct {
	sign        byte     // of signs, '1' for a range of numbers, or 0 for words
	words       []string // any of them fits
	least, most int
}

// signs are the words of a path that mean other words.
var signs = map[string]byte{"~": '~', "%": '%', "%.": '.', "&": '&', "@": '@', "*": '*', "…": 'o', "$": '$'}

func newWayWord(word string) wayWord {
	if least, most, ok := strings.Cut(word, ".."); ok {
		low, _ := strconv.Atoi(least)
		high, _ := strconv.Atoi(most)
		return wayWord{sign: '1', least: low, most: high}
	}
	return wayWord{sign: signs[word], words: strings.Split(word, "|")}
}

// NewWayKinds arranges kinds for search. The first that fits a statement counts.
func NewWayKinds(all []WayKind) WayKinds {
	kinds := WayKinds{}
	for _, k := range all {
		path, value, _ := strings.Cut(k.Path, " !value ")
		first, rest, _ := strings.Cut(path, " ")
		kind := wayKind{why: k.Why, value: value}
		for word := range strings.FieldsSeq(rest) {
			switch word {
			case "!bridged":
				kind.bridged = true
			case "!also":
				kind.also = true
			default:
				kind.words = append(kind.words, newWayWord(word))
			}
		}
		for first := range strings.SplitSeq(first, "|") {
			kinds[first] = append(kinds[first], kind)
		}
	}
	return kinds
}

// Of returns the ways that a statement is, without their place and text.
func (kinds WayKinds) Of(words []string) (all []Way) {
	if len(words) == 0 {
		return nil
	}
	of := kinds[words[0]]
	for i := range of {
		k := &of[i]
		var way Way
		if !way.along(k.words, words[1:]) {
			continue
		}
		way.Why, way.Bridged, way.Value = k.why, k.bridged, cmp.Or(way.Value, k.value)
		if k.why != "" {
			all = append(all, way)
		}
		if !k.also {
			break
		}
	}
	return all
}

// "…" matches at most mostBetween words; it bounds the time that a hostile file takes.
const mostBetween = 24

// along reports whether words follow a path, and notes the port and the value among them.
func (w *Way) along(path []wayWord, words []string) bool {
	for i, want := range path {
		switch {
		case want.sign == 'o':
			for from := range min(len(words), mostBetween) + 1 {
				if w.along(path[i+1:], words[from:]) {
					return true
				}
			}
			return false
		case want.sign == '$':
			return len(words) == 0
		case len(words) == 0 || !want.fits(words[0]):
			return false
		}
		switch want.sign {
		case '%':
			w.Port = words[0]
		case '.':
			w.Port, _, _ = strings.Cut(words[0], ".")
		case '&':
			w.Value = words[0]
		case '~':
			w.Value = "list " + words[0]
		case '@':
			w.Bundle = words[0]
		}
		words = words[1:]
	}
	return true
}

// fits reports whether a word is what the path wants there.
func (want *wayWord) fits(word string) bool {
	switch want.sign {
	case 0:
		return slices.Contains(want.words, word)
	case '1':
		n, err := strconv.Atoi(word)
		return err == nil && want.least <= n && n <= want.most
	case '.':
		return strings.Contains(word, ".")
	}
	return true
}

// Effects of statements of several systems on the ways of packets. IEEE 802.1Q-2018 recommends 300
// s for the ageing of addresses (8.8.3, table 8-6), for which rows have 1..299. Rows have 1..999 for limits of
// routes: 1,000 is a choice. A fabric of some hundred switches has fewer routes, and which of them a neighbour sends is not known.
const (
	WayStatic    = "a static route may send packets on another path, in a loop, or nowhere"
	WayOwnAS     = "the switch accepts routes that passed it before, so packets may go down and up again"
	WayPolicy    = "a policy selects routes, so packets may take longer paths"
	WayPreferred = "routes are preferred by criteria other than length, so packets may take longer paths"
	WayLeaked    = "routes of one instance are imported into another, so packets may take other paths"
	WayOff       = "routing is off there, so packets to hosts behind the switch take longer paths, or none"
	WayAvoided   = "neighbours avoid this switch, and their paths may be longer"
	WayBridged   = "packets are bridged there, so spanning tree selects their path, and packets to unknown addresses are flooded"
	WayNoTree    = "no spanning tree prevents loops of bridged packets"
	WayDown      = "the port is shut down, so packets take other paths, which may be longer, or none"
	WayShut      = "a BGP neighbour is shut down, so packets take other paths, which may be longer, or none"
	WayNoFamily  = "a BGP neighbour gets no routes of an address family there, so its packets take other paths, which may be longer, or none"
	WayLimited   = "a BGP neighbour may send fewer than 1,000 routes, and with more its session ends, so packets take other paths, which may be longer, or none"
	WayRejected  = "by its policies, or without any, a BGP neighbour of another AS gives or gets no routes, so its packets take other paths, which may be longer, or none"
	WayFarHop    = "routes keep the next hop of a switch further away, to which a BGP neighbour may have no route, so packets take other paths, which may be longer, or none"
	WayElsewhere = "the routing is in files of their own, which are not judged, so packets may take any path, or none"
	WayOther     = "the BGP neighbour is of another routing instance than the default one, which may have no session with it"
	WayInstance  = "ports to other switches are in several routing instances, so packets of each take other paths, or none"
	WayRedirect  = "a policy of the port forwards packets, not the routes"
	WayPaired    = "the switch is one of a pair, and packets may cross the link between the two, which is no shortest path"
	WayFew       = "the bundle has fewer links than it demands, so it stays down, and packets take other paths, which may be longer, or none"
	WayLoose     = "it is in no network instance, so the port carries no packets"
	WayDark      = "the port sends no light, so packets take other paths, which may be longer, or none"
	WaySummed    = "one route replaces those of a range, so packets to addresses of the range that are behind other switches may end here"
	WayHeld      = "the switch may not take packets of its routing protocols, so packets take other paths, which may be longer, or none"
	WayKnown     = "the hardware address of a neighbour is written, not learned, so packets may reach another one, or none"
	WayForgotten = "addresses expire in less than 300 s, and bridged packets to them are then flooded"
)

// Statements on a link that both of its ends have to agree on. They are found with the ways, because they too
// matter only between switches.
const (
	Negotiated = "negotiates its speed"
	Forced     = "does not negotiate its speed"
	Trained    = "trains its link"
	Bundled    = "is in a bundle of links"
	Tagged     = "has packets with the tag of a VLAN"
	Addressed  = "has the address"
	Neighbour  = "has the neighbour"
	Opposite   = "has the neighbour's port"
	Split      = "is split into parts" // such as 4x or 2x100G
)

// Statements on the routing neighbours of a switch. They have no port; the bundle of those of a neighbour is its
// address, port or group.
const (
	OwnAS       = "is in the AS"
	PeerAS      = "has the AS for the neighbour"
	PeerIn      = "has the neighbour in the group"
	LocalAS     = "is in another AS for the neighbour"
	Secured     = "has a password for the neighbour"
	Guarded     = "takes only packets of the neighbour that come from so many hops away (RFC 5082)"
	Source      = "sends to the neighbour from" // an address, or the port that has it
	Listens     = "accepts neighbours"          // from a range of addresses, or any if the value is none
	MostWays    = "spreads packets over at most"
	Balances    = "has a policy for several next hops" // by its name
	Installs    = "installs next hops by the policy"
	Portless    = "leaves the UDP source port out of the hash of equal paths"
	RouterID    = "has the router id"
	Loopback    = "has the loopback address" // the router id where none is written
	OneAS       = "uses only equal paths of one AS together"
	ManyAS      = "uses equal paths of several AS together"
	Waits       = "waits for the neighbour to begin"
	Watches     = "watches the neighbour by BFD"
	Probes      = "has BFD at the port"
	Announces   = "announces the subnets of its ports"
	AnnouncesBy = "announces subnets of its ports by the policy"
	Announced   = "announces the prefix"
	TakesBy     = "takes routes of the neighbour by the policy" // several after another
	GivesBy     = "gives routes to the neighbour by the policy"
	Unbound     = "takes no next hop with an address of IPv6"
)

// Statements on the VLANs of ports. What a VLAN is called is the value: its number, or the name that the system has for it.
const (
	VLAN     = "has the VLAN" // with the name of the number as the bundle
	Untagged = "puts untagged packets into the VLAN"
	Native   = "puts untagged packets of a trunk into the VLAN"
	Tags     = "has tagged packets of the VLAN" // of many: it is a trunk, for which Untagged does not hold
	Gateway  = "is the interface of the VLAN"
	Shared   = "shares its address or its hosts with other switches"
)

// What is off: values of WayOff. Without one it is a part of the routing.
const (
	Forwarding = "forwarding"
	BGP        = "BGP"
)

// What a bundle does to agree with its peer: the values of Bundled.
const (
	Active  = "active"  // it sends LACP
	Passive = "passive" // it answers LACP
	Static  = "on"      // it has no LACP
)

// whys are the reasons of rows, by the names that rows have for them.
var whys = map[string]string{
	"Addressed": Addressed, "Announces": Announces, "AnnouncesBy": AnnouncesBy, "Announced": Announced, "TakesBy": TakesBy, "GivesBy": GivesBy, "Balances": Balances, "Bundled": Bundled, "Forced": Forced, "Gateway": Gateway, "Guarded": Guarded,
	"Installs": Installs, "Listens": Listens, "LocalAS": LocalAS, "Loopback": Loopback,
	"ManyAS": ManyAS, "MostWays": MostWays, "Negotiated": Negotiated, "Native": Native, "Neighbour": Neighbour,
	"OneAS": OneAS, "Opposite": Opposite, "OwnAS": OwnAS, "PeerAS": PeerAS,
	"PeerIn": PeerIn, "Portless": Portless, "RouterID": RouterID, "Secured": Secured,
	"Shared": Shared, "Source": Source, "Split": Split, "Tagged": Tagged, "Tags": Tags, "Trained": Trained,
	"Unbound": Unbound, "Untagged": Untagged, "VLAN": VLAN, "Waits": Waits, "Watches": Watches, "WayAvoided": WayAvoided,
	"WayBridged": WayBridged, "WayDark": WayDark, "WayDown": WayDown, "WayElsewhere": WayElsewhere, "WayFarHop": WayFarHop,
	"WayFew": WayFew, "WayForgotten": WayForgotten, "WayHeld": WayHeld, "WayInstance": WayInstance, "WayOther": WayOther,
	"WayKnown": WayKnown, "WayLeaked": WayLeaked, "WayLimited": WayLimited, "WayNoFamily": WayNoFamily,
	"WayNoTree": WayNoTree, "WayOff": WayOff, "WayOwnAS": WayOwnAS, "WayPaired": WayPaired,
	"WayPolicy": WayPolicy, "WayPreferred": WayPreferred, "WayRedirect": WayRedirect, "WayRejected": WayRejected,
	"WayShut": WayShut, "WayStatic": WayStatic, "WaySummed": WaySummed,
}

// waysFile holds ways/*.txt, compressed. The test that reads the one writes the other.
//
//go:embed ways.bin
var waysFile string

var wayFiles = sync.OnceValue(func() map[string]string { return maps.Collect(packed.Files(waysFile)) })

// Ways returns the kinds of a system: the rows of a file in the folder ways. A row is the name of its reason, or "-" for
// none, and its path.
func Ways(system string) WayKinds {
	var rows []WayKind
	for row := range strings.SplitSeq(wayFiles()["ways/"+system+".txt"], "\n") {
		if why, path, ok := strings.Cut(row, " "); ok && why != "#" {
			rows = append(rows, WayKind{path, whys[why]})
		}
	}
	return NewWayKinds(rows)
}

// ofLink reports whether a statement is one of those on links, neighbours and VLANs: others begin with "Way".
func (w *Way) ofLink() bool { return ends()[w.Why] }

var ends = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for name, why := range whys {
		all[why] = !strings.HasPrefix(name, "Way")
	}
	return all
})
