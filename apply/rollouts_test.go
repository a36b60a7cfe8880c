package apply_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/crash"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/internal/testing/year"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

var (
	hunting = flag.Bool("hunt", false, "draw 10,000 rollouts")
	seed    = flag.Int("seed", -1, "draw this rollout, or with -draws this one and those after it")
	draws   = flag.Int("draws", 200, "how many rollouts to draw")
)

// TestMain lets more tests run at a time than there are processors: most of its time a rollout waits, for devices
// that hang or restart and for shells.
func TestMain(m *testing.M) {
	flag.Parse()
	if !given("test.parallel") {
		_ = flag.Set("test.parallel", "12") // the flag is there
	}
	os.Exit(m.Run())
}

func check(t testing.TB, err error) {
	t.Helper()
	must.Do(t, err)
}

// A lab is devices that run a fabric.
type lab struct {
	*fakedevice.Fleet
	devices   map[string]fakedevice.Device
	servers   map[string]*fakedevice.Host // of the devices
	addresses map[string][]*live.Address
	before    map[string][]byte // what they ran
	rollout   *apply.Rollout
	drainer   *apply.Drainer
	lock      sync.Mutex
	passed    []passing
	begun     bool       // from what runs, which certificates do not know
	stop      bool       // after one wave
	until     string     // the last step
	only      []string   // the devices that may be changed
	journal   string     // the file
	wrong     error      // what is wrong while a change soaks
	soaked    [][]string // the devices of each wave
	quiet     bool       // progress is not logged
	judge     func(to *plan.Switch, device string) patch.Judge
}

// A sample is a fabric before and after a change.
type sample struct {
	name, system  string
	before, after *plan.Plan
}

// released is a plan whose switches run a release.
func released(p *plan.Plan, release string) *plan.Plan {
	own := *p
	own.Switches = nil
	for _, sw := range p.Switches {
		one := *sw
		one.Release = release
		own.Switches = append(own.Switches, &one)
	}
	return &own
}

// compiled returns the plan of a text; nil where it has errors or cannot be written for its switches.
func compiled(text string) *plan.Plan {
	catalogue, _ := chips.Load()
	_, p, found := plantest.Compile(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue})
	if found.HasErrors() || slices.ContainsFunc(p.Switches, func(sw *plan.Switch) bool {
		_, found := target.Render(sw, target.Forms(sw.Targets[0], nil))
		return found.HasErrors()
	}) {
		return nil
	}
	return p
}

var releases = []string{"202405", "202505", "202511"}

// mixed draws a change of a fabric of many systems. One whose switches have more ports than their chips carry
// is drawn again.
func mixed(t *testing.T, random *rand.Rand, most float64) sample {
	t.Helper()
	for range 10 {
		switches := int(4 * math.Pow(most/4, math.Pow(random.Float64(), 5))) // many small ones, few large ones
		changes := year.Mixed(random, switches).Changes(t)
		for _, i := range random.Perm(len(changes)) {
			c := changes[i]
			if slices.Contains([]string{"release upgrade", "next NIC"}, c.Name) {
				continue // no device changes
			}
			before, after := compiled(c.Before), compiled(c.After)
			if before != nil && after != nil {
				release := releases[random.IntN(len(releases))]
				return sample{fmt.Sprintf("%d switches, mixed, %s: %s", count(before), release, c.Name), "mixed", released(before, release), released(after, release)}
			}
		}
	}
	t.Fatal("no change of ten fabrics can be written")
	return sample{}
}

// all samples, once they are compiled.
var (
	compiledSamples []sample
	compiling       sync.Once
)

// samples are all changes of a year that systems can have and that apply carries out.
func samples(t *testing.T) []sample {
	compiling.Do(func() { compiledSamples = newSamples(t) })
	return compiledSamples
}

