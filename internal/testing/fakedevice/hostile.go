package fakedevice

import (
	"io"
	"net"

	"golang.org/x/crypto/ssh"
)

// Answering is a server for [Fleet.Answer] that answers each command, and each subsystem, with a function.
// The function returns the exit code.
func Answering(with func(session io.ReadWriter, errors io.Writer) (code uint32)) func(net.Conn, *ssh.ServerConfig) {
	return func(conn net.Conn, config *ssh.ServerConfig) {
		defer conn.Close()
		_, channels, requests, err := ssh.NewServerConn(conn, config)
		if err != nil {
			return
		}
		go ssh.DiscardRequests(requests)
		for c := range channels {
			channel, requests, err := c.Accept()
			if err != nil {
				return
			}
			if r, ok := <-requests; ok {
				r.Reply(true, nil)
			}
			go ssh.DiscardRequests(requests)
			code := with(channel, channel.Stderr())
			channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Code uint32 }{code}))
			channel.Close()
		}
	}
}

// Printing answers every command with the same texts and exit code.
func Printing(output, errors string, code uint32) func(net.Conn, *ssh.ServerConfig) {
	return Answering(func(session io.ReadWriter, to io.Writer) uint32 {
		io.WriteString(session, output)
		io.WriteString(to, errors)
		return code
	})
}
