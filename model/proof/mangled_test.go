package proof_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
)

// A certificate of which any one value of the buffer is another one, or is gone, gives errors or none,
// and no panic: it is somebody's file. Expressions are for TestHostileCertificate.
func TestMangledCertificates(t *testing.T) {
	for _, seed := range []int{2, 7, 9, 13, 3, 17} {
		mangled(t, proof.TinyCertificate(seed))
	}
}

// The same of a switch that is a product, with all that a catalogue says of one.
func TestMangledCertificateOfALeaf(t *testing.T) {
	sw, chip := leaf(t, "spectrum4-storage", "leaf")
	sw.Ports = sw.Ports[:2]
	mangled(t, proof.Certify(prove(t, sw, chip, proof.Context{}), sw.Names, sw.Chip, nil))
}

// document returns the document of a certificate, to be changed.
func document(t *testing.T, certificate *proof.Certificate) (c map[string]any) {
	t.Helper()
	text := must.Get(json.Marshal(certificate))(t)
	must.Do(t, json.Unmarshal(text, &c))
	return c
}

func mangled(t *testing.T, certificate *proof.Certificate) {
	c := document(t, certificate)
	tried := 0
	try := func(what string) {
		text := must.Get(json.Marshal(c))(t)
		read, err := proof.ParseCertificate(text)
		if err != nil {
			return
		}
		tried++
		defer func() {
			if e := recover(); e != nil {
				t.Errorf("%s: %v", what, e)
			}
		}()
		proof.Recheck(read, nil)
	}
	mangle(c["model"], "/model", try)
	mangle(c["obligations"], "/obligations", try)
	if tried < 200 {
		t.Errorf("%d certificates", tried)
	}
}

// mangle calls try with each value of a document in turn changed. Of lists the first four are: priority group 3 is
// the lossless one.
func mangle(v any, path string, try func(what string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, old := range v {
			delete(v, name)
			try(path + "/" + name + " is gone")
			for _, now := range others(old) {
				v[name] = now
				try(fmt.Sprintf("%s/%s is %v", path, name, now))
			}
			v[name] = old
			mangle(old, path+"/"+name, try)
		}
	case []any:
		for i, old := range v {
			if i > 3 {
				break
			}
			for _, now := range others(old) {
				v[i] = now
				try(fmt.Sprintf("%s/%d is %v", path, i, now))
			}
			v[i] = old
			mangle(old, fmt.Sprintf("%s/%d", path, i), try)
		}
	}
}

// others are values that a value of JSON could be instead.
func others(old any) []any {
	switch old := old.(type) {
	case float64:
		return []any{0, -1, math.MaxInt64}
	case string:
		return []any{"", "x"}
	case bool:
		return []any{!old}
	case []any:
		return []any{nil, []any{}, slices.Concat(old, old)}
	}
	return []any{nil}
}