func newSamples(t *testing.T) (all []sample) {
	plans := map[string]*plan.Plan{}
	compiled := func(text string) *plan.Plan {
		if _, ok := plans[text]; !ok {
			plans[text] = compiled(text)
		}
		return plans[text]
	}
	years := year.All(t)
	if *hunting {
		years = append(years, year.Large())
	}
	for _, y := range years {
		releases := releases
		if !strings.HasPrefix(y.System, "sonic") {
			releases = []string{""}
		}
		for _, c := range y.Changes(t) {
			if slices.Contains([]string{"release upgrade", "next NIC"}, c.Name) {
				continue // no device changes
			}
			before, after := compiled(c.Before), compiled(c.After)
			for _, release := range releases {
				if before != nil && after != nil {
					all = append(all, sample{y.System + " " + release + ": " + c.Name, y.System, released(before, release), released(after, release)})
				}
			}
		}
	}
	return all
}

// sonicSample is a change on SONiC 202511, on a box that the updater knows.
func sonicSample(t *testing.T, change string) sample {
	t.Helper()
	return sampleNamed(t, "sonic, HwSKU known to the updater 202511: "+change)
}

func sampleNamed(t *testing.T, name string) sample {
	t.Helper()
	for _, s := range samples(t) {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("no change is called %q", name)
	return sample{}
}

// newLab lets switches run the configuration of the plan before, and what others configure. Servers run too
// where they change.
func newLab(t *testing.T, s sample) *lab {
	t.Helper()
	l := newSwitches(t, s)
	if slices.ContainsFunc(diff.Compare(s.before, s.after).Rollout.Steps, func(s diff.Step) bool { return s.NICs != nil }) {
		var lines []string
		l.servers, lines = l.RunServers(s.before.Hosts)
		devices := map[string]fakedevice.Device{}
		for name, d := range l.servers {
			devices[name] = d
		}
		l.reach(t, devices, lines)
		check(t, l.rollout.On(l.addresses, s.after.Hosts))
	}
	return l
}

// newSwitches is a lab without servers: their steps are for a person.
func newSwitches(t *testing.T, s sample) *lab {
	t.Helper()
	l := &lab{Fleet: fakedevice.NewFleet(t), journal: "/journal", devices: map[string]fakedevice.Device{}, addresses: map[string][]*live.Address{}, before: map[string][]byte{}}
	l.rollout = apply.Plan(s.before, s.after, diff.Compare(s.before, s.after))
	devices, lines := l.Run(s.before, s.after)
	l.reach(t, devices, lines)
	return l
}

// reach takes devices into the lab, with the lines that say where they are.
func (l *lab) reach(t *testing.T, devices map[string]fakedevice.Device, lines []string) {
	t.Helper()
	for _, line := range lines {
		a, err := live.ParseAddress(line)
		check(t, err)
		l.devices[a.Device], l.addresses[a.Device], l.before[a.Device] = devices[a.Device], []*live.Address{a}, devices[a.Device].Running()
		if l.servers[a.Device] == nil {
			devices[a.Device].Seen(func(text []byte) { l.pass(passing{device: a.Device, text: text}) })
		}
	}
}

// watchServers checks, after all that is done on a server, that every server takes in lossless what any of them
// sends.
func (l *lab) watchServers(t *testing.T) {
	for name, d := range l.servers {
		l.pass(passing{device: name, sends: d.Sends()})
		d.Changed = func() {
			l.pass(passing{device: name, sends: d.Sends()})
			for sender, from := range l.servers {
				for _, dscp := range from.Sends() {
					for receiver, to := range l.servers {
						if !to.Pauses(dscp) {
							t.Errorf("%s sends DSCP %d, which %s cannot pause", sender, dscp, receiver)
						}
					}
				}
			}
		}
	}
}

// rows reports what a configuration lacks of another: rows, fields and values.
func rows(t *testing.T, have, want []byte) (lacks []string) {
	t.Helper()
	var a, b map[string]map[string]map[string]any
	check(t, json.Unmarshal(have, &a))
	check(t, json.Unmarshal(want, &b))
	for _, db := range []map[string]map[string]map[string]any{a, b} {
		for _, table := range []string{"BUFFER_PG", "BUFFER_QUEUE", "QUEUE"} {
			db[table] = oneByOne(db[table])
		}
	}
	for table, rows := range b {
		for key, row := range rows {
			if _, ok := a[table][key]; !ok {
				lacks = append(lacks, table+"|"+key)
			}
			for field, value := range row {
				if got := a[table][key][field]; fmt.Sprint(got) != fmt.Sprint(value) {
					lacks = append(lacks, fmt.Sprintf("%s|%s %s: %v, not %v", table, key, field, got, value))
				}
			}
		}
	}
	return lacks
}

// oneByOne gives each index of a row Ethernet0|3-4 a row of its own: SONiC makes the same of both.
func oneByOne(table map[string]map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	for key, row := range table {
		port, indices, _ := strings.Cut(key, "|")
		first, last, _ := strings.Cut(indices, "-")
		from, _ := strconv.Atoi(first)
		to, err := strconv.Atoi(last)
		if err != nil {
			to = from
		}
		for i := from; i <= to; i++ {
			out[fmt.Sprintf("%s|%d", port, i)] = row
		}
	}
	return out
}

// A killed disk takes nothing any more: its run has ended.
type killed struct {
	disk.FS
	dead context.Context
}

type killedFile struct {
	disk.File
	dead context.Context
}

func (k killed) Lock(path string) (disk.File, bool, error) {
	f, taken, err := k.FS.Lock(path)
	return killedFile{f, k.dead}, taken, err
}

func (k killedFile) Write(text []byte) (int, error) {
	if k.dead.Err() != nil {
		return 0, errors.New("killed")
	}
	return k.File.Write(text)
}

// carry runs a rollout once, on a disk on which nothing fails. With a fault at a message it may stop.
func (l *lab) carry(t *testing.T, d *crash.Disk, undo bool, at int, fault fakedevice.Fault) error {
	t.Helper()
	d.Reboot()
	return l.carryOn(t, d, undo, at, fault)
}

func (l *lab) carryOn(t *testing.T, d disk.FS, undo bool, at int, fault fakedevice.Fault) error {
	t.Helper()
	ctx, kill := context.WithCancel(context.Background())
	defer kill()
	l.Plan(at, fault, kill)
	j, err := apply.OpenJournal(killed{d, ctx}, l.journal)
	if err != nil {
		return err
	}
	defer j.Close()
	r, way := l.rollout, "there"
	if undo {
		r, way = r.Reversed(), "back"
	}
	patience := 5 * time.Minute // where other programs take the processor
	if fault == fakedevice.Hang {
		patience = 2 * time.Second
	}
	waves, soak := 0, time.Duration(0)
	if l.stop {
		waves = 1
	}
	if l.wrong != nil {
		soak = time.Millisecond
	}
	return apply.Run(ctx, r, way, apply.Options{
		Only: l.only, Until: l.until, Waves: waves, Soak: soak, Watch: func(_ context.Context, devices []string) error { l.soaked = append(l.soaked, devices); return l.wrong },
		Addresses: l.addresses, Journal: j, Pairs: 2 * time.Second, Hold: 10 * time.Minute, Answer: patience, Work: patience, Restart: patience,
		Hand: l.byHand, Drainer: l.drainer, Judge: l.judge,
		Say: func(step, device, what string) {
			if !l.quiet {
				t.Log(step, device, what)
			}
		},
	})
}

// byHand does a step of a person. Cables change in the step that names them, or else with the switches at their ends.
func (l *lab) byHand(s apply.Step) bool {
	cable := func(s apply.Step) bool { return strings.HasSuffix(s.Name, "-cable") }
	if cable(s) || !slices.ContainsFunc(l.rollout.Steps, cable) && regexp.MustCompile(`-(install|retire)$`).MatchString(s.Name) {
		l.pass(passing{cables: s.Name})
	}
	return !strings.HasSuffix(s.Name, "-pairs")
}

// arrived checks that all devices run a plan, by what its emitter prints for them, and still have
// what others configured.
func (l *lab) arrived(t *testing.T, s sample, back bool) {
	t.Helper()
	for name, d := range l.devices {
		var end *plan.Switch
		for _, sw := range map[bool]*plan.Plan{true: s.before, false: s.after}[back].Switches {
			if slices.Contains(sw.Names, name) {
				end = sw
			}
		}
		if server := l.servers[name]; server != nil {
			l.sameNICs(t, s, name, back)
		}
		if end == nil {
			continue // it was taken out of the fabric, or is a server
		}
		if end.Targets[0] != "sonic" {
			l.sameLines(t, s, name, end)
			continue
		}
		files, _ := target.Render(end, target.Forms(end.Targets[0], []string{"overlay"}))
		lacks := rows(t, d.Running(), files[0].Body.AppendFor(nil, name))
		var foreign map[string]any
		check(t, json.Unmarshal(l.before[name], &foreign))
		maps.DeleteFunc(foreign, func(table string, _ any) bool {
			return !slices.Contains([]string{"BGP_NEIGHBOR", "MGMT_INTERFACE"}, table)
		})
		theirs, err := json.Marshal(foreign)
		check(t, err)
		if lacks = append(lacks, rows(t, d.Running(), theirs)...); len(lacks) > 0 {
			t.Errorf("%s lacks %s", name, strings.Join(lacks, "; "))
		}
		d.Restart() // with what was saved
		if more := rows(t, d.Running(), files[0].Body.AppendFor(nil, name)); len(lacks) == 0 && len(more) > 0 {
			t.Errorf("%s did not save %s", name, strings.Join(more, "; "))
		}
	}
}

// sameNICs checks that a server has what the script of a plan sets, also after a restart.
func (l *lab) sameNICs(t *testing.T, s sample, name string, back bool) {
	t.Helper()
	for _, h := range map[bool]*plan.Plan{true: s.before, false: s.after}[back].Hosts {
		if !strings.HasPrefix(name, h.Name+"-server-") {
			continue
		}
		want := fakedevice.NewHost(t, h, "dcb", l.servers[name].Interfaces...).Running()
		for _, when := range []string{"", " after a restart"} {
			if have := l.devices[name].Running(); string(have) != string(want) {
				t.Errorf("%s has%s\n%s, not\n%s", name, when, have, want)
				return
			}
			l.devices[name].Restart()
		}
	}
}

// sameLines checks that a device has the lines of a fresh one with the plan, and other lines only of
// ports that the plan does not have.
func (l *lab) sameLines(t *testing.T, s sample, name string, end *plan.Switch) {
	t.Helper()
	fresh := fakedevice.New(t, end, name, []*plan.Plan{s.before, s.after})
	want := paths(fresh.Running())
	check := func(when string) {
		have := paths(l.devices[name].Running())
		for line := range want {
			if !have[line] {
				t.Errorf("%s lacks %q%s", name, line, when)
			}
		}
		for line := range have {
			if !want[line] && ofAny(line, end) {
				t.Errorf("%s still has %q%s", name, line, when)
			}
		}
	}
	if check(""); !t.Failed() {
		l.devices[name].Restart()
		check(" after a restart")
	}
}

// paths returns the lines of a text, each behind those that it is indented below.
func paths(text []byte) map[string]bool {
	all := map[string]bool{}
	var tree map[string]any
	if json.Unmarshal(text, &tree) == nil {
		flatten(all, "", tree)
		return all
	}
	var at []string
	var depth []int
	for line := range strings.Lines(string(text)) {
		word := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for len(depth) > 0 && depth[len(depth)-1] >= indent {
			at, depth = at[:len(at)-1], depth[:len(depth)-1]
		}
		if words := strings.Fields(word); strings.HasPrefix(word, "qos map dscp") { // in any order
			slices.Sort(words)
			word = strings.Join(words, " ")
		}
		at, depth = append(at, word), append(depth, indent)
		all[strings.Join(at, "|")] = true
	}
	return all
}

// flatten adds the values of a tree, with entries of lists by their keys.
func flatten(all map[string]bool, path string, tree any) {
	switch v := tree.(type) {
	case map[string]any:
		for key, below := range v {
			flatten(all, path+"/"+key, below)
		}
	case []any:
		for _, entry := range v {
			key := ""
			if node, ok := entry.(map[string]any); ok {
				for _, name := range []string{"name", "pfc-queue-name", "interface-id", "slot", "index"} {
					if node[name] != nil && key == "" {
						key = fmt.Sprintf("[%v]", node[name])
					}
				}
			}
			flatten(all, path+key, entry)
		}
	default:
		all[fmt.Sprintf("%s: %v", path, v)] = true
	}
}

// ofAny reports whether a line has no port, or one of the switch.
func ofAny(line string, sw *plan.Switch) bool {
	port := regexp.MustCompile(`et-\d+/\d+/\d+|swp\d+|Ethernet\d+/\d+|ethernet-\d+/\d+`).FindString(line)
	return port == "" || slices.ContainsFunc(sw.Ports, func(p plan.Port) bool { return p.Name == port })
}

// Rollouts with one fault at a message that is drawn end at the target, at the origin, or at a stop
// that names what is wrong and that the next run goes on from. No state that the devices pass through
// loses a lossless packet. -hunt draws 10,000, -seed one.
func TestRollouts(t *testing.T) {
	all := samples(t)
	first, last := max(0, *seed), *draws
	switch {
	case *seed >= 0 && !given("draws"):
		last = 1
	case *hunting && !given("draws"):
		last = 10_000
	}
	last += first
	var lock sync.Mutex
	hits, runs, used, certified := map[string]int{}, 0, 0, 0
	var systems []string
	for _, s := range all {
		systems = append(systems, s.system)
	}
	systems = slices.Compact(systems)
	t.Cleanup(func() {
		t.Logf("how first runs ended: %v; the simulator ran %d fabrics of states, %d used headroom; %d configurations were compared with certificates", hits, runs, used, certified)
		if last-first >= 100 && certified < (last-first)/2 { // every fourth, and of these about half
			t.Errorf("only %d configurations of %d rollouts were compared with certificates", certified, last-first)
		}
	})
	var numbers []int
	for n := first; n < last; n++ {
		numbers = append(numbers, n)
	}
	if *seed < 0 && !*hunting {
		// These failed: a connection lost before a change was sent, on a device that reads alike before and after it; and
		// cables on the way back.
		numbers = append(numbers, 5945, 6439)
	}
	for _, n := range numbers {
		random := rand.New(rand.NewPCG(uint64(n), 32))
		fault := fakedevice.Faults[n%len(fakedevice.Faults)]
		t.Run(fmt.Sprintf("%d %s", n, fault), func(t *testing.T) {
			t.Parallel()
			s := drawn(t, random, all, systems)
			t.Log(s.name)
			l := drawnLab(t, s, random, fault)
			how := rollout(t, l, s, fault, random.IntN(11*max(1, len(l.rollout.Devices()))), random)
			r, u := 0, 0
			if fault != fakedevice.Hand { // a person may do harm
				var wrong []string
				r, u, wrong = l.replay(t, s, map[bool]int{false: 1}[*hunting || *seed >= 0])
				for _, text := range wrong {
					t.Error(text)
				}
			}
			own := 0
			if fault != fakedevice.Hand && !l.begun && (*hunting || *seed >= 0 || n%4 == 0) {
				own = l.certify(t, s)
			}
			lock.Lock()
			defer lock.Unlock()
			hits[how], runs, used, certified = hits[how]+1, runs+r, used+u, certified+own
		})
	}
}

// The time of a confirmed commit may run out at any message of a device's change, between the last reading of the
// change and its confirm too.
func TestTimeRunsOut(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range samples(t) {
		if seen[s.system] || strings.HasPrefix(s.system, "sonic") || !strings.HasSuffix(s.name, "alpha and curve") {
			continue
		}
		seen[s.system] = true
		l := newLab(t, s)
		for at := range 8 {
			t.Run(fmt.Sprintf("%s, message %d", s.system, at), func(t *testing.T) {
				t.Parallel()
				rollout(t, newLab(t, s), s, fakedevice.Expired, len(l.devices)+at, rand.New(rand.NewPCG(1, 2)))
			})
		}
	}
	if len(seen) < 4 {
		t.Errorf("%d systems", len(seen))
	}
}

// A run stops where a device is further than the order allows, and its advice is a way out, in both directions.
func TestOutOfOrder(t *testing.T) {
	advice := regexp.MustCompile(`by (--undo )?--only (\S+?)( without --undo)?, and run again$`)
	s := sonicSample(t, "watchdog")
	for _, undo := range []bool{false, true} {
		t.Run(fmt.Sprintf("undo %v", undo), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, s)
			r := l.rollout
			if undo {
				check(t, l.carry(t, crash.New(), false, -1, fakedevice.None))
				r = r.Reversed()
			}
			late := *r
			late.Steps = r.Steps[len(r.Steps)-1:]
			if undo {
				late = *late.Reversed()
			}
			whole := l.rollout
			l.rollout = &late
			_ = l.carry(t, crash.New(), undo, -1, fakedevice.None) // stops: the devices of other steps are elsewhere
			l.rollout = whole
			d := crash.New()
			var stop *apply.Stop
			err, followed := l.carry(t, d, undo, -1, fakedevice.None), 0
			for ; errors.As(err, &stop) && followed < len(l.devices); followed++ {
				parts := advice.FindStringSubmatch(stop.Next)
				if parts == nil {
					break
				}
				l.only = strings.Split(parts[2], ",")
				if stopped := l.carry(t, d, parts[1] != "", -1, fakedevice.None); stopped != nil {
					t.Logf("the advice: %v", stopped)
				}
				l.only = nil
				err = l.carry(t, d, undo, -1, fakedevice.None)
			}
			if err != nil || followed == 0 {
				t.Fatalf("advice was followed %d times, and then: %v", followed, err)
			}
			l.arrived(t, s, undo)
		})
	}
}

