package proof

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// This file checks sums over groups against the groups of the model: what they have reserved, what comes in
// after their pauses, and that each takes its part of the shared cells.

// A filling is one call of after or afterboth: so many accounts that fill one after another, each with a bound.
type filling struct {
	rule  mmu.Admission
	bound bound
	count int
}

var (
	// innermost is a call whose first argument is no call: a pool, or what lossy traffic leaves of it.
	innermost = regexp.MustCompile(`\bafter(both)?\((B\d*), (\d+), ((?:-?\d+, )+)(\d+)\)`)
	// sumLeft is a sum in which the symbol of its pool replaces each call.
	sumLeft = regexp.MustCompile(`^r \+ h((?: \+ B\d+ - B\d+)*)(?: \+ k)?(?: - Q)?(?: \+ y)?$`)
	ofPools = regexp.MustCompile(` \+ B(\d+) - B(\d+)`)
)

// fillings takes an expression apart: the calls by the symbol of their pool, and the expression in which this
// symbol replaces each. False where an argument is beyond what a call can have.
func fillings(expr string) (of map[string][]filling, rest string, ok bool) {
	of, rest, ok = map[string][]filling{}, expr, true
	for {
		rest = strings.ReplaceAll(rest, "(B - y, ", "(B, ") // what lossy traffic takes between two of them
		at := innermost.FindStringSubmatchIndex(rest)
		if at == nil {
			return of, rest, ok
		}
		part := func(i int) string { return rest[at[2*i]:at[2*i+1]] }
		f, good := fillingOf(at[2] >= 0, part(3), strings.Split(strings.TrimSuffix(part(4), ", "), ", "), part(5))
		pool := part(2)
		of[pool], ok = append(of[pool], f), ok && good
		rest = rest[:at[0]] + pool + rest[at[1]:]
	}
}

func fillingOf(both bool, rule string, limits []string, count string) (f filling, ok bool) {
	n, err := strconv.Atoi(count)
	r, err2 := strconv.ParseUint(rule, 10, 8)
	if err != nil || err2 != nil || len(limits) != 2+2*b2i(both) {
		return f, false
	}
	f.rule, f.count = mmu.Admission(r), n
	if f.bound.limit, ok = limitOf(limits); both && ok {
		f.bound.two = true
		f.bound.port, ok = limitOf(limits[2:])
	}
	return f, ok
}

// limitOf reads a kind and a value: see limitExpr.
func limitOf(args []string) (mmu.Limit, bool) {
	value, err := strconv.ParseInt(args[1], 10, 40)
	switch {
	case err != nil:
		return mmu.Limit{}, false
	case args[0] == "1" && value >= -16 && value <= 16:
		return mmu.DynamicLimit(units.Alpha(value)), true
	}
	return mmu.StaticLimit(units.Cells(value)), args[0] == "0"
}

// noNarrower reports whether an account of a bound takes at least what one of another takes.
func (b bound) noNarrower(than bound) bool {
	wide := func(a, b mmu.Limit) bool {
		return a.Dynamic == b.Dynamic && a.Alpha >= b.Alpha && a.StaticCells >= b.StaticCells
	}
	switch {
	case b.two && than.two:
		return wide(b.limit, than.limit) && wide(b.port, than.port)
	case b.two:
		return false
	}
	return wide(b.limit, than.limit) || than.two && wide(b.limit, than.port)
}

