package apply

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/emit/host"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/dcb"
)

// A server runs the script of its NICs (package emit/host), which states all that it sets. So the script of
// another state leads there and back, also from a part of a change.
var server = &system{
	scheme: live.SSH, open: openShell(nil),
	send: func(c *change) []message { return []message{{command: "sudo -n sh -s", text: changeScript(c, "")}} },
	over: scriptOver,
	save: saveScript,
}

// Files of a change of a server.
const (
	nicScript = host.Path
	startFile = "start" // the path of the script that the server runs at its start
)

// On lets apply change the servers whose address names the kind of their NICs. NICs without such an address
// stay for a person, and so do those whose script leaves part of an earlier one.
func (r *Rollout) On(addresses map[string][]*live.Address, nics []*plan.Host) error {
	r.NICs = map[string][]*plan.Host{}
	of := map[string][]string{} // servers by their NICs
	for _, device := range slices.Sorted(maps.Keys(addresses)) {
		for _, a := range addresses[device] {
			if a.NIC == "" {
				continue
			}
			if !slices.ContainsFunc(nics, func(h *plan.Host) bool { return h.Name == a.NIC }) {
				return fmt.Errorf("%s has nic=%s, but the fabric has no NIC of that name", device, a.NIC)
			}
			if r.States[device] != nil || slices.Contains(of[a.NIC], device) {
				return fmt.Errorf("%s is the name of a switch or of another server: write another name before the = of the server with nic=%s", device, a.NIC)
			}
			of[a.NIC] = append(of[a.NIC], device)
		}
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		var byPerson []diff.NIC
		for _, nic := range step.nics {
			if nic.Was == nil || nic.Is == nil || of[nic.Is.Name] == nil || !host.Whole(nic.Is) {
				byPerson = append(byPerson, nic)
				continue
			}
			for _, device := range of[nic.Is.Name] {
				if r.NICs[device] == nil {
					r.NICs[device] = []*plan.Host{nic.Was}
				}
				r.NICs[device] = append(r.NICs[device], nic.Is)
				to := len(r.NICs[device]) - 1
				step.Works = append(step.Works, Work{Device: device, From: to - 1, To: to})
			}
		}
		if step.nics != nil {
			step.Hand = byHand(byPerson)
		}
	}
	return nil
}

