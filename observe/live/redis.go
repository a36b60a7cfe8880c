package live

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/roceplan/roceplan/observe/intake"
)

// countersDB is the number of COUNTERS_DB (sonic-swss-common common/database_config.json).
const countersDB = 2

// mostKeys bounds a database: COUNTERS_DB of a chassis has some 50,000.
const mostKeys = 1 << 20

// readRedis reads the hashes of COUNTERS_DB as sonic-db-dump would write them.
func readRedis(ctx context.Context, u *url.URL) ([]byte, error) {
	network, address := "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "6379"))
	db := countersDB
	if u.Scheme == RedisUnix {
		network, address = "unix", u.Path
	} else if number := strings.Trim(u.Path, "/"); number != "" {
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("%s is not a number of a database", number)
		}
		db = n
	}
	password, _ := u.User.Password()
	conn, err := redis.DialContext(ctx, network, address, redis.DialDatabase(db), redis.DialUsername(u.User.Username()), redis.DialPassword(password),
		redis.DialConnectTimeout(patience), redis.DialReadTimeout(patience), redis.DialWriteTimeout(patience))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	keys, err := wanted(conn)
	if err != nil {
		return nil, err
	}
	return dump(conn, keys)
}

// wanted lists the keys that hold counters or names. SCAN does not stop the server.
func wanted(conn redis.Conn) (keys []string, err error) {
	have := map[string]bool{}
	for cursor := "0"; ; {
		reply, err := redis.Values(conn.Do("SCAN", cursor, "COUNT", 1000))
		if err != nil {
			return nil, err
		}
		var page []string
		if _, err := redis.Scan(reply, &cursor, &page); err != nil {
			return nil, err
		}
		for _, key := range page {
			if holdsCounters(key) && !have[key] {
				have[key], keys = true, append(keys, key)
			}
		}
		if len(keys) > mostKeys {
			return nil, fmt.Errorf("there are more than %d keys", mostKeys)
		}
		if cursor == "0" {
			return keys, nil
		}
	}
}

func holdsCounters(key string) bool {
	for _, table := range []string{intake.Counters, intake.PeriodicMarks, intake.UserMarks, intake.LastingMarks} {
		if strings.HasPrefix(key, table+":oid:") {
			return true
		}
	}
	return strings.HasPrefix(key, "COUNTERS_") && strings.HasSuffix(key, "_MAP")
}

// dump asks for all hashes at once. One that was deleted meanwhile is empty.
func dump(conn redis.Conn, keys []string) ([]byte, error) {
	for _, key := range keys {
		if err := conn.Send("HGETALL", key); err != nil {
			return nil, err
		}
	}
	if err := conn.Flush(); err != nil {
		return nil, err
	}
	all := make(map[string]map[string]string, len(keys)+1)
	all[intake.PortNames] = map[string]string{} // a database without any is one all the same
	for _, key := range keys {
		hash, err := redis.StringMap(conn.Receive())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		all[key] = hash
	}
	return json.MarshalIndent(all, "", " ")
}
