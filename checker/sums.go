package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The page, "Sums": what groups hold at once.

// figure of each account, least first.
func figure(list []account, of func(account) int64) (all []int64) {
	for _, a := range list {
		all = append(all, of(a))
	}
	slices.Sort(all)
	return all
}

// total of so many of the largest numbers.
func total(sorted []int64, largest int) (sum int64) {
	for _, n := range sorted[len(sorted)-largest:] {
		sum += n
	}
	return sum
}

// least sums numbers but for the largest of some.
func least(sorted []int64, besides int) (sum int64) {
	for _, n := range sorted[:max(0, len(sorted)-besides)] {
		sum += n
	}
	return sum
}

// noNarrower reports whether limits let in at least what others let in: each of theirs, where there are as many; a single
// one is enough for two.
func noNarrower(limits, than []limit) bool {
	wide := func(a, b limit) bool { return a.Dynamic == b.Dynamic && a.Alpha >= b.Alpha && a.Static >= b.Static }
	if len(limits) == 1 {
		return slices.ContainsFunc(than, func(l limit) bool { return wide(limits[0], l) })
	}
	return len(than) == 2 && wide(limits[0], than[0]) && wide(limits[1], than[1])
}

// A filling is so many accounts with limits that fill one after another: a call of after or afterboth.
type filling struct {
	limits []limit
	count  int
}

var (
	innermost = regexp.MustCompile(`(after(?:both)?)\((B\d*), (\d+)((?:, [01], -?\d+)+), (\d+)\)`) // name, start, rule, limits, count
	inSum     = regexp.MustCompile(`^ \+ (B(\d+)) - (B\d+)`)
	ofSum     = regexp.MustCompile(`^( \+ k)?( - Q)?( \+ y)?$`)
	senders   = regexp.MustCompile(`, (\d+) senders?$`)
	ofQueue   = regexp.MustCompile(`^slice \d+, queue (\d+) of `)
)

// fillings takes the calls out of an expression, from the innermost on, by what they begin with, which takes their place.
func (b *buffer) fillings(expr string) (of map[string][]filling, rest string, ok bool) {
	of, rest, ok = map[string][]filling{}, expr, true
	for {
		rest = strings.Replace(rest, "(B - y, ", "(B, ", 1) // what lossy traffic takes between two of them
		call := innermost.FindStringSubmatch(rest)
		if call == nil {
			return of, rest, ok
		}
		f := filling{}
		count, err := strconv.Atoi(call[5])
		f.count, ok = count, ok && err == nil && call[3] == fmt.Sprint(b.rule())
		figures := strings.Split(call[4], ", ")[1:]
		for i := 0; i < len(figures); i += 2 {
			value, err := strconv.ParseInt(figures[i+1], 10, 40)
			switch ok = ok && err == nil; {
			case figures[i] == "0":
				f.limits = append(f.limits, limit{Static: value})
			case value >= -16 && value <= 16:
				f.limits = append(f.limits, limit{Dynamic: true, Alpha: int8(value)})
			default:
				ok = false
			}
		}
		ok = ok && (len(f.limits) == 1 && call[1] == "after" || len(f.limits) == 2 && call[1] == "afterboth")
		of[call[2]] = append(of[call[2]], f)
		rest = strings.Replace(rest, call[0], call[2], 1)
	}
}

// enough reports whether for each account there are as many fillings that are no narrower as there are accounts, but for some.
func enough(of []filling, accounts []account, besides int) bool {
	return !slices.ContainsFunc(accounts, func(a account) bool {
		lacks := -besides
		for _, other := range accounts {
			if noNarrower(other.limits, a.limits) {
				lacks++
			}
		}
		for _, f := range of {
			if noNarrower(f.limits, a.limits) {
				lacks -= f.count
			}
		}
		return lacks > 0
	})
}

// sum checks what accounts hold at once, but for some of them.
func (m *model) sum(q inequality, accounts []account, besides int) (wrong problems) {
	own, pooled := []account{}, map[int][]account{}
	for _, a := range accounts {
		if a.pg.Lossless && a.pg.Pooled {
			pooled[a.pg.Pool] = append(pooled[a.pg.Pool], a)
		} else if a.pg.Lossless {
			own = append(own, a)
		}
	}
	headroom := least(figure(own, m.above), besides)
	for pool, of := range pooled {
		headroom += min(least(figure(of, m.above), besides), m.Config.Ingress[pool].Headroom)
	}
	reserves := least(figure(accounts, func(a account) int64 { return a.pg.Reserved }), besides)
	spans := map[string]span{"r": atLeast(reserves), "h": atLeast(headroom), "Q": {0, int64(len(accounts))}, "k": atLeast(0), "y": atLeast(0), "o": atLeast(0)}
	wrong = append(wrong, outside(q.Terms, spans)...)
	of, rest, ok := m.Config.fillings(q.Left.Expr)
	rest, begins := strings.CutPrefix(rest, "r + h")
	for part := inSum.FindStringSubmatch(rest); part != nil; part = inSum.FindStringSubmatch(rest) {
		pool, err := strconv.Atoi(part[2])
		ok = ok && err == nil && pool < len(m.Config.Ingress) && part[1] == part[3]
		rest = rest[len(part[0]):]
	}
	if !ok || !begins || !ofSum.MatchString(rest) {
		wrong.addf("%q is no sum of what groups hold", q.Left.Expr)
	}
	for pool := range m.Config.Ingress {
		drawing := slices.DeleteFunc(slices.Clone(accounts), func(a account) bool { return a.pg.Pool != pool })
		if !enough(of[fmt.Sprint("B", pool)], drawing, besides) {
			wrong.addf("B%d is filled by fewer accounts, or narrower ones, than the model has", pool)
		}
	}
	return wrong
}