// byHand says what a person does on servers; empty where there are none.
func byHand(nics []diff.NIC) string {
	var names []string
	restart := ""
	for _, nic := range nics {
		if nic.Is == nil {
			names = append(names, nic.Was.Name)
			continue
		}
		names = append(names, nic.Is.Name)
		if nic.Resends() {
			restart = ", and restart programs with open queue pairs, which keep their ToS"
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "run roce.sh of this step (roceplan diff --steps) on the servers of nic " + diff.Fold(names) + restart
}

// script returns the script of a server for its NICs; empty where there are none, or where the model is not supported.
func script(h *plan.Host) string {
	if h == nil {
		return ""
	}
	files, _ := host.Emit(h)
	for _, f := range files {
		if f.Path == nicScript {
			return string(f.Body.AppendFor(nil, ""))
		}
	}
	return ""
}

func nicFiles(from, to *plan.Host, a *live.Address) []File {
	return []File{
		{nicScript, script(to)}, {undo + nicScript, script(from)}, {startFile, a.Script + "\n"},
		{"apply.sh", fmt.Sprintf("set -e\nfor if in %s; do\n  sh ./%s \"$if\"\ndone\n", strings.ReplaceAll(a.Interfaces, ",", " "), nicScript)},
	}
}

// saveScript puts the script where the server runs it at its start, whole.
func saveScript(c *change) []message {
	path := strings.TrimSpace(c.file(startFile))
	if path == "" {
		return nil
	}
	return []message{{command: "sudo -n sh -s", text: fmt.Sprintf("set -eu\nmkdir -p \"$(dirname %[1]s)\"\nd=%[1]s.new\nrm -rf \"$d\"\nmkdir \"$d\"\n", path) +
		here("script", c.file(nicScript), c.ID) + fmt.Sprintf("chmod 755 \"$d/script\"\nmv \"$d/script\" %s\nrmdir \"$d\"\n", path)}}
}

// interfaces returns the interfaces of a server's NICs.
func (x *run) interfaces(device string) []string {
	return strings.Split(server.address(x.Addresses[device]).Interfaces, ",")
}

// pullNICs asks for what NICs have: for each interface what the script of each state would still do, and
// what the kernel says by dcb. Where the driver has no buffers to show, dcb fails.
func pullNICs(states []*plan.Host, interfaces []string) message {
	var out strings.Builder
	out.WriteString("set -u\numask 077\nd=$(mktemp -d) || exit 7\ntrap 'rm -rf \"$d\"' EXIT\n")
	for i, h := range states {
		out.WriteString(here(fmt.Sprint(i), script(h), "roceplan"))
	}
	fmt.Fprintf(&out, `for if in %s; do
  i=0
  while [ "$i" -lt %d ]; do
    echo "= $if $i"
    sh "$d/$i" --dry-run "$if" </dev/null 2>"$d/wrong" || [ $? = 3 ] || { cat "$d/wrong" >&2; exit 4; }
    i=$((i + 1))
  done
  echo "= $if dcb"
  for part in pfc app ets; do dcb -j "$part" show dev "$if" || exit 5; done
  dcb -j buffer show dev "$if" 2>/dev/null || :
done
`, strings.Join(interfaces, " "), len(states))
	return message{command: "sudo -n sh -s", text: out.String(), private: true}
}

// differsNIC lists what a server's NICs do otherwise than one of their states. Settings that the
// script cannot make, and buffers, which it sets on demand alone, are not compared.
func differsNIC(h *plan.Host, state int, text []byte) (all []string) {
	for _, part := range strings.Split("\n"+string(text), "\n= ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		name, what, _ := strings.Cut(head, " ")
		switch what {
		case fmt.Sprint(state):
			for line := range strings.Lines(body) {
				line = strings.TrimSpace(line)
				write, writes := strings.CutPrefix(line, "would write: ")
				run, runs := strings.CutPrefix(line, "would run: ")
				if writes || runs && (strings.HasPrefix(run, "ip ") || strings.HasPrefix(run, "ethtool ")) {
					all = append(all, fmt.Sprintf("%s: %s%s is missing", name, write, run))
				}
			}
		case "dcb":
			r, found := dcb.Read(name, []byte(body))
			if !found.HasErrors() {
				found = append(found, dcb.Audit(h, r)...)
			}
			for _, d := range found {
				if !slices.Contains([]string{string(dcb.Missing), string(dcb.Unread), string(dcb.Buffer)}, string(d.Code)) {
					all = append(all, name+": "+d.Message)
				}
			}
		}
	}
	if len(all) == 0 && !strings.Contains("\n"+string(text), " dcb\n") {
		return []string{"the server does not report the settings of its NICs"}
	}
	return all
}

// resends reports whether a step lets servers send RDMA traffic with another ToS.
func (s *Step) resends() bool { return slices.ContainsFunc(s.nics, diff.NIC.Resends) }

// resends reports whether a step of either way lets a server send with another ToS.
func (x *run) resends(step, device string) bool {
	other := opposite(step)
	for i := range x.Steps {
		if s := &x.Steps[i]; s.Name == step || s.Name == other {
			return x.NICs[device] != nil && s.resends()
		}
	}
	return false
}

// notePairs notes the queue pairs that a server has after a change of its ToS: those keep the old one. Those of a list
// are known not to.
func (x *run) notePairs(ctx context.Context, step, device string, but []string) error {
	if !x.resends(step, device) {
		return nil
	}
	pairs, err := x.pairs(ctx, device)
	if err != nil {
		return err
	}
	return x.Journal.Add(Entry{Event: Pairs, Rollout: x.Name, Step: step, Device: device, Pairs: without(pairs, but)})
}

// pairsBefore returns the queue pairs that surely have the ToS from before a change of it, which is about to be sent.
// whole says that nothing of the change is there yet.
func (x *run) pairsBefore(ctx context.Context, step, device string, whole bool) ([]string, error) {
	if !x.resends(step, device) {
		return nil, nil
	}
	opened, _ := x.Journal.pairs(opposite(step), device) // when it was there before, and was taken back
	if e := x.unsettled(device); e != nil && (!whole || opened != nil) {
		return e.Pairs, nil
	}
	pairs, err := x.pairs(ctx, device)
	if err == nil && opened != nil {
		pairs = without(pairs, opened.Pairs)
	}
	return pairs, err
}

func without(pairs, but []string) []string {
	return stable.Delete(pairs, func(pair string) bool { return slices.Contains(but, pair) })
}

// pairs returns the queue pairs of a server's NICs that have a ToS.
func (x *run) pairs(ctx context.Context, device string) (pairs []string, err error) {
	ask := message{command: "sudo -n sh -s", text: fmt.Sprintf(`for if in %s; do
  for path in "${ROCE_SYSFS:-/sys}/class/net/$if/device/infiniband/"*; do
    rdma resource show qp link "${path##*/}" </dev/null || exit
  done
done
`, strings.Join(x.interfaces(device), " "))}
	err = x.with(ctx, device, func(l link) error {
		ctx, stop := context.WithTimeout(ctx, x.Answer)
		defer stop()
		text, err := l.ask(ctx, ask)
		pairs = pairsOf(string(text))
		return err
	})
	if err != nil {
		err = fmt.Errorf("its queue pairs cannot be listed: %w", err)
	}
	return pairs, err
}

// pairsOf reads what rdma of iproute2 prints, one queue pair a line:
//
//	link mlx5_0/1 lqpn 178 rqpn 9021 type RC state RTS rq-psn 0 sq-psn 66 pid 4242 comm python3
//
// A pair has its ToS from the state RTR on (ibv_modify_qp(3)). Those of the subnet and of the kernel's
// datagrams are there as long as the device is, and carry none of the traffic.
func pairsOf(text string) (pairs []string) {
	for line := range strings.Lines(text) {
		of := map[string]string{}
		words := strings.Fields(line)
		for i := 0; i+1 < len(words); i += 2 {
			of[words[i]] = words[i+1]
		}
		still := slices.Contains([]string{"GSI", "SMI", "DRIVER", "RAW_PACKET"}, of["type"]) || of["type"] == "UD" && of["pid"] == ""
		if of["lqpn"] != "" && !still && slices.Contains([]string{"RTR", "RTS", "SQD", "SQE"}, of["state"]) {
			who := of["comm"]
			if of["pid"] != "" {
				who += " (pid " + of["pid"] + ")"
			}
			pairs = append(pairs, fmt.Sprintf("%s %s of %s", of["link"], of["lqpn"], who))
		}
	}
	return pairs
}

// awaitPairs waits until no server of a step has a queue pair from before. Processes that have them
// are named, unless a person says that they do no harm.
func (x *run) awaitPairs(ctx context.Context, step *Step) error {
	name := step.Name + "-pairs" // as a step by hand
	if len(step.Works) == 0 || !step.resends() || x.Journal.byHand(name) {
		return nil
	}
	var left []string
	for start := time.Now(); ; {
		left = nil
		if err := each(ctx, step.Works, func(w Work) error { return x.leftPairs(ctx, step.Name, w, &left) }); err != nil {
			return err
		}
		if len(left) == 0 {
			return nil
		}
		slices.Sort(left)
		if time.Since(start) >= x.Pairs {
			break
		}
		x.say(step.Name, "", "waiting for queue pairs from before: "+diff.FirstFew(left))
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(min(10*time.Second, x.Pairs/4+time.Millisecond)):
		}
	}
	what := "queue pairs keep the ToS from before: " + diff.FirstFew(left)
	if x.Hand != nil && x.Hand(Step{Name: name, Hand: "restart the programs that have them: " + what}) {
		return x.Journal.Add(Entry{Event: ByHand, Rollout: x.Name, Step: name})
	}
	return &Stop{step.Name, "", what, "restart the programs that have them, and run again; if they carry nothing, add --done " + name}
}

// leftPairs adds the queue pairs of a server that were there at the change, by who has them.
func (x *run) leftPairs(ctx context.Context, step string, w Work, left *[]string) error {
	device := w.Device
	before, sent := x.Journal.pairs(step, device)
	if before == nil && sent { // that run was killed
		if err := x.notePairs(ctx, step, device, nil); err != nil {
			return &Stop{step, device, err.Error(), again}
		}
		before, _ = x.Journal.pairs(step, device)
	}
	if before == nil || len(before.Pairs) == 0 || x.at[device].At > w.To {
		return nil
	}
	var now []string
	err := x.patiently(ctx, func() (err error) {
		now, err = x.pairs(ctx, device)
		return err
	})
	if err != nil {
		return &Stop{step, device, err.Error(), again}
	}
	count := map[string]int{}
	for _, pair := range now {
		if slices.Contains(before.Pairs, pair) {
			_, who, _ := strings.Cut(pair, " of ")
			count[who]++
		}
	}
	x.lock.Lock()
	defer x.lock.Unlock()
	for who, n := range count {
		*left = append(*left, fmt.Sprintf("%s: %d of %s", device, n, who))
	}
	return nil
}
