package threshold

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Batch answers a list of set-ups of chips of the catalogue: a JSON array of objects with chip,
// config and expect. The keys of expect are the questions; the counts in it (pgs, the length of a
// list) are inputs, its figures, which may be null, are not looked at. The result is the same list,
// each row with predict, of the same keys as expect. A question without an answer is null there,
// and predict_problems says why.
//
// Rows with a problem do not stop the others. Only a text that is not a list at all gives
// no result. Problems are in the order of the file.
func Batch(text []byte, catalogue Catalogue) ([]byte, []Problem) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // a byte order mark, which some editors write
	root, err := parse(text)
	if err != nil {
		return nil, []Problem{err.(Problem)}
	}
	if !root.isArray() {
		return nil, []Problem{problemAt(text, root.offset, "", "want a list of set-ups, found %s", brief(&root))}
	}
	d := &decoder{text: text, catalogue: catalogue}
	var out bytes.Buffer
	out.WriteByte('[')
	for i := range root.items {
		if i > 0 {
			out.WriteByte(',')
		}
		d.answer(&out, &root.items[i], fmt.Sprintf("[%d]", i))
	}
	out.WriteByte(']')
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, out.Bytes(), "", " "); err != nil {
		panic("threshold: Batch wrote something that is not JSON: " + err.Error())
	}
	pretty.WriteByte('\n')
	return pretty.Bytes(), d.problems
}

// answer writes one row with its predictions.
func (d *decoder) answer(out *bytes.Buffer, n *node, path string) {
	if !n.isObject() {
		d.failf(n.offset, path, "want an object, found %s", brief(n))
		out.Write(n.raw)
		return
	}
	before := len(d.problems)
	r := d.row(n, path)
	out.WriteByte('{')
	for _, m := range n.members {
		if m.key != "predict" && m.key != "predict_problems" {
			fmt.Fprintf(out, "%s:%s,", quote(m.key), m.value.raw)
		}
	}
	out.WriteString(`"predict":`)
	out.Write(d.predict(r, path))
	if problems := d.problems[before:]; len(problems) > 0 {
		messages := make([]string, len(problems))
		for i, p := range problems {
			messages[i] = p.Path + ": " + p.Message
		}
		fmt.Fprintf(out, `,"predict_problems":%s`, quote(messages))
	}
	out.WriteByte('}')
}

// quote writes a string or a list of strings as JSON, which cannot fail.
func quote(v any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// predict answers what the row's expect asks for, in its order.
func (d *decoder) predict(r row, path string) []byte {
	if r.expect == nil {
		return []byte("{}")
	}
	path += ".expect"
	if !r.expect.isObject() {
		d.failf(r.expect.offset, path, "want an object, found %s", brief(r.expect))
		return []byte("{}")
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range r.expect.members {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%s:%s", quote(m.key), d.figure(r, &m, path))
	}
	out.WriteByte('}')
	return out.Bytes()
}

// figure answers one key of expect. Faults of the question and missing inputs are
// reported at the key.
func (d *decoder) figure(r row, m *member, path string) []byte {
	a, err := d.ask(m, path)
	if err == nil && r.setup != nil {
		var answer any
		if answer, err = a(r.setup.Run()); err == nil {
			return quote(answer)
		}
	}
	if err != nil {
		d.failf(m.offset, path+"."+m.key, "%s", err)
	}
	return []byte("null")
}

// ask is a question whose inputs are read.
type ask func(Figures) (any, error)

type equalPGs struct {
	PGs  int   `json:"pgs"`
	Each int64 `json:"packets_to_first_pause_each"`
}

type headroomPool struct {
	PGs  int   `json:"pgs"`
	Full int64 `json:"full_packets"`
	Last int64 `json:"last_pg_packets"`
}

// single maps a key with one figure to its question.
func single(key string) func(Figures) (int64, error) {
	switch key {
	case "packets_to_first_pause":
		return Figures.FirstPause
	case "packets_to_first_ingress_drop":
		return Figures.FirstIngressDrop
	case "packets_from_pause_to_drop":
		return Figures.PauseToDrop
	case "packets_to_first_lossy_egress_drop":
		return Figures.FirstLossyEgressDrop
	case "packets_drained_to_resume":
		return Figures.DrainedToResume
	}
	return nil
}

// ask reads the question that a key of expect is.
func (d *decoder) ask(m *member, path string) (ask, error) {
	if figure := single(m.key); figure != nil {
		return func(f Figures) (any, error) { return figure(f) }, nil
	}
	switch m.key {
	case "pgs_filled_one_after_another":
		n := len(m.value.items)
		if !m.value.isArray() || n == 0 || n > maxPGs {
			return nil, fmt.Errorf("want a list of 1 to %d figures: its length is the number of PGs", maxPGs)
		}
		return func(f Figures) (any, error) { return f.Successive(n) }, nil
	case "equal_pgs":
		n, err := d.pgs(m, path, "packets_to_first_pause_each")
		return func(f Figures) (any, error) {
			each, err := f.EqualPGs(n)
			return equalPGs{n, each}, err
		}, err
	case "headroom_pool":
		n, err := d.pgs(m, path, "full_packets", "last_pg_packets")
		return func(f Figures) (any, error) {
			full, last, err := f.HeadroomPool(n)
			return headroomPool{n, full, last}, err
		}, err
	}
	return nil, fmt.Errorf("unknown figure")
}

// pgs reads the input of a question about several PGs.
func (d *decoder) pgs(m *member, path string, figures ...string) (int, error) {
	var n *int64
	known := fields{"pgs": number(d, &n, 1, maxPGs)}
	for _, name := range figures {
		known[name] = ignored
	}
	d.object(&m.value, path+"."+m.key, known)
	if n == nil {
		return 0, fmt.Errorf("needs pgs, the number of PGs, from 1 to %d", maxPGs)
	}
	return int(*n), nil
}
