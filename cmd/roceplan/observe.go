package main

import (
	"context"

	"github.com/aymanbagabas/go-udiff"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

type observeCmd struct {
	Paths   []string `arg:"" optional:"" name:"path" help:"Counters: files, or folders of them; - is standard input; addresses such as redis://leaf-1 are asked."`
	Fabric  string   `required:"" placeholder:"FILE" help:"Fabric file or folder."`
	Suggest bool     `help:"Print the change of the fabric file that corrects the plan, as a unified diff."`
	Watch   string   `placeholder:"ADDRESS" help:"Run continuously, and serve metrics for Prometheus on this address, such as :9742."`
	Every   string   `default:"60s" placeholder:"TIME" help:"With --watch: time between two readings (default: 60s)."`
	Memory  string   `default:"1GB" placeholder:"SIZE" help:"Most memory for all devices together (default: 1GB)."`
	Devices []string `placeholder:"FILE" sep:"none" help:"File of addresses, one a line; may be repeated."`

	WebConfig string `name:"web.config.file" placeholder:"FILE" help:"With --watch: TLS and access to metrics, in the format of Prometheus's exporters."`
	sourceFlags
}

func (observeCmd) Help() string {
	return `Compares counters with the plan and names broken assumptions: a longer cable, a slower peer, disabled PFC, missing marks, a NIC that pauses without end. Each finding shows its counters.

    roceplan observe counters/ --fabric fabric.hcl
    roceplan observe counters/ --fabric fabric.hcl --suggest | patch

It recognizes these formats by their content:

    SONiC          sonic-db-dump -n COUNTERS_DB -y; watermarkstat --json, in a file called after its -t, pg_headroom.json;
                   the tables of show pfc counters, also with --history, show queue counters (also --voq) and wredcounters (both also with --json),
                   show pfcwd stats, show priority-group drop counters, show priority-group watermark, show queue watermark, show buffer_pool watermark
    gNMI           notifications as JSON, as gnmic prints them
    Prometheus     answers of /api/v1/query and query_range; the text of node_exporter and its like, as served at /metrics
    OTLP           as JSON, from Cumulus Linux or from SONiC's high-frequency telemetry
    Arista EOS     show priority-flow-control counters, also | json and detail | json; show interfaces counters queue detail, also | json;
                   show qos interfaces ecn counters queue | json; show queue-monitor length csv
    Junos          show interfaces extensive, its pause frames by priority; show interfaces queue
    NX-OS          show interface priority-flow-control where PFC is of one priority, and with detail; show queuing interface and
                   show queuing pfc-queue detail, both also | json
    servers        ethtool -S of NVIDIA's, Broadcom's and Intel's cards, rdma statistic show of these and of AMD's, also with -j
    LLDP           all that roceplan cabling reads, for cables that are swapped

A file has the name of its device, leaf-1.json, or is in a folder with that name, leaf-1/counters_db.json. Two readings show more than one: name them by their time, leaf-1/20260102T150405Z.json.

Running devices are asked at their addresses, in parallel:

    roceplan observe redis://leaf-1 leaf-2=redis+unix:///run/redis/redis.sock gnmi+plaintext://leaf-3:8080 --fabric fabric.hcl

redis and gnmi+plaintext are without TLS, rediss and gnmi over it. USER:PASSWORD@ may precede the host. Every user of the machine can read a command line: write addresses into a file for --devices, or name the file or variable with the password, and the certificates, after the address:

    gnmi://admin@leaf-3:8080?password_file=/run/secrets/leaf-3&ca_file=ca.pem&cert_file=me.pem&key_file=me.key
    rediss://leaf-1?password_env=LEAF_PASSWORD&server_name=leaf-1.example.org

With --watch, gNMI devices stream counters sampled at --every; others are asked each time.

A missing counter is unknown, and observe concludes nothing from it. From the headroom in use observe computes the shortest cable, and the shortest response, that explain it in the worst case; longer ones are possible.

Exit codes: 0 nothing contradicts the plan; 1 there are findings, such as a device that does not answer; 2 the call was wrong, or a file could not be read. With --watch it ends by a signal.`
}

// observeReport is the result with --json.
type observeReport struct {
	Diagnostics diag.List            `json:"diagnostics"`
	Rows        int                  `json:"rows"`
	Groups      int                  `json:"groups"`
	Uses        []observe.Use        `json:"uses"`
	Conclusions []observe.Conclusion `json:"conclusions"`
	Suggestions []observe.Edit       `json:"suggestions"`
}

// Run plans the fabric, reads what was counted, and concludes.
func (c observeCmd) Run(t *terminal) error {
	loaded, err := c.load(t, []string{c.Fabric})
	if err != nil {
		return err
	}
	if _, err := planOf(t, loaded, c.Fabric); err != nil {
		return err
	}
	devices, err := readDevices(c.Devices)
	if err != nil {
		return err
	}
	if c.Paths = append(c.Paths, devices.addresses...); len(c.Paths) == 0 {
		return misusef("there is nothing to read: name files, folders or addresses of devices")
	}
	if c.Watch != "" {
		return c.watch(t, loaded)
	}
	in, err := c.read(t, loaded)
	if err != nil {
		return err
	}
	r, found, err := in.conclude(loaded)
	if err != nil {
		return err
	}
	if err := c.print(t, loaded, r, found); err != nil {
		return err
	}
	if len(found) > 0 {
		return errFindings
	}
	return nil
}

// memory returns the memory that devices may take together, in bytes.
func (c observeCmd) memory() (int, error) {
	memory, err := units.ParseBytes(c.Memory)
	if err != nil || memory < units.MB {
		return 0, misusef("--memory must be a size of at least 1MB, such as 2GB, not %q", c.Memory)
	}
	return int(memory), nil
}

// observed holds the configurations that were read.
type observed struct {
	rows  []observe.Row
	seen  []cabling.Sighting
	found diag.List
	// unread are the devices that were not read, each with the reason.
	unread []live.Document
}

// ask asks devices once, side by side. One that is dead, or sends what is malformed, keeps no other from
// being judged.
func (in *observed) ask(ctx context.Context, addresses []*live.Address, o live.Options) {
	for _, d := range live.ReadAll(ctx, addresses, o) {
		rows, found, err := d.Rows()
		if err != nil {
			in.unread = append(in.unread, live.Document{Device: d.Device, Err: err})
		}
		in.rows, in.found = append(in.rows, rows...), append(in.found, found...)
	}
}

// silent has a finding for the devices that were not read, at their lines of the fabric.
func (in *observed) silent(p *plan.Plan) (found diag.List) {
	at, devices, reasons := switchLines(p), map[diag.Range][]string{}, map[diag.Range][]string{}
	for _, d := range in.unread {
		place, ok := at[d.Device]
		if !ok {
			place = diag.Top(d.Device)
		}
		devices[place], reasons[place] = append(devices[place], d.Device), append(reasons[place], oneLine(d.Err))
	}
	for place, names := range devices {
		found.Errorf(observe.Unread, place, "%s cannot be read: %s", diff.Fold(names), diff.FirstFew(reasons[place])).
			Fixf("make sure that it answers, and observe again")
	}
	return found.Sorted()
}

// read reads all arguments, and asks devices by their addresses, side by side.
func (c observeCmd) read(t *terminal, loaded *loaded) (*observed, error) {
	addresses, err := c.addresses()
	if err != nil {
		return nil, err
	}
	memory, err := c.memory()
	if err != nil {
		return nil, err
	}
	in := &observed{}
	in.ask(t, addresses, live.Options{Memory: memory, Dial: t.dial})
	for _, arg := range c.Paths {
		if live.IsAddress(arg) {
			continue
		}
		if err := in.readPath(t, arg, loaded.Sources); err != nil {
			return nil, err
		}
	}
	if len(in.rows)+len(in.seen)+len(in.found)+len(in.unread) == 0 {
		in.found.Errorf(intake.Unknown, diag.Top(c.Paths[0]), "nothing that was given has a counter or a neighbour").
			Fixf("give the counters of devices: roceplan help observe lists their formats")
	}
	return in, nil
}

// readPath reads a file, or the files of a folder but for configurations.
func (in *observed) readPath(t *terminal, path string, sources diag.Sources) error {
	take := func(f verify.File, named bool) error {
		text, err := f.Read()
		if err == nil && (named || intake.Recognizes(text) || cabling.Recognizes(text) || !verify.Recognizes(text)) {
			in.take(f.Name, text, sources)
		}
		return err
	}
	return eachArgument(t, []string{path}, func(f verify.File) error { return take(f, true) }, func(folder string) error {
		return dataBelow(folder, func(f verify.File) error { return take(f, false) })
	})
}

// take reads one text. Findings about it show its lines, unless it has more than anybody reads.
func (in *observed) take(name string, text []byte, sources diag.Sources) {
	var found diag.List
	if cabling.Recognizes(text) {
		var seen []cabling.Sighting
		seen, found = cabling.Read(name, text)
		in.seen = append(in.seen, seen...)
	} else {
		var rows []observe.Row
		rows, found = intake.Read(name, text)
		in.rows = append(in.rows, rows...)
	}
	in.found = append(in.found, found...)
	const most = 1 << 20
	if len(found) > 0 && len(text) < most {
		sources[name] = text
	}
}

// conclude compares with the fabric. Of files with errors nothing is concluded, and neither of the
// others then: the missing readings could explain them.
func (in *observed) conclude(loaded *loaded) (*observe.Report, diag.List, error) {
	p, _ := loaded.Plan()
	found := append(in.found, in.silent(p)...)
	if in.found.HasErrors() {
		return &observe.Report{Conclusions: []observe.Conclusion{}, Uses: []observe.Use{}}, found.Sorted(), nil
	}
	r, err := roceplan.Observe(loaded.Fabric, in.rows)
	if err != nil {
		return nil, nil, err
	}
	found = append(found, r.Findings()...)
	if len(in.seen) > 0 {
		found = append(found, cabling.Check(p, in.seen).Found...)
	}
	return r, found.Sorted(), nil
}

func (c observeCmd) print(t *terminal, loaded *loaded, r *observe.Report, found diag.List) error {
	edits := r.Suggest(loaded.Sources)
	if t.json {
		return t.printJSON(observeReport{nonNil(found), r.Rows, r.Groups, append([]observe.Use{}, r.Uses...), append([]observe.Conclusion{}, r.Conclusions...), append([]observe.Edit{}, edits...)})
	}
	if err := t.tell(found, loaded.Sources); err != nil {
		return err
	}
	if c.Suggest {
		return printEdits(t, loaded.Sources, edits)
	}
	printUses(t, r)
	return nil
}

// printUses says how much of their headroom groups used, the worst first.
func printUses(t *terminal, r *observe.Report) {
	t.printf("%d values read; headroom of %d of %d lossless groups measured\n", r.Rows, len(r.Uses), r.Groups)
	const most = 10 // of which a person reads
	for i, u := range r.Uses {
		if i == most && !t.all {
			t.printf("and %d more; --all shows every group\n", len(r.Uses)-most)
			return
		}
		share := u.Permille()
		t.printf("%s %s PG %d: used %v of %v, %d.%d%%; the worst case is %v", u.Device, u.Port, u.Group, u.Used, u.Headroom, share/10, share%10, u.Computed)
		if u.Bound != nil && u.Used > u.Computed {
			t.printf("; cable at least %v, or response at least %v", u.Bound.Cable, u.Bound.Response)
		}
		t.printf("\n")
	}
}

// printEdits prints a unified diff for each file.
func printEdits(t *terminal, sources diag.Sources, edits []observe.Edit) error {
	done := map[string]bool{}
	for _, e := range edits {
		if done[e.File] {
			continue
		}
		done[e.File] = true
		before := sources[e.File]
		t.printf("%s", udiff.Unified(plain.Line(e.File), plain.Line(e.File), string(before), string(observe.Apply(e.File, before, edits))))
	}
	if len(edits) == 0 {
		t.errorf("roceplan: no measurement requires another cable or response")
	}
	return nil
}
