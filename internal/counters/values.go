package counters

import (
	"maps"
	"strconv"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
)

// values is COUNTERS_DB of a switch while a reading of it is made.
type values struct {
	*switchState
	hashes map[string]map[string]string
	again  bool // the periodic watermarks begin again
}

// reading makes the database of what the counters hold.
func (s *switchState) reading(c *sim.Counted, again bool) Switch {
	v := &values{s, map[string]map[string]string{}, again}
	for table, names := range s.maps {
		v.hashes[table] = maps.Clone(names)
	}
	for _, p := range s.ports {
		counted := &c.Ports[p.port]
		v.port(p.oid, counted)
		for _, o := range p.groups {
			v.group(&o, counted)
		}
		for _, o := range p.queues {
			v.queue(&o, counted)
		}
	}
	for _, o := range s.pools {
		v.watermark(o.oid, observe.PoolHeadroom, int64(c.Pools[s.node][o.id]))
	}
	return Switch{s.name, v.hashes}
}

// port counts the PFC frames of each priority, of pauses and of resumes alike: a frame counts, whatever
// time it holds for (IEEE 802.1Qbb: a request with any time is a PFC frame).
func (v *values) port(oid string, counted *sim.CountedPort) {
	var sent, received [8]int64
	for class := range counted.Classes {
		if v.net.Lossless>>class&1 != 0 {
			priority := v.net.Priority[class]
			sent[priority] += counted.Classes[class].PFCSent
			received[priority] += counted.Classes[class].PFCReceived
		}
	}
	for priority := range uint8(8) {
		v.total(oid, observe.PFCSent(priority), sent[priority])
		v.total(oid, observe.PFCReceived(priority), received[priority])
	}
}

func (v *values) group(o *object, counted *sim.CountedPort) {
	var sum sim.CountedClass
	for _, class := range o.classes {
		k := &counted.Classes[class]
		sum.GroupDrops += k.GroupDrops
		sum.PeakShared, sum.PeakHeadroom = max(sum.PeakShared, k.PeakShared), max(sum.PeakHeadroom, k.PeakHeadroom)
	}
	v.total(o.oid, observe.GroupDropped, sum.GroupDrops)
	v.watermark(o.oid, observe.GroupShared, sum.PeakShared)
	v.watermark(o.oid, observe.GroupHeadroom, sum.PeakHeadroom)
}

func (v *values) queue(o *object, counted *sim.CountedPort) {
	var sum sim.CountedClass
	watched := false
	for _, class := range o.classes {
		k := &counted.Classes[class]
		sum.Packets, sum.Bytes, sum.Marked, sum.QueueDrops = sum.Packets+k.Packets, sum.Bytes+k.Bytes, sum.Marked+k.Marked, sum.QueueDrops+k.QueueDrops
		sum.PeakQueue = max(sum.PeakQueue, k.PeakQueue)
		sum.Storms, sum.Restored = sum.Storms+k.Storms, sum.Restored+k.Restored
		sum.SentInStorm, sum.DroppedIn, sum.DroppedOut = sum.SentInStorm+k.SentInStorm, sum.DroppedIn+k.DroppedIn, sum.DroppedOut+k.DroppedOut
		watched = watched || v.watches(class)
	}
	v.total(o.oid, observe.QueueSent, sum.Packets)
	v.total(o.oid, observe.QueueSentBytes, sum.Bytes)
	v.total(o.oid, observe.QueueMarked, sum.Marked)
	v.total(o.oid, observe.QueueDropped, sum.QueueDrops)
	v.watermark(o.oid, observe.QueueShared, sum.PeakQueue)
	if !watched {
		return
	}
	v.total(o.oid, observe.WatchdogDetected, sum.Storms)
	v.total(o.oid, observe.WatchdogRestored, sum.Restored)
	v.total(o.oid, observe.WatchdogDroppedTx, sum.DroppedOut)
	v.total(o.oid, observe.WatchdogDroppedRx, sum.DroppedIn)
	v.total(o.oid, watchdogSent, sum.SentInStorm)
	status := "operational"
	if sum.Storms > sum.Restored {
		status = "stormed"
	}
	v.set(intake.Counters, o.oid, watchdogStatus, status)
}

// Counters of the watchdog from which nothing is concluded (sonic-swss orchagent/pfcactionhandler.cpp).
const (
	watchdogSent   = "PFC_WD_QUEUE_STATS_TX_PACKETS"
	watchdogStatus = "PFC_WD_STATUS"
)

// watches reports whether the switch has a watchdog on a class.
func (s *switchState) watches(class uint8) bool {
	all := s.net.Scenario.Watchdogs
	return s.node < len(all) && all[s.node] != nil && all[s.node].Classes>>class&1 != 0
}

func (v *values) total(oid string, counter observe.Counter, n int64) {
	v.set(intake.Counters, oid, string(counter), strconv.FormatInt(n, 10))
}

// watermark writes what syncd read and cleared, and the highest of it in three tables, as the
// plugins of the poll do (sonic-swss orchagent/watermark_pg.lua and its like). Of these, orchagent
// sets the periodic ones to zero by its timer, the other two by a user's command
// (watermarkorch.cpp), which is not given here.
func (v *values) watermark(oid string, counter observe.Counter, peak int64) {
	v.total(oid, counter, peak)
	for _, table := range []string{intake.PeriodicMarks, intake.UserMarks, intake.LastingMarks} {
		key := mark{table, oid, counter}
		if v.again && table == intake.PeriodicMarks {
			v.marks[key] = 0
		}
		v.marks[key] = max(v.marks[key], peak)
		v.set(table, oid, string(counter), strconv.FormatInt(v.marks[key], 10))
	}
}

func (v *values) set(table, oid, field, value string) {
	key := table + ":" + oid
	if v.hashes[key] == nil {
		v.hashes[key] = map[string]string{}
	}
	v.hashes[key][field] = value
}
