package openconfig

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
)

// Every change of every leaf shows: in the plan, by a finding, or in the ledger. The
// documents are those of all shapes that the examples are compiled to, and the valid one
// of shared/data.
func TestEveryLeafIsAccountedFor(t *testing.T) {
	files, err := filepath.Glob("../../golden/*/*/openconfig.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files")
	}
	files = append(files, "testdata/everything.json", oracle.Data(t, "oc_roce_ex.json"))
	report, texts := readtest.Report{}, [][]byte{}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		if slices.ContainsFunc(texts, func(have []byte) bool { return bytes.Equal(have, text) }) {
			continue
		}
		texts = append(texts, text)
		tree := must.Get(readtest.ParseTree(text))(t)
		old := readFile("openconfig.json", tree.Text())
		for e := range tree.Edits() {
			o := readtest.Compare(old, readFile("openconfig.json", e.Text), e.Before, e.After)
			if o.Shows == "" {
				t.Errorf("%s: %s of %s shows nowhere, lines %v, then %v", filepath.Base(file), e.What, e.Path, e.Before, e.After)
			}
			report.Add(e.What, e.Path, o)
		}
	}
	diagtest.Golden(t, "../../golden/ledger/openconfig.txt", report.String())
}

// touched returns the leaves of a document that are not modelled.
func touched(l read.Ledger) (out []string) {
	for _, s := range l.Unmodelled() {
		out = append(out, s.Text)
	}
	return out
}

// What a device obeys and a plan cannot hold is not modelled, by its leaf.
func TestNotModelled(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/everything.json"))(t)
	got := strings.Join(touched(readFile("openconfig.json", text).Ledger), "\n")
	for leaf, evidence := range map[string]string{
		"enable-flow-control true":             "openconfig-if-ethernet 2.18.0: 802.3x pauses the whole port",
		"use-shared-buffer false":              "openconfig-qos 2.2.0: the queue has its dedicated buffer alone",
		"queuing-behavior POLICE":              "openconfig-qos 2.2.0, one-rate-two-color: exceeding packets are dropped",
		"packet-trim config symmetric-dscp 10": "openconfig-qos 2.1.0: packets are cut",
		"trim-enable true":                     "openconfig-qos 2.1.0: packets of the queue are cut",
		"drop true":                            "openconfig-qos 2.2.0, wred: packets are dropped",
		"classifier config name v6":            "openconfig-qos 2.2.0: a classifier of IPv6 beside that of IPv4",
	} {
		if !strings.Contains(got, leaf) {
			t.Errorf("%s (%s) is not among what is not modelled:\n%s", leaf, evidence, got)
		}
	}
}