// given reports whether a flag is on the command line.
func given(name string) (is bool) {
	flag.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

// drawn is a change of the year of a system or, every other time, of a fabric of many systems.
func drawn(t *testing.T, random *rand.Rand, all []sample, systems []string) sample {
	t.Helper()
	if random.IntN(2) == 0 {
		return mixed(t, random, 64)
	}
	system := systems[random.IntN(len(systems))]
	of := slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.system != system })
	return of[random.IntN(len(of))]
}

// drawnLab begins at the fabric as it was or at what runs. Some devices are drained, and those of OpenConfig
// differ in what they do with the extension of confirmed commits.
func drawnLab(t *testing.T, s sample, random *rand.Rand, fault fakedevice.Fault) *lab {
	t.Helper()
	l := newLab(t, s)
	for _, name := range slices.Sorted(maps.Keys(l.devices)) {
		if d, ok := l.devices[name].(*fakedevice.GNMI); ok && d.OpenConfig {
			d.Confirms = fakedevice.Confirms(random.IntN(int(fakedevice.Rejected) + 1))
		}
	}
	if fault != fakedevice.Hand {
		l.watchServers(t)
	}
	if random.IntN(2) == 0 && l.servers == nil { // else from the fabric as it was: what runs does not give the NICs before
		percent := slices.ContainsFunc(s.before.Switches, func(sw *plan.Switch) bool { return slices.Contains(inPercent, sw.Targets[0]) })
		l.begun = true
		if lost := l.begin(t, s); lost != nil && !percent {
			t.Error(lost)
		}
	}
	if random.IntN(3) == 0 {
		svc := &service{out: map[string]bool{}, ever: map[string]bool{}, keep: []units.Ratio{0, units.One / 2, units.One * 3 / 4}[random.IntN(3)]}
		l.drainer = svc.drainer(s)
		for _, step := range l.rollout.Steps {
			for i := range step.Works {
				if w := &step.Works[i]; random.IntN(2) == 0 && l.servers[w.Device] == nil {
					w.Drain = "drawn"
				}
			}
		}
		t.Cleanup(func() {
			if len(svc.out) > 0 {
				t.Errorf("out of service in the end: %v", svc.out)
			}
		})
	}
	return l
}

