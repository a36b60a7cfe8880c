package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/internal/regular"
)

// maxMessage bounds what a client may send at once: as much as is read of a file.
const maxMessage = regular.Most

// A message is a request, a notification or an answer of JSON-RPC 2.0.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"` // of requests and answers
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

// A failure is why a request has no result.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Codes of JSON-RPC 2.0, section 5.1, and of the Language Server Protocol.
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
	notInitialized = -32002

	requestCancelled = -32800
	contentModified  = -32801
)

// A wire carries messages with the header of the protocol's base (LSP 3.17, "Base Protocol").
type wire struct {
	in *bufio.Reader

	lock sync.Mutex
	out  io.Writer
}

var errTooLong = fmt.Errorf("a message is longer than %d bytes, or does not say its length", maxMessage)

// read returns the next message; io.EOF where the client has gone.
func (w *wire) read() ([]byte, error) {
	length := -1
	for {
		line, err := w.in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return nil, errTooLong
			}
		}
	}
	if length < 0 || length > maxMessage {
		return nil, errTooLong
	}
	body := make([]byte, length)
	_, err := io.ReadFull(w.in, body)
	return body, err
}

// A read is a message, or why there is none.
type read struct {
	body []byte
	err  error
}

// incoming reads messages until there are no more or the context ends. Some are read ahead, so
// that one sees whether something follows.
func (w *wire) incoming(ctx context.Context) <-chan read {
	messages := make(chan read, 64)
	go func() {
		for {
			body, err := w.read()
			select {
			case messages <- read{body, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return messages
}

// write sends a message. Faults of the stream come to light when it is read next.
func (w *wire) write(m message) {
	m.Version = "2.0"
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		panic(err) // the types of this package can be marshalled
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	fmt.Fprintf(w.out, "Content-Length: %d\r\n\r\n%s", body.Len(), body.Bytes())
}
