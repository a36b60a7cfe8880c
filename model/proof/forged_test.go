package proof_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// A document is the JSON of a file of certificates.
type anything = map[string]any

// forgeries change the certificate of a switch so that it says more, or something else, and each part agrees with the rest as far as its forger
// could make it. Both checkers refuse each. c is the certificate, and of finds an obligation.
var forgeries = map[string]func(file, c anything, of func(id string) anything){
	"the verdict is better":                  func(_, c anything, _ func(string) anything) { c["verdict"] = "holds" },
	"a verdict in capitals":                  func(_, c anything, _ func(string) anything) { c["verdict"] = "CONDITIONAL" },
	"a verdict that is none":                 func(_, c anything, of func(string) anything) { of("headroom")["verdict"] = "proved" },
	"no verdict":                             func(_, c anything, of func(string) anything) { delete(of("headroom"), "verdict") },
	"it holds, and left is as it should be":  func(_, c anything, of func(string) anything) { hold(c, of("headroom"))["left"] = 1 },
	"it holds, and right is as it should be": func(_, c anything, of func(string) anything) { hold(c, of("headroom"))["right"] = 1 << 30 },
	"both sides are nothing": func(_, c anything, of func(string) anything) {
		o := hold(c, of("headroom"))
		o["left"], o["right"] = 0, 0
	},
	"a cell less on both sides": func(_, c anything, of func(string) anything) {
		add(of("headroom"), "left", -1)
		add(of("headroom"), "right", -1)
	},
	"headroom is dropped":           func(_, c anything, of func(string) anything) { drop(c, "headroom") },
	"pfc-before-drop is dropped":    func(_, c anything, of func(string) anything) { drop(c, "pfc-before-drop") },
	"egress-pool-holds is dropped":  func(_, c anything, of func(string) anything) { drop(c, "egress-pool-holds") },
	"memory is dropped":             func(_, c anything, of func(string) anything) { drop(c, "memory") },
	"pause-reaches-peer is dropped": func(_, c anything, of func(string) anything) { drop(c, "pause-reaches-peer") },
	"all obligations are dropped":   func(_, c anything, _ func(string) anything) { c["obligations"], c["verdict"] = []any{}, "holds" },
	"an obligation twice": func(_, c anything, of func(string) anything) {
		c["obligations"] = append(c["obligations"].([]any), of("headroom"))
	},
	"another one, of a place that is none": func(_, c anything, of func(string) anything) { also(c, of("headroom"), "where", "PG 3 of nowhere") },
	"another one, of another priority group": func(_, c anything, of func(string) anything) {
		also(c, of("headroom"), "where", strings.Replace(of("headroom")["where"].(string), "PG 3", "PG 4", 1))
	},
	"another one, of a slice that is none": func(_, c anything, of func(string) anything) { also(c, of("memory"), "where", "slice 99") },
	"a method that is weaker":              func(_, c anything, of func(string) anything) { of("headroom")["id"] = "pause-reaches-peer" },
	"an obligation that there is not":      func(_, c anything, of func(string) anything) { of("headroom")["id"] = "headroom-is-enough" },
	"one that loses no packet":             func(_, c anything, of func(string) anything) { of("headroom")["id"] = "kmin-below-kmax" },
	"i is nothing":                         func(_, c anything, of func(string) anything) { term(of("headroom"), "i", 0) },
	"t is nothing":                         func(_, c anything, of func(string) anything) { term(of("headroom"), "t", 0) },
	"t is less than nothing":               func(_, c anything, of func(string) anything) { term(of("headroom"), "t", -5) },
	"t is beyond all numbers": func(_, c anything, of func(string) anything) {
		term(of("headroom"), "t", json.Number("9223372036854775807"))
	},
	"t is more than 64 bits": func(_, c anything, of func(string) anything) {
		term(of("headroom"), "t", json.Number("92233720368547758070"))
	},
	"t is a float":      func(_, c anything, of func(string) anything) { term(of("headroom"), "t", json.Number("1158400.5")) },
	"t is a string":     func(_, c anything, of func(string) anything) { term(of("headroom"), "t", "1158400") },
	"t has an exponent": func(_, c anything, of func(string) anything) { term(of("headroom"), "t", json.Number("1.1584e6")) },
	"t in another unit": func(_, c anything, of func(string) anything) { term(of("headroom"), "t", 1158) },
	"many cells are below the threshold": func(_, c anything, of func(string) anything) {
		term(of("headroom"), "q", 1000)
		add(of("headroom"), "left", -1000)
	},
	"packets are all large":        func(_, c anything, of func(string) anything) { term(of("headroom"), "s", 1) },
	"a term of another obligation": func(_, c anything, of func(string) anything) { term(of("headroom"), "o", 1) },
	"the headroom is given":        func(_, c anything, of func(string) anything) { term(of("headroom"), "H", 1<<20) },
	"the cell is given":            func(_, c anything, of func(string) anything) { term(of("headroom"), "C", 9000) },
	"h is nothing":                 func(_, c anything, of func(string) anything) { less(of("egress-pool-holds"), "h", 1<<40) },
	"h is a cell less":             func(_, c anything, of func(string) anything) { less(of("egress-pool-holds"), "h", 1) },
	"h is a cell less, of a queue": func(_, c anything, of func(string) anything) { less(of("pfc-before-drop"), "h", 1) },
	"more cells are counted twice than are": func(_, c anything, of func(string) anything) {
		term(of("egress-pool-holds"), "Q", 100_000)
		add(of("egress-pool-holds"), "left", -100_000)
	},
	"what others hold is less than nothing": func(_, c anything, of func(string) anything) {
		term(of("pfc-before-drop"), "k", -7)
		add(of("pfc-before-drop"), "left", -7)
	},
	"no account fills the pool":     func(_, c anything, of func(string) anything) { of("egress-pool-holds")["fills"] = []any{} },
	"a pool that is none is filled": func(_, c anything, of func(string) anything) { filling(of("egress-pool-holds"))["pool"] = "nowhere" },
	"an account less":               func(_, c anything, of func(string) anything) { add(filling(of("egress-pool-holds")), "accounts", -1) },
	"fewer accounts than none":      func(_, c anything, of func(string) anything) { filling(of("egress-pool-holds"))["accounts"] = -1 },
	"accounts without a limit":      func(_, c anything, of func(string) anything) { filling(of("egress-pool-holds"))["limits"] = []any{} },
	"narrower accounts": func(_, c anything, of func(string) anything) {
		filling(of("egress-pool-holds"))["limits"] = []any{anything{"cells": 0}}
	},
	"three limits": func(_, c anything, of func(string) anything) {
		l := anything{"cells": 0}
		filling(of("egress-pool-holds"))["limits"] = []any{l, l, l}
	},
	"senders of another queue": func(_, c anything, of func(string) anything) {
		of("pfc-before-drop")["where"] = "slice 0, queue 15 of nowhere"
	},
	"a condition that bounds nothing": func(_, c anything, of func(string) anything) {
		suppose(c, of("headroom"), anything{"id": "packet-mix"})
	},
	"a condition of another chip": func(_, c anything, of func(string) anything) {
		suppose(c, of("headroom"), anything{"id": "chip-datum", "where": "chip z80", "bound": 1})
	},
	"a condition that is wishful": func(_, c anything, of func(string) anything) {
		suppose(c, of("headroom"), anything{"id": "hope", "where": "here", "says": "all is well"})
	},
	"a condition that no link of the model has": func(_, c anything, of func(string) anything) {
		suppose(c, of("headroom"), anything{"id": "peer-response", "where": port(of("headroom")), "bound": 1})
	},
	"a condition of another port": func(_, c anything, of func(string) anything) {
		suppose(c, of("headroom"), anything{"id": "peer-response", "where": "nowhere", "bound": 1 << 40})
	},
	"a condition in other words": func(_, c anything, of func(string) anything) {
		suppose(c, of("headroom"), anything{"id": "peer-response", "where": port(of("headroom")), "bound": 1 << 39, "says": "of 1 ps"})
	},
	"a condition that asks for memory": func(_, c anything, of func(string) anything) {
		suppose(c, of("headroom"), anything{"id": "assumed-datum", "where": "chip " + c["chip"].(string), "cells": 1, "says": "it is so"})
	},
	"it reads otherwise under conditions": func(_, c anything, of func(string) anything) {
		suppose(c, of("headroom"), anything{"id": "taken", "where": "here", "says": "it is so"})["under"] = anything{"left": 0, "right": 1}
	},
	"a reason and a verdict":                 func(_, c anything, of func(string) anything) { of("headroom")["because"] = "not examined" },
	"it fails, and nothing is wrong with it": func(_, c anything, of func(string) anything) { hold(c, of("pause-reaches-peer"))["verdict"] = "fails" },
	"a counterexample of what holds":         func(_, c anything, of func(string) anything) { of("pause-reaches-peer")["counterexample"] = "a storm" },
	"an unknown field of an obligation":      func(_, c anything, of func(string) anything) { of("headroom")["title"] = "nothing is ever lost" },
	"an unknown field of the certificate":    func(_, c anything, _ func(string) anything) { c["proved"] = true },
	"an unknown field of the model":          func(_, c anything, _ func(string) anything) { c["model"].(anything)["headroom_is_ample"] = true },
	"a device more": func(file, c anything, _ func(string) anything) {
		c["switches"] = append(c["switches"].([]any), "spine-99")
	},
	"a device less": func(file, c anything, _ func(string) anything) { c["switches"] = c["switches"].([]any)[1:] },
	"a device twice": func(file, c anything, _ func(string) anything) {
		c["switches"] = append(c["switches"].([]any), c["switches"].([]any)[0])
	},
	"a device that is missing": func(file, _ anything, _ func(string) anything) {
		file["devices"] = append(file["devices"].([]any), "spine-99")
	},
	"a certificate twice": func(file, c anything, _ func(string) anything) {
		file["certificates"] = append(file["certificates"].([]any), c)
	},
	"no certificate": func(file, _ anything, _ func(string) anything) { file["certificates"] = []any{} },
	"a device that lacks one without a reason": func(file, _ anything, _ func(string) anything) {
		file["devices"] = append(file["devices"].([]any), "x")
		file["lacks"] = []any{anything{"device": "x"}}
	},
	"another chip": func(_, c anything, _ func(string) anything) { c["chip"] = "z80" },
	"no file":      func(_, c anything, _ func(string) anything) { c["files"] = anything{} },
	"a file that there is not": func(_, c anything, _ func(string) anything) {
		c["files"].(anything)["nowhere.json"] = strings.Repeat("0", 64)
	},
	"a response in words": func(_, c anything, _ func(string) anything) {
		c["declared"] = append(c["declared"].([]any), "peers of gpus respond to a pause within 1ps")
	},
	"another version": func(file, _ anything, _ func(string) anything) { file["schema"] = "roceplan/certificates/1" },
	"a later version": func(file, _ anything, _ func(string) anything) { file["schema"] = "roceplan/certificates/3" },
	"ports are swapped": func(_, c anything, _ func(string) anything) {
		p := ports(c)
		p[0]["name"], p[len(p)-1]["name"] = p[len(p)-1]["name"], p[0]["name"]
		p[0]["pausable"] = 0
	},
	"PFC is off on a port": func(_, c anything, _ func(string) anything) { ports(c)[0]["pausable"] = 0 },
	"a port has less headroom": func(_, c anything, _ func(string) anything) {
		ofEach(ports(c)[0], "groups", func(g anything) { delete(g, "headroom") })
	},
	"a group is lossy": func(_, c anything, _ func(string) anything) {
		for _, p := range ports(c) {
			ofEach(p, "groups", func(g anything) { delete(g, "lossless"); delete(g, "headroom") })
		}
	},
	"queues are of no cells": func(_, c anything, _ func(string) anything) {
		for _, p := range ports(c) {
			ofEach(p, "queues", func(q anything) { q["limit"] = anything{"cells": 0} })
		}
	},
	"a port of no slice": func(_, c anything, _ func(string) anything) { ports(c)[0]["slice"] = 63 },
	"a cable is longer":  func(_, c anything, _ func(string) anything) { ports(c)[0]["link"].(anything)["cable"] = 999_000 },
	"ports lead nowhere": func(_, c anything, _ func(string) anything) {
		for _, p := range ports(c) {
			p["feeds"] = []any{0, 0, 0, 0, 0, 0, 0, 0}
		}
	},
	"no model":           func(_, c anything, _ func(string) anything) { delete(c, "model") },
	"the cell is larger": func(_, c anything, _ func(string) anything) { c["model"].(anything)["cell"] = 1 << 19 },
	"the shared part is smaller": func(_, c anything, _ func(string) anything) {
		for _, p := range c["model"].(anything)["ingress"].(anything) {
			p.(anything)["shared"] = 1
		}
	},
	"memory is more than any": func(_, c anything, _ func(string) anything) {
		c["model"].(anything)["memory"] = json.Number("9007199254740993")
	},
}