// sumsUp reports a sum that is on fewer accounts than it has to be on, or on narrower ones, or has less reserved or
// less headroom than they; besides is how many of them need not be in it.
func (r *requirement) sumsUp(o *Obligation, terms []Term, expr string, accounts []account, besides int) []error {
	of, rest, ok := fillings(expr)
	if !ok || !sumLeft.MatchString(rest) || !r.ofPools(rest) {
		return []error{fmt.Errorf("%s, %s: %q is no sum of what groups hold", o.ID, o.Where, expr)}
	}
	var errs []error
	failf := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s, %s: %s", o.ID, o.Where, fmt.Sprintf(format, args...)))
	}
	for symbol, least := range map[string]int64{"r": r.reserves(accounts, besides), "h": r.headrooms(accounts, besides)} {
		if value := valueOf(terms, symbol); value < least {
			failf("%s is %d, and the groups of the model have %d", symbol, value, least)
		}
	}
	if q := valueOf(terms, "Q"); q < 0 || q > int64(len(accounts)) {
		failf("Q is %d, and the model has %d groups", q, len(accounts))
	}
	for _, symbol := range []string{"k", "y", "o"} {
		if value := valueOf(terms, symbol); value < 0 {
			failf("%s is %d, and nothing takes less than nothing", symbol, value)
		}
	}
	for pool := range r.m.Config.IngressPools {
		symbol := "B" + strconv.Itoa(pool)
		own := slices.DeleteFunc(slices.Clone(accounts), func(a account) bool { return a.pg.Pool != pool })
		if why := r.fewer(of[symbol], own, besides); why != "" {
			failf("%s %s", symbol, why)
		}
	}
	return errs
}

// ofPools reports whether each part of a sum is of one pool, which the model has.
func (r *requirement) ofPools(sum string) bool {
	for _, part := range ofPools.FindAllStringSubmatch(sum, -1) {
		if n, err := strconv.Atoi(part[1]); err != nil || n >= len(r.m.Config.IngressPools) || part[1] != part[2] {
			return false
		}
	}
	return true
}

// fewer says what a pool's part of a sum lacks of the accounts that draw on it: each needs one that is no narrower.
func (r *requirement) fewer(of []filling, accounts []account, besides int) string {
	for _, f := range of {
		if f.rule != r.m.Config.Rules.Admission {
			return fmt.Sprintf("fills by rule %d, and the chip admits by rule %d", f.rule, r.m.Config.Rules.Admission)
		}
	}
	for _, a := range accounts {
		have, want := 0, -besides
		for _, f := range of {
			have += f.count * b2i(f.bound.noNarrower(a.bound))
		}
		for _, other := range accounts {
			want += b2i(other.bound.noNarrower(a.bound))
		}
		if have < want {
			return fmt.Sprintf("is filled by %d accounts as wide as (%s), and the model has %d", have, a.bound.expr(), want)
		}
	}
	return ""
}

func valueOf(terms []Term, symbol string) int64 {
	if i := slices.IndexFunc(terms, func(t Term) bool { return t.Symbol == symbol }); i >= 0 {
		return terms[i].Value
	}
	return 0
}

// reserves are those of accounts, but for the largest of some.
func (r *requirement) reserves(accounts []account, besides int) int64 {
	var all []int64
	for _, a := range accounts {
		all = append(all, int64(a.pg.ReservedCells))
	}
	return fewestOf(all, besides)
}

// headrooms are what surely comes in above the thresholds of accounts, but for the largest of some: their own, and
// of each pool of headroom no more than it has.
func (r *requirement) headrooms(accounts []account, besides int) (sum int64) {
	own, pooled := []int64{}, map[int][]int64{}
	for _, a := range accounts {
		if !a.pg.Lossless {
			continue
		}
		cells := min(r.need(&r.m.Ports[a.port].Link), int64(a.pg.HeadroomCells))
		if a.pg.HeadroomPooled {
			pooled[a.pg.Pool] = append(pooled[a.pg.Pool], cells)
		} else {
			own = append(own, cells)
		}
	}
	for pool, all := range pooled {
		sum += min(fewestOf(all, besides), int64(r.m.Config.IngressPools[pool].HeadroomCells))
	}
	return sum + fewestOf(own, besides)
}

// fewestOf sums numbers but for the largest of some.
func fewestOf(all []int64, besides int) (sum int64) {
	slices.Sort(all)
	for _, n := range all[:max(0, len(all)-max(0, besides))] {
		sum += n
	}
	return sum
}

