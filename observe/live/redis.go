package live

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
	"github.com/roceplan/roceplan/observe/live/resp"
)

// Bounds of a database. COUNTERS_DB of a chassis has some 50,000 keys and 20 MB.
const (
	mostKeys   = 1 << 17 // that hold counters
	mostPages  = 512     // of SCAN
	pageSize   = 1000    // keys that a page is asked for; Redis may give more
	atOnce     = 256     // commands that are sent before their replies are read
	mostFields = 1 << 19 // that are kept
)

func bounds() resp.Bounds {
	return resp.Bounds{Text: 1 << 16, Elements: 1 << 16, Depth: 2, Total: 2 * mostText}
}

// A client is a connection to Redis.
type client struct {
	conn   net.Conn
	reader *resp.Reader
}

// readRedis reads the hashes of COUNTERS_DB as sonic-db-dump would write them. Of each it keeps the
// fields that are read. It ends with the context.
func readRedis(ctx context.Context, a *Address, charge func(int) error) ([]byte, error) {
	conn, err := a.dial(ctx)
	if err != nil {
		return nil, err
	}
	if a.slots != nil {
		conn = hold(conn, a.slots)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })() // a time that is over
	c := &client{conn: conn, reader: resp.NewReader(conn, bounds())}
	c.reader.Charge = charge
	text, err := c.read(a)
	return text, Cause(ctx, err)
}

// Cause returns the error of a context that ended, which the error of a connection only follows.
// Otherwise it returns that of the connection.
func Cause(ctx context.Context, err error) error {
	switch {
	case err == nil || ctx.Err() == nil:
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errLate
	}
	return context.Cause(ctx)
}

// errLate is that a device did not answer in its time.
var errLate = errors.New("it did not answer in time")

func (a *Address) dial(ctx context.Context) (net.Conn, error) {
	reach := a.reach
	if reach == nil {
		reach = new(net.Dialer).DialContext
	}
	if a.scheme == RedisUnix {
		return reach(ctx, "unix", a.socket)
	}
	if !a.withTLS() {
		return reach(ctx, "tcp", a.host)
	}
	config, err := a.tls()
	if err != nil {
		return nil, err
	}
	return (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", a.host)
}

func (c *client) read(a *Address) ([]byte, error) {
	password, err := a.secret()
	if err != nil {
		return nil, err
	}
	switch {
	case password.given() && a.user != "":
		_, err = c.do("AUTH", a.user, password.Reveal())
	case password.given():
		_, err = c.do("AUTH", password.Reveal())
	}
	if err == nil && a.db != 0 { // with which a connection begins
		_, err = c.do("SELECT", strconv.Itoa(a.db))
	}
	if err != nil {
		return nil, err
	}
	keys, err := c.keys()
	if err != nil {
		return nil, err
	}
	return c.dump(keys)
}

// do sends a command and reads its reply.
func (c *client) do(words ...string) (resp.Value, error) {
	if _, err := c.conn.Write(resp.AppendCommand(nil, words...)); err != nil {
		return resp.Value{}, err
	}
	return c.reply()
}

// reply reads a reply. That the server refuses is an error.
func (c *client) reply() (resp.Value, error) {
	v, err := c.reader.Read()
	if err == nil && v.Kind == resp.Error {
		err = fmt.Errorf("the server refuses: %.200q", v.Text)
	}
	return v, err
}

// texts returns the elements of a list of texts.
func texts(v resp.Value) ([]string, error) {
	if v.Kind != resp.Array || v.Null {
		return nil, errors.New("the answer is not a list of strings")
	}
	list := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if item.Kind != resp.Bulk || item.Null {
			return nil, errors.New("the answer is not a list of strings")
		}
		list = append(list, item.Text)
	}
	return list, nil
}

// keys lists the keys that hold counters or names. SCAN does not stop the server.
func (c *client) keys() (keys []string, err error) {
	have := map[string]bool{}
	cursor := "0"
	for range mostPages {
		v, err := c.do("SCAN", cursor, "COUNT", strconv.Itoa(pageSize))
		if err != nil {
			return nil, err
		}
		if len(v.Items) != 2 || v.Items[0].Kind != resp.Bulk {
			return nil, errors.New("the answer to SCAN is not a cursor and a list")
		}
		page, err := texts(v.Items[1])
		if err != nil {
			return nil, err
		}
		for _, key := range page {
			if intake.Holds(key) && !have[key] {
				have[key], keys = true, append(keys, key)
			}
		}
		if len(keys) > mostKeys {
			return nil, fmt.Errorf("there are more than %d keys", mostKeys)
		}
		if cursor = v.Items[0].Text; cursor == "0" {
			return keys, nil
		}
	}
	return nil, fmt.Errorf("SCAN has not ended after %d pages", mostPages)
}

// dump asks for all hashes, some at once, and writes them as JSON. One that was deleted meanwhile is empty.
func (c *client) dump(keys []string) ([]byte, error) {
	out := []byte{'{'}
	if !slices.Contains(keys, intake.PortNames) { // a database without it is one all the same
		out = append(appendText(out, intake.PortNames), ": {}"...)
	}
	counters, left := observe.SwitchCounters(), mostFields
	for len(keys) > 0 {
		some := keys[:min(atOnce, len(keys))]
		keys = keys[len(some):]
		var commands []byte
		for _, key := range some {
			commands = resp.AppendCommand(commands, "HGETALL", key)
		}
		if _, err := c.conn.Write(commands); err != nil {
			return nil, err
		}
		for _, key := range some {
			if len(out) > 1 {
				out = append(out, ",\n"...)
			}
			out = append(appendText(out, key), ": {"...)
			var fields int
			var err error
			if out, fields, err = c.hash(out, key, counters); err != nil {
				return nil, fmt.Errorf("%.200q: %w", key, err)
			}
			if left -= fields; left < 0 {
				return nil, fmt.Errorf("there are more than %d counters and names", mostFields)
			}
			out = append(out, '}')
		}
	}
	return append(out, '}'), nil
}

// hash writes the reply to HGETALL. Of tables of counters it keeps those that are known.
func (c *client) hash(out []byte, key string, counters map[observe.Counter]bool) (_ []byte, fields int, err error) {
	v, err := c.reply()
	if err != nil {
		return nil, 0, err
	}
	pairs, err := texts(v)
	if err != nil {
		return nil, 0, err
	}
	if len(pairs)%2 != 0 {
		return nil, 0, errors.New("a field has no value")
	}
	names := intake.HoldsNames(key)
	for i := 0; i < len(pairs); i += 2 {
		if names || counters[observe.Counter(pairs[i])] {
			if fields++; fields > 1 {
				out = append(out, ", "...)
			}
			out = appendText(append(appendText(out, pairs[i]), ": "...), pairs[i+1])
		}
	}
	return out, fields, nil
}

// appendText writes a text as JSON. Texts of switches have nothing to escape.
func appendText(out []byte, text string) []byte {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
		quoted, _ := json.Marshal(text) // texts always encode
		return append(out, quoted...)
	}
	return append(append(append(out, '"'), text...), '"')
}