func hold(c, o anything) anything {
	o["verdict"] = "holds"
	delete(o, "conditions")
	delete(o, "under")
	return o
}

func add(of anything, field string, by int64) {
	n, _ := of[field].(json.Number).Int64()
	of[field] = n + by
}

func term(o anything, symbol string, value any) {
	terms, _ := o["terms"].(anything)
	if terms == nil {
		terms = anything{}
	}
	terms[symbol] = value
	o["terms"] = terms
}

// less takes off a term as much as it has, and off left.
func less(o anything, symbol string, by int64) {
	n, _ := o["terms"].(anything)[symbol].(json.Number).Int64()
	by = min(n, by)
	term(o, symbol, n-by)
	add(o, "left", -by)
}

func drop(c anything, id string) {
	c["obligations"] = slices.DeleteFunc(c["obligations"].([]any), func(o any) bool { return o.(anything)["id"] == id })
}

func also(c, o anything, field, value string) {
	own := maps.Clone(o)
	own[field] = value
	c["obligations"] = append(c["obligations"].([]any), own)
}

func filling(o anything) anything { return o["fills"].([]any)[0].(anything) }

func suppose(c, o, condition anything) anything {
	o["verdict"], o["conditions"], c["verdict"] = "conditional", []any{condition}, "conditional"
	return o
}