// need is the most cells that come in after a pause over a link, by the expressions of certificates; 0 where
// it is not known.
func (r *requirement) need(l *model.Link) int64 {
	if l.Unknown("") != "" || l.Cable <= 0 {
		return 0
	}
	if cells, known := r.needs[*l]; known {
		return cells
	}
	config := r.m.Config
	e := evaluator{terms: map[string]*big.Int{}, memo: r.memo}
	for symbol, value := range map[string]int64{
		"W": int64(l.Bytes()), "C": int64(config.CellBytes), "M": int64(config.MetadataBytes), "F": int64(l.LosslessFrame),
		"s": int64(l.SmallPackets), "e": 1 + b2i64(config.Rules.Decided == mmu.AtEnd),
	} {
		e.terms[symbol] = big.NewInt(value)
	}
	expr := packedExpr
	if l.SmallPackets > 0 {
		expr = mixedExpr
	}
	cells := int64(0)
	if value, err := e.evaluate(rename(expr+wholeExpr, "")); err == nil {
		cells = value.Int64()
	}
	r.needs[*l] = cells
	return cells
}

// accountsOf lists the accounts of a slice that pass.
func (r *requirement) accountsOf(slice int, pass func(a account) bool) (list []account) {
	for i := range r.m.Config.Ports {
		port := &r.m.Config.Ports[i]
		for number := range port.PGs {
			pg := &port.PGs[number]
			a := account{port: i, number: number, pg: pg, bound: newBound(pg.Limit, port.Ingress, pg.Pool), joint: jointly(port, number)}
			if port.Slice == slice && pass(a) {
				list = append(list, a)
			}
		}
	}
	return list
}

// feeds reports whether a lossless account feeds a queue of a port that passes.
func (r *requirement) feeds(a account, out int, pass func(number int, queue *mmu.Queue) bool) bool {
	if !a.pg.Lossless {
		return false
	}
	fed := r.m.Feeds(a.port, a.number, out)
	for number := range r.m.Config.Ports[out].Queues {
		if fed>>number&1 == 1 && pass(number, &r.m.Config.Ports[out].Queues[number]) {
			return true
		}
	}
	return false
}

// sums checks both inequalities of an obligation on what groups share: as it stands, and under its conditions.
func (r *requirement) sums(o *Obligation, slice int) (errs []error) {
	var accounts []account
	besides := 0
	switch {
	case o.ID == EgressHolds:
		for pool := range r.m.Config.EgressPools {
			if strings.HasSuffix(o.Where, ", pool "+r.m.Config.EgressPools[pool].Name) {
				accounts = r.accountsOf(slice, func(a account) bool { return r.draws(a, pool) })
			}
		}
	case o.ID == QueueHolds || o.ID == PortHolds:
		var err error
		if accounts, besides, err = r.senders(o, slice); err != nil {
			return []error{err}
		}
	case o.ID == Memory && strings.HasSuffix(o.Where, atOnce):
		accounts = r.accountsOf(slice, func(account) bool { return true })
	default:
		return nil
	}
	errs = r.sumsUp(o, o.Terms, o.Left.Expr, accounts, besides)
	few := slices.ContainsFunc(o.Conditions, func(c Condition) bool { return c.ID == PausedGroups }) // of which not all have packets
	if o.Under != nil && !few {
		errs = append(errs, r.sumsUp(o, o.Under.Terms, o.Under.Left.Expr, accounts, besides)...)
	}
	return errs
}

// draws reports whether a group feeds a queue, of any port, that draws on an egress pool.
func (r *requirement) draws(a account, pool int) bool {
	for out := range r.m.Config.Ports {
		if r.feeds(a, out, func(_ int, q *mmu.Queue) bool { return q.Pool == pool }) {
			return true
		}
	}
	return false
}