// rollout carries out a rollout with a fault at a message, and goes on to one of its ends.
func rollout(t *testing.T, l *lab, s sample, fault fakedevice.Fault, at int, random *rand.Rand) (how string) {
	t.Helper()
	d := crash.New()
	err := l.carry(t, d, false, at, fault)
	var stop *apply.Stop
	switch {
	case err == nil:
		how = "target"
	case errors.As(err, &stop):
		how = "stop"
		if stop.Why == "" || stop.Next == "" || cmp.Or(stop.Device, stop.Step) == "" {
			t.Errorf("a stop without a name: %#v", stop)
		}
	case fault == fakedevice.Kill || fault == fakedevice.KillLate:
		how = "killed"
	default:
		t.Fatalf("the run ended with %v", err)
	}
	if fault == fakedevice.None && err != nil {
		t.Fatal(err)
	}
	t.Logf("message %d of %d at %s: %s: %v", at, l.Seen, l.Hit, how, err)
	if fault == fakedevice.Kill && random.IntN(2) == 0 {
		d = d.Lose(func(int) bool { return false }, random)
	}
	if fault == fakedevice.Hand && l.Hit != "" && err != nil {
		l.devices[l.Hit].Unedit()
	}
	if fault != fakedevice.Hand && (*hunting || *seed >= 0) {
		defer l.judged(t, s)
	}
	undo := random.IntN(2) == 0
	for range 4 {
		if err = l.carry(t, d, undo, -1, fakedevice.None); err == nil {
			break
		}
		t.Log(err)
		// Where a run ended between a change and the list of queue pairs, those opened since then are taken for older ones.
		if errors.As(err, &stop) && strings.HasPrefix(stop.Next, "restart the programs") {
			for _, d := range l.devices {
				if host, ok := d.(*fakedevice.Host); ok {
					host.RestartJobs()
				}
			}
		}
	}
	if err != nil {
		t.Fatalf("the next run ended with %v", err)
	}
	l.arrived(t, s, undo)
	return how
}

