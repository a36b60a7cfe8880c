package live

import "net"

// A polite connection holds a slot of w.usual from its beginning to its end, but not while it waits for the
// other side. So however many devices answer at one moment, few goroutines run, and who reads metrics does not
// wait behind all others.
type polite struct {
	net.Conn
	slots chan struct{}
}

// hold takes a slot for a connection. Nothing that holds one waits for anything else.
func hold(conn net.Conn, slots chan struct{}) net.Conn {
	slots <- struct{}{}
	return &polite{conn, slots}
}

func (p *polite) Read(b []byte) (int, error) {
	<-p.slots
	defer func() { p.slots <- struct{}{} }()
	return p.Conn.Read(b)
}

func (p *polite) Write(b []byte) (int, error) {
	<-p.slots
	defer func() { p.slots <- struct{}{} }()
	return p.Conn.Write(b)
}

// Close gives the slot back; it is called once.
func (p *polite) Close() error {
	<-p.slots
	return p.Conn.Close()
}
