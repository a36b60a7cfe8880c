package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
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
	conn, err := a.dial(ctx)
	if err != nil {
		s.Close()
		return nil, cause(ctx, err)
	}
	conn.SetDeadline(time.Now().Add(patience)) // of the handshake; an error of it is one of the connection
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	c, channels, requests, err := ssh.NewClientConn(conn, a.host, config)
	if err != nil {
		stop()
		conn.Close()
		s.Close()
		return nil, cause(ctx, err)
	}
	conn.SetDeadline(time.Time{})
	s.client, s.ended = ssh.NewClient(c, channels, requests), stop
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

// login is how to log in, and which keys the server may have.
func (a *Address) login(ctx context.Context, s *Shell) (*ssh.ClientConfig, error) {
	check, algorithms, err := a.hostKey()
	if err != nil {
		return nil, err
	}
	config := &ssh.ClientConfig{User: a.user, HostKeyCallback: check, HostKeyAlgorithms: algorithms, Timeout: patience}
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
		return nil, errors.New("nothing says how to log in: add key_file, password_file or password_env behind ? of the address, or start an SSH agent")
	}
	return config, nil
}

// signer is the key of key_file; one that is encrypted is opened with the password.
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
			return fmt.Errorf("the key of %s is not in %s; it is %s %s: compare that with what the console of the device shows, and add the line that ssh-keyscan prints", a.host, file, key.Type(), ssh.FingerprintSHA256(key))
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
	session, err := s.client.NewSession()
	if err != nil {
		return ran, cause(ctx, err)
	}
	defer session.Close()
	defer context.AfterFunc(ctx, func() { s.client.Close() })()
	var out, wrong bounded
	session.Stdin, session.Stdout, session.Stderr = bytes.NewReader(input), &out, &wrong
	if command == "" { // the shell of the user
		if err = session.Shell(); err == nil {
			err = session.Wait()
		}
	} else {
		err = session.Run(command)
	}
	ran.Output, ran.Errors = out.text.Bytes(), wrong.text.Bytes()
	var failed *ssh.ExitError
	if errors.As(err, &failed) && failed.Signal() == "" {
		ran.Code = failed.ExitStatus()
		return ran, nil
	}
	return ran, cause(ctx, err)
}

// Subsystem begins a subsystem, such as netconf. It ends when it is closed.
func (s *Shell) Subsystem(name string) (io.ReadWriteCloser, error) {
	session, err := s.client.NewSession()
	if err != nil {
		return nil, err
	}
	in, err1 := session.StdinPipe()
	out, err2 := session.StdoutPipe()
	if err := errors.Join(err1, err2, session.RequestSubsystem(name)); err != nil {
		session.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.WriteCloser
	}{io.LimitReader(out, mostText), in}, nil
}

// A bounded buffer takes no more than a device may send.
type bounded struct{ text bytes.Buffer }

func (b *bounded) Write(text []byte) (int, error) {
	if b.text.Len()+len(text) > mostText {
		return 0, errTooMuch
	}
	return b.text.Write(text)
}