func port(o anything) string {
	_, name, _ := strings.Cut(o["where"].(string), " of ")
	return name
}

func ports(c anything) (all []anything) {
	for _, p := range c["model"].(anything)["ports"].([]any) {
		all = append(all, p.(anything))
	}
	return all
}

func ofEach(of anything, list string, change func(anything)) {
	for _, v := range of[list].([]any) {
		change(v.(anything))
	}
}

// Both checkers refuse each forgery of the certificate of a product.
func TestForgeriesAreRefused(t *testing.T) {
	b := newBench(t)
	text := b.example("tomahawk5-ai-pod", "pause_response") // which makes it conditional
	b.add("the example", "as it is", text)
	b.settle(true)
	for what, forge := range forgeries {
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.UseNumber()
		file := anything{}
		must.Do(t, decoder.Decode(&file))
		c := file["certificates"].([]any)[0].(anything)
		forge(file, c, func(id string) anything {
			for _, o := range c["obligations"].([]any) {
				if o.(anything)["id"] == id {
					return o.(anything)
				}
			}
			t.Fatal(id)
			return nil
		})
		forged := must.Get(json.Marshal(file))(t)
		before := b.asked
		b.add("the example", what, forged)
		if q := b.waiting[len(b.waiting)-1]; len(q.problems) == 0 {
			t.Errorf("%s: it passes", what)
		}
		if b.asked != before+1 {
			t.Error(what)
		}
	}
	if len(forgeries) < 60 {
		t.Error(fmt.Sprint(len(forgeries), " forgeries"))
	}
	b.settle(false)
}