// judged proves every configuration that a switch with SONiC has run, with its chip, its cables and
// its peers: it has no fault that neither end has.
func (l *lab) judged(t *testing.T, s sample) {
	t.Helper()
	catalogue, _ := chips.Load()
	v := verify.New(verify.Options{Catalogue: catalogue})
	for _, sw := range s.after.Switches {
		for _, name := range sw.Names {
			d, ok := l.devices[name].(*fakedevice.Sonic)
			if !ok {
				continue
			}
			var all []map[string]bool
			for _, text := range d.Passed() {
				faults, err := v.Fails(sw, "sonic", name, text)
				check(t, err)
				all = append(all, faults)
			}
			tolerated := map[string]bool{}
			maps.Copy(tolerated, all[0])
			maps.Copy(tolerated, all[len(all)-1])
			files, _ := target.Render(sw, target.Forms("sonic", nil))
			faults, err := v.Fails(sw, "sonic", name, files[0].Body.AppendFor(nil, name))
			check(t, err)
			maps.Copy(tolerated, faults)
			for fault := range maps.Clone(tolerated) {
				tolerated[strings.Replace(fault, patch.Certain, patch.Open, 1)] = true
			}
			for i, faults := range all {
				for fault := range faults {
					if !tolerated[fault] {
						t.Errorf("%s, configuration %d of %d: %s", name, i, len(all), fault)
					}
				}
			}
		}
	}
}

