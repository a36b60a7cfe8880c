package live

import (
	"bytes"
	"context"
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
	mostText    = 32 << 20 // bytes of all as JSON
	mostHeader  = 64 << 10 // bytes of headers
)

// readGNMI subscribes once, and gives the notifications as protobuf's JSON, one after another.
func readGNMI(ctx context.Context, a *Address, charge func(int) error) ([]byte, error) {
	response, err := subscribeTo(ctx, a, bytes.NewReader(framed(subscribe(once()))))
	if err != nil {
		return nil, Cause(ctx, err)
	}
	defer response.Body.Close()
	text, err := notifications(response, charge)
	return text, Cause(ctx, err)
}

// subscribeTo begins a call of Subscribe. The connection ends with the context or the body of the
// response.
//
// gRPC is HTTP/2 with length-prefixed messages and the result in the trailer (grpc, doc/PROTOCOL-HTTP2.md),
// which net/http speaks. The library for it would make the program larger by a fifth.
func subscribeTo(ctx context.Context, a *Address, messages io.Reader) (*http.Response, error) {
	return call(ctx, a, "Subscribe", messages)
}

// call begins a call of a method of gNMI.
func call(ctx context.Context, a *Address, method string, messages io.Reader) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+a.host+"/gnmi.gNMI/"+method, messages)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Protocols: new(http.Protocols), DisableKeepAlives: true, MaxResponseHeaderBytes: mostHeader}
	transport.Protocols.SetHTTP2(true)
	if a.withTLS() {
		transport.TLSClientConfig, err = a.tls()
	} else {
		request.URL.Scheme = "http"
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	if err != nil {
		return nil, err
	}
	password, err := a.secret()
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("Te", "trailers")
	if password.given() { // gNMI specification 0.10, section 3.1
		request.Header.Set("Username", a.user)
		request.Header.Set("Password", password.Reveal())
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "application/grpc") {
		response.Body.Close()
		return nil, fmt.Errorf("the answer is not gRPC: %.200q", response.Status)
	}
	if err := statusOf(response.Header); err != nil { // of a call that was refused at once
		response.Body.Close()
		return nil, err
	}
	return response, nil
}

var errTooMuch = fmt.Errorf("the target sent more than %d bytes", mostText)

// errNothing is that a target sent all there is, and it is nothing.
var errNothing = errors.New("the target has none of the counters that were asked for")

// framed puts a message into a frame: not compressed, and its length.
func framed(message []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
}

// notifications reads until the target says that all was sent.
func notifications(response *http.Response, charge func(int) error) ([]byte, error) {
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
		if out.Len()+len(text) > mostText {
			return nil, errTooMuch
		}
		if err := charge(len(text)); err != nil {
			return nil, err
		}
		out.Write(text)
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
	var message bytes.Buffer // which grows as bytes come, whatever the size says
	if _, err := io.CopyN(&message, body, int64(size)); err != nil {
		return nil, errors.New("a message is cut off")
	}
	return message.Bytes(), nil
}

// statusOf returns the error that a call ended with.
func statusOf(h http.Header) error {
	if code := h.Get("Grpc-Status"); code != "" && code != "0" {
		message, err := url.PathUnescape(h.Get("Grpc-Message"))
		if err != nil {
			message = h.Get("Grpc-Message")
		}
		return &StatusError{code, message}
	}
	return nil
}
