package scrape

import (
	"container/list"
	"net"
	"sync"
)

// mostConnections are open at one time. A Prometheus server holds one.
const mostConnections = 256

// A limited listener has so many connections open. Where there are more, it closes the one that is
// open longest: who holds connections loses them, and who has just come is served.
type limited struct {
	net.Listener
	most int

	lock sync.Mutex
	open list.List // of *conn, the oldest first
}

// A conn is a connection in the list of its listener.
type conn struct {
	net.Conn
	from  *limited
	place *list.Element
}

// Accept waits for the next connection.
func (l *limited) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	added := &conn{Conn: c, from: l}
	if oldest := l.add(added); oldest != nil {
		oldest.Conn.Close() // its error is of somebody who held on
	}
	return added, nil
}

// add adds a connection, and takes one out where there are too many.
func (l *limited) add(c *conn) (oldest *conn) {
	l.lock.Lock()
	defer l.lock.Unlock()
	c.place = l.open.PushBack(c)
	if l.open.Len() <= l.most {
		return nil
	}
	return l.open.Remove(l.open.Front()).(*conn)
}

// Close closes a connection.
func (c *conn) Close() error {
	c.from.lock.Lock()
	c.from.open.Remove(c.place) // which does nothing to one that was taken out
	c.from.lock.Unlock()
	return c.Conn.Close()
}