// A device with OpenConfig's models goes there and back, whatever it does with the extension of confirmed
// commits and whatever happens at one of its messages. All configurations that it passes through are valid
// by the models.
func TestOpenConfig(t *testing.T) {
	s := sampleNamed(t, "openconfig : remove them")
	s.before, s.after = alone(s.before, "spine-1"), alone(s.after, "spine-1")
	passed := map[string]bool{}
	var lock sync.Mutex
	t.Run("rollouts", func(t *testing.T) {
		for confirms := range fakedevice.Rejected + 1 {
			for i, fault := range fakedevice.Faults {
				for at := i % 5; at < 12; at += 5 {
					t.Run(fmt.Sprintf("%d %v at %d", confirms, fault, at), func(t *testing.T) {
						t.Parallel()
						l := newSwitches(t, s)
						switches := l.devices["spine-1"].(*fakedevice.GNMI)
						switches.Confirms = confirms
						rollout(t, l, s, fault, at, rand.New(rand.NewPCG(uint64(at), 32)))
						lock.Lock()
						defer lock.Unlock()
						for _, text := range switches.Passed() {
							passed[string(text)] = true
						}
					})
				}
			}
		}
	})
	oracle.Command(t, "yanglint", "libyang2-tools")
	folder, check := t.TempDir(), exec.Command(oracle.Shared(t, "tools/check-openconfig"))
	for text := range passed {
		check.Args = append(check.Args, filepath.Join(folder, fmt.Sprintf("%d.json", len(check.Args))))
		must.Do(t, os.WriteFile(check.Args[len(check.Args)-1], []byte(text), 0o666))
	}
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%d configurations: %v\n%s", len(passed), err, out)
	}
}

