package patch

// A phase is a step of the change. Within one the order is free: `config apply-patch`
// chooses its own.
type phase uint8

// The order of phases, and what it is for. Lossless traffic that both ends carry keeps
// PFC and headroom from beginning to end, unless its PG moves to another row of
// BUFFER_PG: then PFC is off between release and enable.
const (
	quiet    phase = iota // watchdogs let go of queues that will not be paused any more
	shrink                // shared pools give what headroom pools will take
	widen                 // headroom pools grow; new pools
	create                // profiles, maps, schedulers and curves that nothing refers to yet
	release               // PFC off for PGs whose row changes
	clear                 // rows of PGs that nothing pauses
	raise                 // profiles grow in place
	bind                  // PGs and queues change profiles; new ones
	unpair                // ports leave the map of PFC priorities
	remap                 // the map of PFC priorities
	pair                  // ports join it
	enable                // PFC on: headroom is there
	classify              // code points, traffic classes, weights, curves: what fills the queues
	disable               // PFC off for what is lossy from now on
	lower                 // headroom goes: nothing is paused there
	narrow                // headroom pools shrink
	fill                  // shared pools take what is free
	discard               // rows that nothing refers to any more
	finish                // watchdogs, larger frames
	phases
)

// titles are what a person reads of the steps, and the names of their files.
var titles = [phases]string{
	quiet: "quiet the watchdog", shrink: "shrink shared pools", widen: "widen headroom pools", create: "create what will be referred to",
	release: "PFC off while priority groups move", clear: "clear unpaused priority groups", raise: "raise headroom", bind: "bind profiles",
	unpair: "leave the PFC map", remap: "change the PFC map", pair: "join the PFC map", enable: "PFC on", classify: "classify and schedule",
	disable: "PFC off", lower: "lower headroom", narrow: "narrow headroom pools", fill: "fill shared pools",
	discard: "discard what nothing refers to", finish: "start the watchdog",
}
