package live

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Bounds of what a target may send.
const (
	mostMessage = 16 << 20 // bytes of one notification
	mostText    = 64 << 20 // bytes of all as JSON
)

// readGNMI subscribes once, and gives the notifications as protobuf's JSON, one after another.
func readGNMI(ctx context.Context, u *url.URL) ([]byte, error) {
	response, err := subscribeTo(ctx, u, bytes.NewReader(framed(subscribe(once()))))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return notifications(response)
}

// subscribeTo begins a call of Subscribe. The connection ends with the context or the body of the
// response.
//
// gRPC is HTTP/2 with length-prefixed messages and the result in the trailer (grpc, doc/PROTOCOL-HTTP2.md),
// which net/http speaks. The library for it would make the program larger by a fifth.
func subscribeTo(ctx context.Context, u *url.URL, messages io.Reader) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+u.Host+"/gnmi.gNMI/Subscribe", messages)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Protocols: new(http.Protocols), TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, DisableKeepAlives: true}
	transport.Protocols.SetHTTP2(true)
	if u.Scheme == GNMIPlain {
		request.URL.Scheme = "http"
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("Te", "trailers")
	if password, ok := u.User.Password(); ok { // gNMI specification 0.10, section 3.1
		request.Header.Set("Username", u.User.Username())
		request.Header.Set("Password", password)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "application/grpc") {
		response.Body.Close()
		return nil, fmt.Errorf("the answer is not gRPC: %s", response.Status)
	}
	if err := statusOf(response.Header); err != nil { // of a call that was refused at once
		response.Body.Close()
		return nil, err
	}
	return response, nil
}

// errNothing is that a target sent all there is, and it is nothing.
var errNothing = errors.New("the target has none of the counters that were asked for")

// framed puts a message into a frame: not compressed, and its length.
func framed(message []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
}

// notifications reads until the target says that all was sent.
func notifications(response *http.Response) ([]byte, error) {
	var out bytes.Buffer
	for {
		message, err := nextMessage(response.Body)
		if errors.Is(err, io.EOF) {
			if err := statusOf(response.Trailer); err != nil {
				return nil, err
			}
			return nil, errors.New("the target ended before it had sent all: there was no sync_response")
		}
		if err != nil {
			return nil, err
		}
		note, synced, err := notification(message)
		switch {
		case err != nil:
			return nil, err
		case synced && out.Len() == 0:
			return nil, errNothing
		case synced:
			return out.Bytes(), nil
		case note == nil:
			continue
		}
		text, err := note.text()
		if err != nil {
			return nil, err
		}
		out.Write(text)
		if out.Len() > mostText {
			return nil, fmt.Errorf("the target sent more than %d bytes", mostText)
		}
	}
}

// nextMessage reads a frame. The error is io.EOF where there is none.
func nextMessage(body io.Reader) ([]byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(body, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("a message is cut off")
		}
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if head[0] != 0 || size > mostMessage {
		return nil, fmt.Errorf("a message of %d bytes, compressed %d, is not read", size, head[0])
	}
	message := make([]byte, size)
	if _, err := io.ReadFull(body, message); err != nil {
		return nil, errors.New("a message is cut off")
	}
	return message, nil
}

// statusOf is the error that a call ended with.
func statusOf(h http.Header) error {
	if code := h.Get("Grpc-Status"); code != "" && code != "0" {
		message, err := url.PathUnescape(h.Get("Grpc-Message"))
		if err != nil {
			message = h.Get("Grpc-Message")
		}
		return fmt.Errorf("the target refuses: %s (gRPC status %s)", message, code)
	}
	return nil
}