// A run that is killed at any of its messages can be taken back on every system, also where the change was
// confirmed or saved and the journal does not say so.
func TestTakenBackAfterAKill(t *testing.T) {
	for _, name := range []string{"sonic, HwSKU known to the updater 202405: longer cables", "eos and openconfig : longer cables", "openconfig : longer cables", "cumulus : longer cables", "junos : longer cables", "srlinux : longer cables"} {
		s := sampleNamed(t, name)
		device := s.before.Switches[0].Names[0]
		s.before, s.after = alone(s.before, device), alone(s.after, device)
		for at := 3; at < 11; at++ { // a change is sent at 3, 4 or 5
			t.Run(fmt.Sprintf("%s, %d", s.system, at), func(t *testing.T) {
				t.Parallel()
				l := newSwitches(t, s)
				d := crash.New()
				err := l.carry(t, d, false, at, fakedevice.KillLate)
				t.Logf("message %d of %d: %v", at, l.Seen, err)
				check(t, l.carry(t, d, true, -1, fakedevice.None))
				l.arrived(t, s, true)
			})
		}
	}
}

// A port that a state does not have may have what others configure, and not what another state gives it.
func TestLossyPortsAreRemoved(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, y := range year.All(t) {
		c := y.Changes(t)[1]
		if c.Name != "remove them" {
			t.Fatal(c.Name)
		}
		lossy := func(text string) *plan.Plan {
			_, p := plantest.Text(t, catalogue, regexp.MustCompile(`(?m)^ *(pfc|congestion_control) +=.*$`).ReplaceAllString(text, ""))
			return p
		}
		t.Run(y.System, func(t *testing.T) {
			t.Parallel()
			s := sample{y.System, y.System, lossy(c.Before), lossy(c.After)}
			l := newSwitches(t, s)
			check(t, l.carry(t, crash.New(), false, -1, fakedevice.None))
			if all, err := apply.Survey(t.Context(), l.rollout, apply.Options{Addresses: l.addresses, Answer: time.Minute}); err != nil || slices.ContainsFunc(all, func(s *apply.Standing) bool { return s.At != s.States-1 }) {
				t.Errorf("%v: %+v", err, all)
			}
		})
	}
}

