package design

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/units"
)

// hcl writes the fabric.
func (w *Wish) hcl(s *Size) string {
	var out strings.Builder
	w.head(&out, s)
	w.policy(&out)
	out.WriteString(w.leaves(s))
	if s.Spines > 0 {
		out.WriteString(w.spines(s))
	}
	if w.training() {
		servers := "\n# %s of %d GPUs: GPU k of each is at leaf k of its group. 3600 Gbps is one direction of the NVLink of an H100,\n# 900 GB/s in both (NVIDIA, H100 data sheet).\nserver \"gpu\" {\n  switches = %q\n  gpus     = %d\n  nics     = %d\n  rails    = %d\n  nvlink   = \"3600Gbps\"\n}\n"
		fmt.Fprintf(&out, servers, natural.Count(w.GPUs/w.PerServer, "server", "servers"), w.PerServer, names("leaf", s.Leaves), w.PerServer, w.PerServer, s.Rails)
	}
	return string(hclwrite.Format([]byte(out.String())))
}

// head says what the fabric is, and how its switches were counted.
func (w *Wish) head(out *strings.Builder, s *Size) {
	line := func(format string, args ...any) { fmt.Fprintf(out, strings.TrimRight("# "+format, " ")+"\n", args...) }
	line("%s with a NIC of %v each: %s.", capital(w.what()), w.NIC, s.String())
	if w.Source != "" {
		line("The design is published: %s", w.Source)
	}
	line("")
	if s.Spines == 0 {
		line("One switch has a port for each NIC.")
	} else {
		if w.training() {
			line("Rails: %d GPUs of a server are at %d leaves, so NICs of one rail reach each other through one switch.", w.PerServer, s.Rails)
		}
		line("NICs of a leaf: %d, of %s with %s; there is room for %d.", s.PerLeaf, natural.Count(s.Leaves, "leaf", "leaves"), natural.Count(s.Rails, "rail", "rails"), s.Capacity())
		line("Uplinks of a leaf: %d × %v need %s of %v; %s × %d to each are %d.", s.PerLeaf, w.NIC, natural.Count(s.need, "link", "links"), s.uplink, natural.Count(s.Spines, "spine", "spines"), s.Links, s.Spines*s.Links)
		line("Ports of a spine: %s × %d.", natural.Count(s.Leaves, "leaf", "leaves"), s.Links)
	}
	line("")
	line("Replace lengths of cables, models and names by your own. `roceplan check` shows the effects.")
}

// The default code point of CNPs of NVIDIA's NICs.
const cnpDSCP, cnpQueue = 48, 6

func (w *Wish) policy(out *strings.Builder) {
	purpose := "storage"
	if w.training() {
		purpose = "training"
	}
	fmt.Fprintf(out, `
fabric %q {
  mtu            = "9216B" # largest frame of any class, with header and FCS
  lossless_frame = "4200B" # a RoCE packet of 4096 B with its headers
  purpose        = %s # marking is chosen for its completion time
}

# Congestion notifications: small, urgent, lossy, with a cap so that they starve no other class.
traffic_class "cnp" {
  dscp       = [%d]
  queue      = %d
  scheduling = strict
  max_rate   = %q
}

# RDMA: a PFC priority makes the class lossless.
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 80
  congestion_control = dcqcn
%s}

# All other code points.
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
%s
nic %q {
  model    = %q
  roce_mtu = "4096B"
%s}
`, w.name(), purpose, cnpDSCP, cnpQueue, (w.NIC / 100).String(), w.threshold(), w.watchdog(), w.NICModel, w.NICModel, w.notifications())
}

// threshold returns the line that gives lossless priority groups a threshold of their own.
func (w *Wish) threshold() string {
	if w.Alpha == "" {
		return ""
	}
	return fmt.Sprintf("  alpha              = %q # with the derived alpha, the room of lossless queues is too small for a proof\n", w.Alpha)
}

// watchdog returns the block that a system needs to behave as planned.
func (w *Wish) watchdog() string {
	if w.OS == "srlinux" { // SR Linux QoS guide: the watchdog ignores pauses while it recovers
		return "\n# The watchdog of SR Linux forwards while it recovers.\npfc_watchdog {\n  action = forward\n}\n"
	}
	return ""
}

