package patch

// A phase is a step of the change. Within one the order is free: `config apply-patch`
// chooses its own.
type phase uint8

// The order of phases, and what it is for. First everything shrinks to what both ends
// give it, then pools change, then everything grows: so no state needs more headroom,
// or more of the chip's memory, than the larger end. A class that is lossless at both
// ends in one PG keeps PFC and headroom throughout.
const (
	quiet    phase = iota // watchdogs release queues that will not be paused; smaller frames
	create                // profiles, maps, schedulers and curves that nothing refers to yet
	vacate                // code points leave traffic classes that stop being lossless
	release               // PFC off where it goes, and where a PG changes its row
	divert                // traffic leaves PGs that go, for PGs that are there
	clear                 // headroom of PGs that nothing pauses any more goes
	lower                 // profiles shrink in place
	ease                  // PGs change to profiles with less headroom
	shrink                // pools shrink
	widen                 // pools grow
	raise                 // profiles grow in place
	bind                  // PGs change to profiles with more headroom; new PGs and queues
	unpair                // ports leave the map of PFC priorities
	remap                 // the map of PFC priorities
	pair                  // ports join it
	enable                // PFC on: headroom is there
	classify              // code points, traffic classes, weights, curves: what fills the queues
	discard               // rows that nothing needs any more
	finish                // watchdogs, larger frames
	phases
)

// titles are the headings of the steps, and the names of their files.
var titles = [phases]string{
	quiet: "quiet the watchdog", create: "create referenced rows", vacate: "move code points", release: "PFC off", divert: "divert traffic",
	clear: "clear priority groups", lower: "lower headroom", ease: "bind smaller profiles", shrink: "shrink pools", widen: "widen pools",
	raise: "raise headroom", bind: "bind profiles", unpair: "leave the PFC map", remap: "change the PFC map", pair: "join the PFC map",
	enable: "PFC on", classify: "classify and schedule", discard: "discard the rest", finish: "start the watchdog",
}
