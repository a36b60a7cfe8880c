package apply

import (
	"bufio"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/roceplan/roceplan/observe/live"
)

// A netconfLink sends operations of NETCONF, one a message (RFC 6241; RFC 6242 section 4.3 for the
// end of a message).
type netconfLink struct {
	*live.Shell
	stream io.ReadWriteCloser
	reader *bufio.Reader
	last   int // message-id
}

const (
	endOfMessage = "]]>]]>"
	hello        = `<hello xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><capabilities><capability>urn:ietf:params:netconf:base:1.0</capability></capabilities></hello>`
)

func openNetconf(ctx context.Context, a *live.Address) (link, error) {
	shell, err := a.OpenSSH(ctx)
	if err != nil {
		return nil, err
	}
	l := &netconfLink{Shell: shell}
	ctx, stop := context.WithTimeout(ctx, live.Patience)
	defer stop()
	if l.stream, err = shell.Subsystem(ctx, "netconf"); err == nil {
		l.reader = bufio.NewReader(l.stream)
		_, err = l.exchange(ctx, hello)
	}
	if err != nil {
		shell.Close()
		return nil, err
	}
	return l, nil
}

// exchange sends a message and reads one. The end of the context closes the connection.
func (l *netconfLink) exchange(ctx context.Context, text string) (string, error) {
	defer context.AfterFunc(ctx, l.Shell.Close)()
	if _, err := io.WriteString(l.stream, text+endOfMessage); err != nil {
		return "", fmt.Errorf("%w: %w", errLost, err)
	}
	var answer strings.Builder
	for !strings.HasSuffix(answer.String(), endOfMessage) {
		part, err := l.reader.ReadString('>')
		answer.WriteString(part)
		if err != nil {
			return "", fmt.Errorf("%w: %w", errLost, live.Cause(ctx, err))
		}
	}
	return strings.TrimSuffix(answer.String(), endOfMessage), nil
}

func (l *netconfLink) ask(ctx context.Context, m message) ([]byte, error) {
	l.last++
	text, err := l.exchange(ctx, fmt.Sprintf(`<rpc xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="%d">%s</rpc>`, l.last, m.text))
	if err != nil {
		return nil, err
	}
	return configurationOf(text)
}

// mostDepth bounds the elements of a reply within each other. Junos nests six.
const mostDepth = 64

// configurationOf returns the configuration in a reply, if it has one. Junos puts errors into the reply or
// into the element of the operation. Warnings are not errors.
func configurationOf(text string) ([]byte, error) {
	var found, wrong strings.Builder
	severity, within, depth := "", "", 0
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: the answer is not XML: %w", errLost, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > mostDepth {
				return nil, fmt.Errorf("%w: the answer has more than %d elements within each other", errLost, mostDepth)
			}
			within = t.Name.Local
		case xml.EndElement:
			depth--
			if t.Name.Local == "rpc-error" && severity != "warning" && wrong.Len() == 0 {
				wrong.WriteString("an error without a message")
			}
			within = ""
		case xml.CharData:
			switch within {
			case "configuration-set":
				found.Write(t)
			case "error-severity":
				severity = strings.TrimSpace(string(t))
			case "error-message":
				if severity != "warning" {
					wrong.Write(t)
				}
			}
		}
	}
	if wrong.Len() > 0 {
		return nil, refusal(wrong.String())
	}
	return []byte(found.String()), nil
}
