package live

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/regular"
)

// Schemes of the addresses that are known.
const (
	Redis     = "redis"          // redis://[USER:PASSWORD@]HOST[:PORT][/DB]
	RedisTLS  = "rediss"         // likewise over TLS
	RedisUnix = "redis+unix"     // redis+unix:///PATH/OF/SOCKET
	GNMI      = "gnmi"           // gnmi://[USER:PASSWORD@]HOST:PORT, over TLS
	GNMIPlain = "gnmi+plaintext" // likewise without TLS
	SSH       = "ssh"            // ssh://USER[:PASSWORD]@HOST[:PORT], for package apply alone
)

// countersDB is the number of COUNTERS_DB (sonic-swss-common common/database_config.json).
const countersDB = 2

// An Address is where a device is asked, and as whom. It prints without the latter.
type Address struct {
	Device string // the name that it goes by

	scheme string
	host   string // HOST:PORT; empty of a socket
	socket string // the path of a socket
	db     int    // of Redis

	user         string
	password     Secret
	passwordFile string
	passwordEnv  string

	ca, cert, key string // files
	server        string // the name in the certificate, where it is not the host's
	knownHosts    string // the file of keys of SSH servers; empty: that of the user

	// Of a server whose NICs package apply changes: their kind, by its name in the fabric, their
	// network interfaces with commas between, and the file that the server runs at its start.
	NIC, Interfaces, Script string

	reach Dial          // nil: the system's
	slots chan struct{} // that run at one time; nil: all
}

// Dial reaches a place of a network, as [net.Dialer.DialContext] does.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

var schemes = []string{Redis, RedisTLS, RedisUnix, GNMI, GNMIPlain, SSH}

// IsAddress reports whether an argument is an address, which may have DEVICE= before it, or is
// meant as one. [ParseAddress] reports its faults, and shows no password.
func IsAddress(arg string) bool {
	_, address := split(arg)
	scheme, _, _ := strings.Cut(address, ":")
	return strings.Contains(address, "://") || slices.Contains(schemes, strings.ToLower(scheme)) && scheme != address
}

// Counts reports whether counters can be read at the address.
func (a *Address) Counts() bool { return a.scheme != SSH }

// Scheme returns the part of the address before ://.
func (a *Address) Scheme() string { return a.scheme }

// Through makes a function reach the address; nil: the system does.
func (a *Address) Through(reach Dial) { a.reach = reach }

// split takes DEVICE= from the front.
func split(arg string) (device, address string) {
	before, after, ok := strings.Cut(arg, "=")
	if ok && !strings.ContainsAny(before, ":/@") {
		return before, after
	}
	return "", arg
}

// String returns the address without user and password.
func (a *Address) String() string {
	switch {
	case a.scheme == RedisUnix:
		return a.scheme + "://" + a.socket
	case a.isRedis() && a.db != countersDB:
		return fmt.Sprintf("%s://%s/%d", a.scheme, a.host, a.db)
	}
	return a.scheme + "://" + a.host
}

func (a *Address) isRedis() bool { return strings.HasPrefix(a.scheme, Redis) }

// withTLS reports whether the connection is over TLS.
func (a *Address) withTLS() bool { return a.scheme == GNMI || a.scheme == RedisTLS }

// withoutUser is an address for a message about it: what may be a user and a password is left out,
// wherever a spelling mistake has put them.
func withoutUser(address string) string {
	scheme, rest, _ := strings.Cut(address, ":")
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		return scheme + "://…@" + rest[i+1:]
	}
	return address
}

// ParseAddress takes an argument apart. No error of it shows a password.
func ParseAddress(arg string) (*Address, error) {
	device, address := split(arg)
	wrong := func(format string, args ...any) (*Address, error) {
		return nil, fmt.Errorf("%s is not an address: %s", withoutUser(address), fmt.Sprintf(format, args...))
	}
	_, rest, _ := strings.Cut(address, "://")
	if at := strings.LastIndex(rest, "@"); at >= 0 && strings.ContainsAny(rest[:at], "/?#@") {
		return wrong("write / ? # @ of a user, a password or a path as %%2F %%3F %%23 %%40")
	}
	u, err := url.Parse(address)
	if err != nil {
		return wrong("it is [DEVICE=]SCHEME://[USER:PASSWORD@]HOST:PORT, with %% written as %%25")
	}
	if u.Opaque != "" || !slices.Contains(schemes, u.Scheme) {
		return wrong("it begins with one of %s://", strings.Join(schemes, "://, "))
	}
	a := &Address{Device: device, scheme: u.Scheme, user: u.User.Username(), db: countersDB}
	if password, ok := u.User.Password(); ok {
		a.password = NewSecret(password)
	}
	if why := a.place(u); why != "" {
		return wrong("%s", why)
	}
	if why := a.parameters(u); why != "" {
		return wrong("%s", why)
	}
	if a.Device = cmp.Or(device, u.Hostname()); a.Device == "" {
		return nil, fmt.Errorf("%s does not name its device: write DEVICE=%[1]s", withoutUser(address))
	}
	return a, nil
}

