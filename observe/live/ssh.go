package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/roceplan/roceplan/internal/regular"
)

// A Shell is a connection to an SSH server, on which one command after another is run.
type Shell struct {
	client *ssh.Client
	agent  net.Conn // nil: it was not needed
	ended  func() bool
}

// OpenSSH connects and logs in. The server's key must be in known_hosts. The connection ends with the
// context or with [Shell.Close].
func (a *Address) OpenSSH(ctx context.Context) (*Shell, error) {
	s := &Shell{}
	config, err := a.login(ctx, s)
	if err != nil {
		return nil, err
	}
	reached, stop := context.WithTimeout(ctx, Patience)
	defer stop()
	conn, err := a.dial(reached)
	if err != nil {
		s.Close()
		return nil, Cause(reached, err)
	}
	soon := time.Now().Add(Patience) // the end of the handshake; errors of deadlines are those of the connections
	conn.SetDeadline(soon)
	if s.agent != nil {
		s.agent.SetDeadline(soon)
	}
	ended := context.AfterFunc(ctx, func() { conn.Close() })
	c, channels, requests, err := ssh.NewClientConn(conn, a.host, config)
	if err != nil {
		ended()
		conn.Close()
		s.Close()
		return nil, Cause(ctx, err)
	}
	conn.SetDeadline(time.Time{})
	s.client, s.ended = ssh.NewClient(c, channels, requests), ended
	return s, nil
}

// Close ends the connection.
func (s *Shell) Close() {
	if s.ended != nil {
		s.ended()
	}
	if s.client != nil {
		s.client.Close()
	}
	if s.agent != nil {
		s.agent.Close()
	}
}

// login makes the configuration by which a client logs in and checks the server's key.
func (a *Address) login(ctx context.Context, s *Shell) (*ssh.ClientConfig, error) {
	check, algorithms, err := a.hostKey()
	if err != nil {
		return nil, err
	}
	config := &ssh.ClientConfig{User: a.user, HostKeyCallback: check, HostKeyAlgorithms: algorithms, Timeout: Patience}
	password, err := a.secret()
	if err != nil {
		return nil, err
	}
	socket := os.Getenv("SSH_AUTH_SOCK")
	switch {
	case a.key != "":
		signer, err := a.signer(password)
		if err != nil {
			return nil, err
		}
		config.Auth = append(config.Auth, ssh.PublicKeys(signer))
	case password.given():
		answer := func(_, _ string, questions []string, _ []bool) (answers []string, err error) {
			for range questions {
				answers = append(answers, password.Reveal())
			}
			return answers, nil
		}
		config.Auth = append(config.Auth, ssh.Password(password.Reveal()), ssh.KeyboardInteractive(answer))
	case socket != "":
		here := Address{scheme: RedisUnix, socket: socket}
		if s.agent, err = here.dial(ctx); err != nil {
			return nil, fmt.Errorf("the SSH agent of SSH_AUTH_SOCK: %w", err)
		}
		config.Auth = append(config.Auth, ssh.PublicKeysCallback(agent.NewClient(s.agent).Signers))
	default:
		return nil, errors.New("there is no way to log in: add key_file, password_file or password_env after ? in the address, or start an SSH agent")
	}
	return config, nil
}

