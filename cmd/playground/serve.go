//go:build js && wasm

package main

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"syscall/js"

	"github.com/roceplan/roceplan/lsp"
)

// serve starts the language server. It takes the function that is called with each message of the server, and returns
// one that takes the editor's.
func serve(_ js.Value, args []js.Value) any {
	in := &inbox{}
	in.some.L = &in.lock
	go func() {
		err := lsp.Serve(context.Background(), in, outbox{args[0]}, "in a page")
		panic(fmt.Sprintf("the language server ended: %v", err))
	}()
	return js.FuncOf(func(_ js.Value, said []js.Value) any {
		in.put(said[0].String())
		return nil
	})
}

// An inbox holds what the editor says until the server reads it. A pipe would keep the page waiting.
type inbox struct {
	lock sync.Mutex
	some sync.Cond // something has come
	text bytes.Buffer
}

// put adds a message, with the header that the protocol wants.
func (in *inbox) put(message string) {
	in.lock.Lock()
	defer in.lock.Unlock()
	fmt.Fprintf(&in.text, "Content-Length: %d\r\n\r\n%s", len(message), message)
	in.some.Signal()
}

// Read waits for a message.
func (in *inbox) Read(p []byte) (int, error) {
	in.lock.Lock()
	defer in.lock.Unlock()
	for in.text.Len() == 0 {
		in.some.Wait()
	}
	return in.text.Read(p)
}

// An outbox hands each message of the server, which it writes at once, to the page without its header.
type outbox struct{ tell js.Value }

func (out outbox) Write(message []byte) (int, error) {
	_, body, _ := bytes.Cut(message, []byte("\r\n\r\n"))
	out.tell.Invoke(string(body))
	return len(message), nil
}