// alone is a plan of one switch.
func alone(p *plan.Plan, name string) *plan.Plan {
	own := *p
	own.Switches = nil
	for _, sw := range p.Switches {
		if slices.Contains(sw.Names, name) {
			one := *sw
			one.Names = []string{name}
			own.Switches = append(own.Switches, &one)
		}
	}
	return &own
}

// The journal has what is sent before it is sent, and nothing that a device runs.
func TestJournal(t *testing.T) {
	s := sonicSample(t, "add switches or ports")
	l := newLab(t, s)
	d := crash.New()
	check(t, l.carry(t, d, false, -1, fakedevice.None))
	text, err := disk.Text(d, "/journal", 1<<30)
	check(t, err)
	for _, secret := range []string{"00:00:5e:00:53:01", "192.0.2.254", l.Password, filepath.Base(l.Key) + "_file"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the journal has %q", secret)
		}
	}
	for _, want := range []string{`"event":"sending"`, `"path":"undo/`, `"event":"kept"`, `"event":"done"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the journal has no %s", want)
		}
	}
}

// On every system a rollout without a fault ends at the target, and its way back at the origin.
// Without -hunt, of one change.
func TestSystems(t *testing.T) {
	done := map[string]bool{}
	for _, s := range samples(t) {
		system, change, _ := strings.Cut(s.name, ":")
		system, _, _ = strings.Cut(system, " ")
		if done[system+change] {
			continue
		}
		done[system+change] = true
		if !*hunting && !strings.Contains(change, "watchdog") {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, s)
			d := crash.New()
			for _, undo := range []bool{false, true} {
				must.Do(t, l.carry(t, d, undo, -1, fakedevice.None))
				l.arrived(t, s, undo)
			}
		})
	}
}

func count(p *plan.Plan) (n int) {
	for _, sw := range p.Switches {
		n += len(sw.Names)
	}
	return n
}