// place takes host, port, socket and database.
func (a *Address) place(u *url.URL) (why string) {
	switch {
	case u.Fragment != "":
		return "nothing may follow #"
	case a.scheme == RedisUnix && u.Path == "":
		return "there is no path of a socket"
	case a.scheme == RedisUnix:
		a.socket = u.Path
		return ""
	case u.Hostname() == "":
		return "there is no host"
	case !a.isRedis() && a.scheme != SSH && u.Port() == "":
		return "there is no port, such as :8080"
	case a.scheme == SSH && a.user == "":
		return "there is no user, such as ssh://admin@leaf-1"
	case !a.isRedis() && strings.Trim(u.Path, "/") != "":
		return "nothing may follow the port"
	}
	usual := "6379"
	if a.scheme == SSH {
		usual = "22"
	}
	a.host = net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), usual))
	number := strings.Trim(u.Path, "/")
	if number == "" {
		return ""
	}
	db, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return "the path is not the number of a database"
	}
	a.db = int(db)
	return ""
}

// parameters parses what follows the question mark. They are called as in Prometheus's
// tls_config and basic_auth.
func (a *Address) parameters(u *url.URL) (why string) {
	known := map[string]*string{"password_file": &a.passwordFile, "password_env": &a.passwordEnv, "ca_file": &a.ca, "cert_file": &a.cert, "key_file": &a.key, "server_name": &a.server, "known_hosts": &a.knownHosts, "nic": &a.NIC, "interfaces": &a.Interfaces, "script": &a.Script}
	names := strings.Join(slices.Sorted(maps.Keys(known)), ", ")
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "NAME=VALUE pairs follow ?, with & between them, with % written as %25"
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		to := known[name]
		if to == nil || len(query[name]) != 1 || query[name][0] == "" {
			return "after ? each of these may occur once, with a value: " + names
		}
		*to = query[name][0]
	}
	switch {
	case a.scheme != SSH && a.NIC+a.Interfaces+a.Script != "":
		return "nic, interfaces and script are for " + SSH
	case (a.NIC == "") != (a.Interfaces == "") || a.NIC == "" && a.Script != "":
		return "nic and interfaces are given together, such as nic=cx&interfaces=eth2,eth3"
	case a.NIC != "" && !isInterfaces.MatchString(a.Interfaces):
		return "interfaces are names of network interfaces with commas between, such as eth2,eth3"
	case a.Script != "" && !isPath.MatchString(a.Script):
		return "script is a path of letters, digits, dots, dashes and underscores, such as /etc/roce/cx.sh"
	case a.scheme == SSH && a.ca+a.cert+a.server != "":
		return "ca_file, cert_file and server_name are for TLS; " + SSH + " has key_file and known_hosts"
	case a.scheme != SSH && a.knownHosts != "":
		return "known_hosts is for " + SSH
	case a.scheme != SSH && !a.withTLS() && a.ca+a.cert+a.key+a.server != "":
		return "ca_file, cert_file, key_file and server_name are for TLS: " + RedisTLS + " or " + GNMI
	case a.scheme != SSH && (a.cert == "") != (a.key == ""):
		return "cert_file and key_file are given together"
	case a.passwordFile != "" && a.passwordEnv != "", a.password.given() && a.passwordFile+a.passwordEnv != "":
		return "a password is given once: in the address, in password_file, or in password_env"
	}
	return ""
}

// Names in commands of a server. The kernel takes 15 characters of an interface (Linux if.h,
// IFNAMSIZ).
var (
	isInterfaces = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,15}(,[A-Za-z0-9_.-]{1,15})*$`)
	isPath       = regexp.MustCompile(`^(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$`)
)

// secret returns the password at this moment: a file may have been written anew.
func (a *Address) secret() (Secret, error) {
	switch {
	case a.passwordEnv != "":
		text, ok := os.LookupEnv(a.passwordEnv)
		if !ok {
			return Secret{}, fmt.Errorf("the environment has no %s, which password_env names", a.passwordEnv)
		}
		return NewSecret(text), nil
	case a.passwordFile != "":
		text, err := regular.Read(a.passwordFile)
		if err != nil {
			return Secret{}, fmt.Errorf("password_file: %w", err)
		}
		return NewSecret(strings.TrimSpace(string(text))), nil // as Prometheus reads such files
	}
	return a.password, nil
}
