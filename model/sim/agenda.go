package sim

// Kinds of task, in the low bits of its eventID in the agenda. The higher bits say what it is
// about.
const (
	taskPost     = iota // a message is posted
	taskTimeout         // a host looks for queue pairs that have waited too long
	taskSignal          // switches signal the quality of their ports
	taskLinkDown        // a link
	taskLinkUp
	taskRoutes  // of all switches
	taskExpire  // the pauses that a port obeys
	taskRefresh // the pauses that a port asks for
	taskStorm   // one begins
	taskCalm    // and ends
	taskSlow    // a receiver becomes slow
	taskFast    // and fast
	taskTaken   // a receiver has taken in a packet
	taskWatch   // a switch's watchdog looks at its queues
	taskConnect // an initiator asks for a connection
	taskGrant   // a target has set up its half of a connection
	taskAdvance // an initiator has a connection without messages
	taskFree    // an initiator has disconnected
	taskShaper  // a class of a port may send again
	taskCredit  // a port out of a scheduled fabric grants a credit
	taskFlush   // packets that a switch held back go on
	taskSample  // the counters of a [Series] are read
	taskPoll    // counters are polled
	taskTCP     // a connection's timer may have run out
	taskBits    = 5
)

// agenda holds what happens seldom, such as the start of a message. Of all its tasks only the first
// has an event. Tasks come behind all other events of their time: a host acts in reaction to other
// events, and new messages come from outside. Tasks of one time are done in the order in which they
// were planned.
type agenda struct {
	tasks   eventHeap
	planned uint64 // tasks so far
}

// plan adds a task about something.
func (s *engine) plan(task, about int32, at int64) {
	a := &s.agenda
	before := int64(never)
	if len(a.tasks) > 0 {
		before = a.tasks[0].at
	}
	a.tasks.push(pending{at: at, order: a.planned, id: eventID(about<<taskBits | task)})
	a.planned++
	if at < before {
		if before < never {
			s.events.remove(planned, before)
		}
		s.scheduleTask()
	}
}

// behindAll is the order of the agenda's event: no other one of its time is behind it.
const behindAll = 1 << 53

// scheduleTask makes the first task an event.
func (s *engine) scheduleTask() {
	if a := &s.agenda; len(a.tasks) > 0 {
		s.events.push(planned, a.tasks[0].at, behindAll, 0)
	}
}

// doTask does the first task.
func (s *engine) doTask() {
	task := s.agenda.tasks.pop()
	s.scheduleTask()
	about := int32(task.id) >> taskBits
	switch task.id & (1<<taskBits - 1) {
	case taskPost:
		switch {
		case s.messages[about].pair == none:
			s.workDone(about)
		case s.initiators != nil:
			s.submit(about)
		default:
			s.post(about)
		}
	case taskTimeout:
		s.timeout(about)
	case taskSignal:
		s.signal()
	case taskLinkDown:
		s.linkDown(about)
	case taskLinkUp:
		s.linkUp(about)
	case taskRoutes:
		s.reroute()
	case taskExpire:
		s.expire(about)
	case taskRefresh:
		s.refresh(about)
	case taskStorm:
		s.stormBegins(about)
	case taskCalm:
		s.stormEnds(about)
	case taskSlow:
		s.slowBegins(about)
	case taskFast:
		s.slowEnds(about)
	case taskTaken:
		s.taken(about)
	case taskWatch:
		s.lookAt(about)
	case taskConnect:
		s.ask(about)
	case taskGrant:
		s.granted(about)
	case taskAdvance:
		s.advance(about)
	case taskFree:
		s.freed(about)
	case taskShaper:
		s.shapers.ready(s, about)
	case taskCredit:
		s.grantCredit(about)
	case taskFlush:
		s.flushDue(about)
	case taskSample:
		s.sample(about)
	case taskPoll:
		s.pollCounters()
	case taskTCP:
		s.tcpTimer(about)
	}
}
