// Package live reads counters of devices that run: COUNTERS_DB over Redis, and gNMI. What it
// gives are documents as devices would write them into files, for package observe/intake: so
// there is one reader of each format, and one judge of what is malformed.
package live

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Schemes of the addresses that [Read] takes.
const (
	Redis     = "redis"          // redis://HOST[:PORT][/DB]
	RedisUnix = "redis+unix"     // redis+unix:///PATH/OF/SOCKET
	GNMI      = "gnmi"           // gnmi://[USER:PASSWORD@]HOST:PORT, over TLS
	GNMIPlain = "gnmi+plaintext" // likewise without TLS
)

// patience is how long a device may take to answer.
const patience = 10 * time.Second

// IsAddress reports whether an argument is an address, which may have DEVICE= before it.
func IsAddress(arg string) bool {
	_, address := split(arg)
	scheme, _, ok := strings.Cut(address, "://")
	return ok && (scheme == Redis || scheme == RedisUnix || scheme == GNMI || scheme == GNMIPlain)
}

// split takes DEVICE= from the front.
func split(arg string) (device, address string) {
	before, after, ok := strings.Cut(arg, "=")
	if ok && !strings.Contains(before, "://") {
		return before, after
	}
	return "", arg
}

// A Document is what a device told, under a name that says which device and when.
type Document struct {
	Name string
	Text []byte
}

// Read asks a device once. The name that it goes by is the host of the address, unless DEVICE=
// stands before that.
func Read(ctx context.Context, arg string) (Document, error) {
	device, u, err := parse(arg)
	if err != nil {
		return Document{}, err
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	var text []byte
	switch u.Scheme {
	case Redis, RedisUnix:
		text, err = readRedis(ctx, u)
	default:
		text, err = readGNMI(ctx, u)
	}
	if err != nil {
		return Document{}, fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	return toldNow(device, text), nil
}

// toldNow is what a device tells at this moment.
func toldNow(device string, text []byte) Document {
	return Document{Name: device + "/" + time.Now().UTC().Format(stamp) + ".json", Text: text}
}

// parse takes an argument apart.
func parse(arg string) (device string, u *url.URL, err error) {
	device, address := split(arg)
	if u, err = url.Parse(address); err != nil {
		return "", nil, fmt.Errorf("%s is not an address", address)
	}
	if device == "" {
		device = u.Hostname()
	}
	if device == "" {
		return "", nil, fmt.Errorf("%s does not say which device it is of: write DEVICE=%s", address, address)
	}
	return device, u, nil
}

// stamp is intake.TimeLayout with parts of a second.
const stamp = "20060102T150405.000Z"