var (
	senderCount = regexp.MustCompile(`, (\d+) senders?$`)
	queueNumber = regexp.MustCompile(`^slice \d+, queue (\d+) of `)
)

// senders are the groups that feed what an obligation is on, a queue or a whole port, and how many of them are
// of one port, which does not send to itself. The error is of an obligation on none that the model has, or
// whose right side is of none of them.
func (r *requirement) senders(o *Obligation, slice int) (list []account, besides int, err error) {
	count := senderCount.FindStringSubmatch(o.Where)
	if count == nil {
		return nil, 0, fmt.Errorf("%s, %s: it does not say how many senders there are", o.ID, o.Where)
	}
	n, _ := strconv.Atoi(count[1])
	for out := range r.m.Config.Ports {
		pass, of := r.counterOf(o, out)
		if of == nil || !r.limits(o, of) {
			continue
		}
		list = r.accountsOf(slice, func(a account) bool { return r.feeds(a, out, pass) })
		perPort, most := map[int]int{}, 0
		for _, a := range list {
			perPort[a.port]++
			most = max(most, perPort[a.port])
		}
		if n <= len(list) && n >= len(list)-most {
			return list, len(list) - n, nil
		}
	}
	return nil, 0, fmt.Errorf("%s, %s: the model has no such queue or port with so many senders and this right side", o.ID, o.Where)
}

// counterOf is what a port has of what an obligation is on: which of its queues count, and their reserves and the limit.
// nil: nothing.
func (r *requirement) counterOf(o *Obligation, out int) (pass func(int, *mmu.Queue) bool, of *counter) {
	port := &r.m.Config.Ports[out]
	if o.ID == QueueHolds {
		number, err := strconv.Atoi(append(queueNumber.FindStringSubmatch(o.Where), "", "")[1])
		if err != nil || number >= len(port.Queues) {
			return nil, nil
		}
		q := &port.Queues[number]
		return func(i int, _ *mmu.Queue) bool { return i == number }, &counter{limit: q.Limit, pool: q.Pool, reserve: int64(q.ReservedCells), reserves: int64(q.ReservedCells)}
	}
	for _, b := range port.Egress {
		if _, place, _ := strings.Cut(o.Where, ", pool "); strings.HasPrefix(place, r.m.Config.EgressPools[b.Pool].Name+" of ") {
			of = &counter{limit: b.Limit, pool: b.Pool, reserve: 1 << 50}
			for i := range port.Queues {
				if q := &port.Queues[i]; q.Pool == b.Pool {
					of.reserve, of.reserves = min(of.reserve, int64(q.ReservedCells)), max(of.reserves, int64(q.ReservedCells))
				}
			}
			return func(_ int, q *mmu.Queue) bool { return q.Pool == b.Pool }, of
		}
	}
	return nil, nil
}

// limits reports whether the right side of an obligation is the limit of a counter, whose queues have such reserves.
func (r *requirement) limits(o *Obligation, c *counter) bool {
	slack, look := ruleOffsets(r.m.Config.Rules.Admission)
	is := func(terms []Term, left, right string) bool {
		u := valueOf(terms, "u")
		want := "u + l"
		if slack > 0 {
			want = fmt.Sprintf("u + l - %d", slack)
		}
		if c.limit.Dynamic {
			want = fmt.Sprintf("u + scale(S - (%s - u) - o + %d, %d) - %d", left, look, c.limit.Alpha, slack)
		}
		return right == want && u >= c.reserve && u <= c.reserves &&
			(c.limit.Dynamic && valueOf(terms, "S") == int64(r.m.Config.EgressPools[c.pool].SharedCells) || !c.limit.Dynamic && valueOf(terms, "l") == int64(c.limit.StaticCells))
	}
	return is(o.Terms, o.Left.Expr, o.Right.Expr) && (o.Under == nil || is(o.Under.Terms, o.Under.Left.Expr, o.Under.Right.Expr))
}