// notifications are lines that let the NIC send its CNPs in the class cnp, where it would not by itself.
func (w *Wish) notifications() (lines string) {
	if w.card.CNPDSCP.Or(cnpDSCP) != cnpDSCP {
		lines += fmt.Sprintf("  cnp_dscp = %d # to be set on the hosts: by itself it takes %d\n", cnpDSCP, w.card.CNPDSCP.Or(0))
	}
	if w.card.CNPPriority.Or(cnpQueue) != cnpQueue {
		lines += fmt.Sprintf("  cnp_pfc = %d # to be set on the hosts: by itself it takes %d\n", cnpQueue, w.card.CNPPriority.Or(0))
	}
	return lines
}

// name returns the name of the fabric.
func (w *Wish) name() string {
	if w.training() {
		return "pod-" + strconv.Itoa(w.GPUs)
	}
	return "storage-" + strconv.Itoa(w.Hosts)
}

// leaves writes the switches below.
func (w *Wish) leaves(s *Size) string {
	role, what := "leaf", "hosts"
	if w.training() {
		what = "gpus"
	}
	groups := []string{w.group(what, s.leaf.groups[0], "nic."+w.NICModel, cmp.Or(w.ServerCable, copper(s.leaf.lane)), "dac")}
	if s.Spines > 0 {
		groups = append(groups, w.group("spines", s.leaf.groups[1], "switch.spine", w.SpineCable, "fiber"))
	}
	return w.block(role, s.Leaves, &s.leaf, groups)
}

// spines writes the switches above, and the links.
func (w *Wish) spines(s *Size) string {
	text := w.block("spine", s.Spines, &s.spine, []string{w.group("leaves", s.spine.groups[0], "switch.leaf", w.SpineCable, "fiber")})
	return text + fmt.Sprintf(`
# Each leaf has %s to each spine.
clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "spines"
  upper_ports    = "leaves"
  links_per_pair = %d
}
`, natural.Count(s.Links, "link", "links"), s.Links)
}

func (w *Wish) block(role string, n int, b *built, groups []string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n# %s.\nswitch %q {\n  chip = %q\n  os   = %s\n", b.about(w.OS), names(role, n), b.chip, w.OS)
	if w.LossyAlpha != "" {
		fmt.Fprintf(&out, "  lossy_alpha = %q # with a larger one lossy packets take the room in which lossless queues mark\n", w.LossyAlpha)
	}
	if b.platform != "" {
		fmt.Fprintf(&out, "  platform = %q\n  hwsku    = %q\n", b.platform, b.hwsku)
	}
	fmt.Fprintf(&out, "  role = %q\n%s}\n", role, strings.Join(groups, ""))
	return out.String()
}

// about says which box it is.
func (b *built) about(os string) string {
	if b.platform != "" {
		return b.title + ": the ports are those of its HwSKU"
	}
	return fmt.Sprintf("%s with %d cages, numbered as %s does: compare with the labels of yours", capital(b.title), len(b.cages), os)
}

func (w *Wish) group(name string, g group, peer string, cable units.Length, medium string) string {
	var out strings.Builder
	var ports []string
	for _, p := range diff.Patterns(g.ports) {
		ports = append(ports, strconv.Quote(p))
	}
	list := strings.Join(ports, ", ")
	if len(ports) > 1 {
		list = "[" + list + "]"
	}
	fmt.Fprintf(&out, "\n  port_group %q {\n    ports  = %s\n    speed  = %q\n", name, list, g.rate.String())
	if g.breakout != "" {
		fmt.Fprintf(&out, "    breakout = %q\n", g.breakout)
	}
	fmt.Fprintf(&out, "    cable  = %q\n    medium = %s\n    peer   = %s\n", cable.String(), medium, peer)
	if w.OS == "eos" {
		out.WriteString("    routed = true # EOS obeys the MTU of routed ports alone\n")
	}
	out.WriteString("  }\n")
	return out.String()
}

// String says how many switches there are, in a few words.
func (s Size) String() string {
	if s.Spines == 0 {
		return "one switch"
	}
	return fmt.Sprintf("%s and %s", natural.Count(s.Leaves, "leaf", "leaves"), natural.Count(s.Spines, "spine", "spines"))
}

// names returns a pattern of so many devices.
func names(role string, n int) string {
	if n == 1 {
		return role + "-1"
	}
	width := len(strconv.Itoa(n))
	return fmt.Sprintf("%s-[%0*d..%d]", role, width, 1, n)
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
