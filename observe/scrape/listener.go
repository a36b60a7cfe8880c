package scrape

import (
	"container/list"
	"net"
	"net/netip"
	"sync"
)

// mostConnections are open at one time. A Prometheus server holds one.
const mostConnections = 256

// A limited listener has so many connections open. Where there are more, it closes the oldest one of the
// peer that has most: who holds connections or comes again and again loses them, and others are served.
type limited struct {
	net.Listener
	most int

	lock sync.Mutex
	open list.List // of *conn, the oldest first
	of   map[netip.Prefix]int
}

// A conn is a connection in the list of its listener.
type conn struct {
	net.Conn
	from  *limited
	peer  netip.Prefix
	place *list.Element
}

func newLimited(l net.Listener, most int) *limited {
	return &limited{Listener: l, most: most, of: map[netip.Prefix]int{}}
}

// Accept waits for the next connection.
func (l *limited) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	added := &conn{Conn: c, from: l, peer: peerOf(c.RemoteAddr().String())}
	if gone := l.add(added); gone != nil {
		gone.Conn.Close() // its error is of a client that held on
	}
	return added, nil
}

// peerOf is who an address belongs to: one of IPv4, or the network of 64 bits that a host of IPv6 has to itself.
func peerOf(address string) netip.Prefix {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return netip.Prefix{} // of sockets without addresses
	}
	bits := 64
	if ip := at.Addr().Unmap(); ip.Is4() {
		bits = 32
	}
	peer, _ := at.Addr().Unmap().Prefix(bits) // which an address has
	return peer
}

// add adds a connection, and takes one out where there are too many.
func (l *limited) add(c *conn) (gone *conn) {
	l.lock.Lock()
	defer l.lock.Unlock()
	c.place = l.open.PushBack(c)
	l.of[c.peer]++
	if l.open.Len() <= l.most {
		return nil
	}
	for e := l.open.Front(); e != nil; e = e.Next() {
		if one := e.Value.(*conn); gone == nil || l.of[one.peer] > l.of[gone.peer] {
			gone = one
		}
	}
	l.remove(gone)
	return gone
}

// remove takes a connection out, if it is there still.
func (l *limited) remove(c *conn) {
	if c.place == nil {
		return
	}
	l.open.Remove(c.place)
	c.place = nil
	if l.of[c.peer]--; l.of[c.peer] == 0 {
		delete(l.of, c.peer)
	}
}

// Close closes a connection.
func (c *conn) Close() error {
	c.from.lock.Lock()
	c.from.remove(c)
	c.from.lock.Unlock()
	return c.Conn.Close()
}