// signer returns the key of key_file; one that is encrypted is opened with the password.
func (a *Address) signer(password Secret) (ssh.Signer, error) {
	text, err := regular.Read(a.key)
	if err != nil {
		return nil, fmt.Errorf("key_file: %w", err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) && password.given() {
		signer, err = ssh.ParsePrivateKeyWithPassphrase(text, []byte(password.Reveal()))
	}
	if err != nil {
		return nil, fmt.Errorf("key_file %s: %w", a.key, err)
	}
	return signer, nil
}

// hostKey returns a check of the server's key, and the algorithms of the keys in known_hosts: a server
// with keys of several kinds must use one of these.
func (a *Address) hostKey() (check ssh.HostKeyCallback, algorithms []string, err error) {
	file := a.knownHosts
	if file == "" {
		file = filepath.Join(os.Getenv("HOME"), ".ssh", "known_hosts")
	}
	if _, err := regular.Read(file); err != nil {
		return nil, nil, fmt.Errorf("known_hosts, which has the keys of SSH servers: %w", err)
	}
	known, err := knownhosts.New(file)
	if err != nil {
		return nil, nil, err
	}
	var wants *knownhosts.KeyError
	if errors.As(known(a.host, place(a.host), noKey{}), &wants) {
		for _, key := range wants.Want {
			algorithms = append(algorithms, key.Key.Type())
			if key.Key.Type() == ssh.KeyAlgoRSA {
				algorithms = append(algorithms, ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSASHA512)
			}
		}
	}
	return func(host string, remote net.Addr, key ssh.PublicKey) error {
		err := known(host, remote, key)
		var other *knownhosts.KeyError
		switch {
		case !errors.As(err, &other):
			return err
		case len(other.Want) == 0:
			return fmt.Errorf("the key of %s is not in %s; it is %s %s: compare it with the key on the console of the device, and add the line of ssh-keyscan", a.host, file, key.Type(), ssh.FingerprintSHA256(key))
		}
		return fmt.Errorf("the key of %s is %s %s, and %s:%d has another: the device was installed anew, or something else answers in its place", a.host, key.Type(), ssh.FingerprintSHA256(key), other.Want[0].Filename, other.Want[0].Line)
	}, algorithms, nil
}

// place is the text of an address, before there is a connection.
type place string

func (place) Network() string  { return "tcp" }
func (p place) String() string { return string(p) }

// noKey is a key that no server has.
type noKey struct{}

func (noKey) Type() string                        { return "none" }
func (noKey) Marshal() []byte                     { return nil }
func (noKey) Verify([]byte, *ssh.Signature) error { return errors.New("no key") }

// A Ran is the result of a command.
type Ran struct {
	Output, Errors []byte // of its two streams
	Code           int    // the exit code
}

// Run runs a command with a text as its input. Without a command, the text goes to the shell of the
// user. A command that ran and failed is no error.
func (s *Shell) Run(ctx context.Context, command string, input []byte) (ran Ran, err error) {
	defer context.AfterFunc(ctx, func() { s.client.Close() })()
	var started *session
	if command == "" {
		started, err = s.start("shell", "")
	} else {
		started, err = s.start("exec", command)
	}
	if err == nil {
		defer started.Close()
		ran, err = started.run(input)
	}
	if err == nil {
		err = ctx.Err() // what was printed may be cut off
	}
	if err != nil {
		s.client.Close() // the server may still send
	}
	return ran, Cause(ctx, err)
}

// Subsystem begins a subsystem, such as netconf. It ends when it is closed.
func (s *Shell) Subsystem(ctx context.Context, name string) (io.ReadWriteCloser, error) {
	defer context.AfterFunc(ctx, func() { s.client.Close() })()
	started, err := s.start("subsystem", name)
	if err != nil {
		return nil, Cause(ctx, err)
	}
	return struct {
		io.Reader
		io.WriteCloser
	}{io.LimitReader(started, mostText), started}, nil
}

// A session is a command or a subsystem that was started. The sessions of package ssh end the program
// when a server sends an exit code that is no number.
type session struct {
	ssh.Channel
	code <-chan int // the exit code, or noCode, when the server has closed the session
}

const noCode = -1

// start begins what a request of a kind asks for (RFC 4254, section 6.5).
func (s *Shell) start(kind, what string) (*session, error) {
	channel, requests, err := s.client.OpenChannel("session", nil)
	var refused *ssh.OpenChannelError
	if errors.As(err, &refused) {
		err = fmt.Errorf("the server refuses a session: %.200q", refused.Message)
	}
	if err != nil {
		return nil, err
	}
	ended := make(chan int, 1)
	go func() { ended <- exitCode(requests) }() // at once: nothing else is received while requests wait
	payload := []byte(nil)
	if kind != "shell" {
		payload = ssh.Marshal(struct{ Text string }{what})
	}
	ok, err := channel.SendRequest(kind, true, payload)
	if err == nil && !ok {
		err = fmt.Errorf("the server refuses the request %q", strings.TrimSpace(kind+" "+what))
	}
	if err != nil {
		channel.Close()
		return nil, err
	}
	return &session{channel, ended}, nil
}

// exitCode reads the requests of a session to their end (RFC 4254, section 6.10).
func exitCode(requests <-chan *ssh.Request) int {
	code := noCode
	for r := range requests {
		if r.Type == "exit-status" && len(r.Payload) == 4 {
			code = int(binary.BigEndian.Uint32(r.Payload))
		}
		if r.WantReply {
			r.Reply(false, nil) // an error ends the session
		}
	}
	return code
}

// run gives a command its input and reads what it prints. After an error it may still print.
func (s *session) run(input []byte) (ran Ran, err error) {
	go func() { // errors are those of a server that does not read, which its answer shows
		if _, err := s.Write(input); err == nil {
			s.CloseWrite()
		}
	}()
	type stream struct {
		text []byte
		err  error
	}
	read := func(from io.Reader) <-chan stream {
		done := make(chan stream, 1)
		go func() {
			var text bytes.Buffer
			_, err := io.CopyN(&text, from, mostMessage+1)
			switch {
			case err == nil:
				err = fmt.Errorf("the command printed more than %d bytes", mostMessage)
			case errors.Is(err, io.EOF):
				err = nil
			}
			done <- stream{text.Bytes(), err}
		}()
		return done
	}
	var output, wrong stream
	for outputs, errs := read(s), read(s.Stderr()); outputs != nil || errs != nil; {
		select {
		case output = <-outputs:
			outputs = nil
		case wrong = <-errs:
			errs = nil
		}
		if err := cmp.Or(output.err, wrong.err); err != nil {
			return ran, err
		}
	}
	ran.Output, ran.Errors = output.text, wrong.text
	if ran.Code = <-s.code; ran.Code == noCode {
		return ran, errors.New("the command ended without an exit code")
	}
	return ran, nil
}
