package scrape

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A page is metrics, as they are and packed: a request costs no work but writing. A page that is served
// does not change.
type page struct {
	text   []byte
	packed []byte // gzip's header and the text (RFC 1952), without an end
	sum    uint32 // of the text
	tail   func(io.Writer, time.Time)
}

// gzipHead is the header of RFC 1952, section 2.3: deflated, no flags, no time, of an unknown system.
const gzipHead = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

func newPage(text []byte, tail func(io.Writer, time.Time)) *page {
	packed := bytes.NewBufferString(gzipHead)
	w, _ := flate.NewWriter(packed, flate.BestSpeed) // a level that exists, and memory takes all
	w.Write(text)
	w.Flush() // to a whole byte
	return &page{text, packed.Bytes(), crc32.ChecksumIEEE(text), tail}
}

// serve answers with the page and its tail. An error is of a client that has gone.
func (p *page) serve(out http.ResponseWriter, r *http.Request) {
	var tail bytes.Buffer
	p.tail(&tail, time.Now())
	body, end := p.text, tail.Bytes()
	out.Header().Set("Vary", "Accept-Encoding")
	if acceptsGzip(r.Header) {
		out.Header().Set("Content-Encoding", "gzip")
		body, end = p.packed, p.end(end)
	}
	out.Header().Set("Content-Length", strconv.Itoa(len(body)+len(end)))
	out.Write(body)
	out.Write(end)
}

// end is a tail as the last block, which is stored (RFC 1951, section 3.2.4), with the sum and the size of all.
func (p *page) end(tail []byte) []byte {
	size := uint16(len(tail)) // it is a line or two
	end := binary.LittleEndian.AppendUint16([]byte{1}, size)
	end = append(binary.LittleEndian.AppendUint16(end, ^size), tail...)
	sum := crc32.Update(p.sum, crc32.IEEETable, tail)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(end, sum), uint32(len(p.text)+len(tail)))
}

// acceptsGzip reports whether a client names gzip, and not that it wants none (RFC 9110, section 12.5.3).
func acceptsGzip(h http.Header) bool {
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			_, q, _ := strings.Cut(weight, "=")
			number, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return err != nil || number > 0
		}
	}
	return false
}