// resumes checks what an obligation on resuming says of a group of a port: what others leave of the pool is what as
// many leave as it has, and the threshold then is its own.
func (r *requirement) resumes(o *Obligation, port, number int) []error {
	if o.ID != Resume {
		return nil
	}
	var own account
	others := r.accountsOf(r.m.Config.Ports[port].Slice, func(a account) bool {
		if a.port == port && a.number == number {
			own = a
		}
		return a.pg.Lossless && a.pg.Pool == r.m.Config.Ports[port].PGs[number].Pool && (a.port != port || a.number != number)
	})
	var errs []error
	for _, t := range o.Terms {
		switch t.Symbol {
		case "f":
			of, rest, ok := fillings(t.Expr)
			if !ok || rest != "B - y" && rest != "B" || strings.Count(t.Expr, "y") > 1 {
				errs = append(errs, fmt.Errorf("%s, %s: f is not what others leave: %q", o.ID, o.Where, t.Expr))
			} else if why := r.fewer(of["B"], others, 0); why != "" {
				errs = append(errs, fmt.Errorf("%s, %s: B %s", o.ID, o.Where, why))
			}
		case "y":
			if t.Value < 0 {
				errs = append(errs, fmt.Errorf("%s, %s: y is %d, and nothing takes less than nothing", o.ID, o.Where, t.Value))
			}
		case "T":
			if want := "f - " + own.bound.afterExpr("f", r.m.Config.Rules.Admission, 1); t.Expr != want && !(own.joint && strings.HasPrefix(t.Expr, "max(0, min("+want+", f - after(f, ")) {
				errs = append(errs, fmt.Errorf("%s, %s: T is not the threshold of the group: %q", o.ID, o.Where, t.Expr))
			}
		}
	}
	return errs
}

// parts checks each part of an obligation on a pool of headroom: its ports are those of a group, and the link is theirs.
func (r *requirement) parts(o *Obligation, slice int) (errs []error) {
	for i := range o.Terms {
		t := &o.Terms[i]
		suffix, is := strings.CutPrefix(t.Symbol, "n")
		if !is {
			continue
		}
		name := strings.TrimPrefix(t.Name, "groups of ")
		var needs []int64
		var link *model.Link
		for _, g := range r.groups {
			if !strings.HasPrefix(g.Where, name+", PG ") {
				continue
			}
			for _, a := range r.accountsOf(slice, func(a account) bool { return a.number == g.PG && slices.Contains(g.Ports, r.m.Ports[a.port].Name) }) {
				link = &r.m.Ports[a.port].Link
				needs = append(needs, min(r.need(link), int64(a.pg.HeadroomCells)))
			}
		}
		switch cells := slices.IndexFunc(o.Terms, func(t Term) bool { return t.Symbol == "N"+suffix }); {
		case t.Value < 0 || t.Value > int64(len(needs)):
			errs = append(errs, fmt.Errorf("%s, %s: %s is %d, and the model has %d such groups", o.ID, o.Where, t.Symbol, t.Value, len(needs)))
		case cells < 0 || link == nil:
			errs = append(errs, fmt.Errorf("%s, %s: there is no N%s, or no group of these ports", o.ID, o.Where, suffix))
		case o.Terms[cells].Expr == "" && o.Terms[cells].Value < slices.Min(needs):
			errs = append(errs, fmt.Errorf("%s, %s: N%s is %d, and the model has %d", o.ID, o.Where, suffix, o.Terms[cells].Value, slices.Min(needs)))
		default:
			errs = append(errs, differing(o, o.Terms, suffixed(linkFigures(r.m.Config, link), suffix))...)
		}
	}
	return errs
}

func suffixed(figures map[string]int64, suffix string) map[string]int64 {
	own := map[string]int64{}
	for symbol, value := range figures {
		own[symbol+suffix] = value
	}
	return own
}