// holders are the accounts that an obligation sums up, and how many of them need not be in it. False if the model has nothing
// that it could be on.
func (m *model) holders(o *obligation, both []inequality, slice int) (list []account, besides int, ok bool) {
	of := func(pass func(a account) bool) []account {
		return m.accounts(func(a account) bool { return a.slice == slice && pass(a) })
	}
	switch {
	case o.ID == "memory" && !strings.HasSuffix(o.Where, atOnce):
		return nil, 0, true
	case o.ID == "memory":
		return of(func(account) bool { return true }), 0, true
	case o.ID == "egress-pool-holds":
		pool := func(_ int, q queue) bool { return strings.HasSuffix(o.Where, ", pool "+m.Config.Egress[q.Pool].Name) }
		return of(func(a account) bool {
			for out := range m.Ports {
				if m.feeds(a, out, pool) {
					return true
				}
			}
			return false
		}), 0, true
	}
	count := append(senders.FindStringSubmatch(o.Where), "", "")[1]
	n, err := strconv.Atoi(count)
	for out := range m.Ports {
		pass, right := m.counter(o, out)
		if err != nil || slices.ContainsFunc(both, func(q inequality) bool { return right == nil || !right(q) }) {
			continue
		}
		list := of(func(a account) bool { return m.feeds(a, out, pass) })
		perPort, most := map[int]int{}, 0 // a port does not send to itself
		for _, a := range list {
			perPort[a.port]++
			most = max(most, perPort[a.port])
		}
		if n <= len(list) && n >= len(list)-most {
			return list, len(list) - n, true
		}
	}
	return nil, 0, false
}

// counter is what a port has of what an obligation is on, a queue or a whole port: which queues count in it, and whether
// the right side of an inequality is its limit.
func (m *model) counter(o *obligation, out int) (pass func(int, queue) bool, right func(inequality) bool) {
	p, b := &m.Config.Ports[out], m.Config
	limited := func(own limit, pool int, reserve span) func(inequality) bool {
		last, look := map[int64]int{1: 1}[b.rule()], map[int64]int{2: 1}[b.rule()]
		return func(q inequality) bool {
			expr, spans := "u + l", map[string]span{"u": reserve, "l": exactly(own.Static)}
			if last > 0 {
				expr = "u + l - 1"
			}
			if own.Dynamic {
				expr = fmt.Sprintf("u + scale(S - (%s - u) - o + %d, %d) - %d", q.Left.Expr, look, own.Alpha, last)
				spans = map[string]span{"u": reserve, "S": exactly(b.Egress[pool].Shared)}
			}
			return q.Right.Expr == expr && outside(q.Terms, spans) == nil
		}
	}
	if o.ID == "pfc-before-drop" {
		number, err := strconv.Atoi(append(ofQueue.FindStringSubmatch(o.Where), "", "")[1])
		if err != nil || number >= len(p.Queues) {
			return nil, nil
		}
		own := p.Queues[number]
		return func(n int, _ queue) bool { return n == number }, limited(own.Limit, own.Pool, exactly(own.Reserved))
	}
	_, place, _ := strings.Cut(o.Where, ", pool ")
	i := slices.IndexFunc(p.Egress, func(b bound) bool { return strings.HasPrefix(place, m.Config.Egress[b.Pool].Name+" of ") })
	if i < 0 {
		return nil, nil
	}
	pool, reserves := p.Egress[i].Pool, span{1 << 50, 0}
	for _, q := range p.Queues {
		if q.Pool == pool {
			reserves = span{min(reserves.low, q.Reserved), max(reserves.high, q.Reserved)}
		}
	}
	return func(_ int, q queue) bool { return q.Pool == pool }, limited(p.Egress[i].Limit, pool, reserves)
}

// resumes reports whether f is what all other lossless groups of the pool leave, and T the threshold of an account then.
func (m *model) resumes(o *obligation, a account) bool {
	others := m.accounts(func(b account) bool {
		return b.slice == a.slice && b.pg.Lossless && b.pg.Pool == a.pg.Pool && (b.port != a.port || b.number != a.number)
	})
	var own []string
	for _, l := range a.limits {
		if own = append(own, fmt.Sprintf("0, %d", l.Static)); l.Dynamic {
			own[len(own)-1] = fmt.Sprintf("1, %d", l.Alpha)
		}
	}
	threshold := fmt.Sprintf("f - %s(f, %d, %s, 1)", []string{"after", "afterboth"}[len(own)-1], m.Config.rule(), strings.Join(own, ", "))
	for _, t := range o.Terms {
		switch t.Symbol {
		case "f":
			of, rest, ok := m.Config.fillings(t.Expr)
			if !ok || strings.Count(t.Expr, "y") > 1 || rest != "B" && rest != "B - y" || !enough(of["B"], others, 0) {
				return false
			}
		case "y":
			if t.Value < 0 {
				return false
			}
		case "T":
			if t.Expr != threshold && !(a.joint && strings.HasPrefix(t.Expr, "max(0, min("+threshold+", f - after(f, ")) {
				return false
			}
		}
	}
	return true
}

// stem is a symbol without the number of a part, and that number.
func stem(symbol string) (letters, number string) {
	letters = strings.TrimRight(symbol, "0123456789")
	return letters, symbol[len(letters):]
}
