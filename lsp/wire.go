package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

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
	internalError  = -32603
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

// maxHeaders bounds the lines of a header; each is no longer than the buffer of the wire. The
// protocol knows two.
const maxHeaders = 16

// read returns the next message; io.EOF where the client has gone.
func (w *wire) read() ([]byte, error) {
	length := -1
	for lines := 0; ; lines++ {
		text, err := w.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) || lines == maxHeaders {
			return nil, errTooLong
		}
		if err != nil {
			return nil, err
		}
		line := strings.TrimRight(string(text), "\r\n")
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
	// The buffer grows as bytes arrive, and no earlier.
	var body bytes.Buffer
	_, err := io.CopyN(&body, w.in, int64(length))
	if errors.Is(err, io.EOF) && length > 0 {
		err = io.ErrUnexpectedEOF
	}
	return body.Bytes(), err
}

// few is the largest number of bytes of a message that may wait with others; one that is longer waits alone.
const few = 64 << 10

// A read is a message, or why there is none.
type read struct {
	body []byte
	err  error
}

// ahead is the largest number of messages that wait.
const ahead = 64

// incoming reads messages until there are no more or the context ends. Some are read ahead, so
// that one sees whether something follows.
func (w *wire) incoming(ctx context.Context) <-chan read {
	messages := make(chan read, ahead)
	go func() {
		for {
			body, err := w.read()
			for len(body) > few && len(messages) > 0 && ctx.Err() == nil {
				time.Sleep(time.Millisecond)
			}
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
