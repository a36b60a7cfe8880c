package live

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/observe"
)

// Options of a [Watcher] and of [ReadAll].
type Options struct {
	Every  time.Duration // between two readings of a device that is watched
	Memory int           // bytes that all devices take together
	Dial   Dial          // to devices that speak Redis without TLS; nil: the system's
}

// A Watcher asks devices again and again, side by side. Each has its own deadline and its own
// bounds; none can keep another from being asked, and a panic of one is its own error. To those
// that speak gNMI it subscribes as a stream, so that they send what they count without a request.
type Watcher struct {
	ctx      context.Context
	every    time.Duration
	patience time.Duration // how long a device may take to answer
	budget   *budget
	devices  []*device

	// Devices that answered when they were last asked never wait for those that did not.
	trusted, suspect chan struct{}
	// Texts of usual size never wait for large ones. One large text is decoded at a time, and where there are two
	// processors one is left to those who read metrics.
	usual, large chan struct{}
}

// atOnceAsked is how many devices are asked at one time, of those that answered last and of those
// that did not. Each takes a file descriptor.
const atOnceAsked = 1024

// mostEarly is how long before its time a device may be asked, so that few sleeps serve many devices.
const mostEarly = 2 * time.Millisecond

// usualText is the bytes of a text of usual size: a switch of 64 ports has some 300 kB.
const usualText = 1 << 20

// A Reading is what is known of a device.
type Reading struct {
	Device  string
	Address string // without user and password

	Up     bool      // it answered when it was last asked
	Err    error     // why it is not up; nil where it has not been asked to the end yet
	Failed int       // readings that failed
	Read   time.Time // of the last reading that succeeded; zero: none did

	Rows  []observe.Row // of that reading; nil once it is too old
	Found diag.List     // what that reading is warned of
}

// A device is asked by one goroutine at a time.
type device struct {
	address *Address
	stream  *stream // of gNMI, while it lives

	lock   sync.Mutex
	asking bool
	last   Reading
	holds  *account // of the rows of last
}

// Watch makes a watcher. Streams end with the context.
func Watch(ctx context.Context, addresses []*Address, o Options) *Watcher {
	w := &Watcher{ctx: ctx, every: max(o.Every, time.Millisecond), patience: Patience, budget: newBudget(o.Memory)}
	w.trusted, w.suspect = make(chan struct{}, atOnceAsked), make(chan struct{}, atOnceAsked)
	w.usual, w.large = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)), make(chan struct{}, 1)
	for _, a := range addresses {
		a.reach, a.slots = o.Dial, w.usual
		w.devices = append(w.devices, &device{address: a, last: Reading{Device: a.Device, Address: a.String()}})
	}
	return w
}

// Round asks all devices that are not being asked already, and returns what is known of each, in
// the order of the addresses. It waits for answers for half the time between two readings at most:
// an answer that comes later is in the next round.
//
// It begins them one after another, over at most two fifths of the time between two readings: what thousands
// answer at one moment would keep the processors from those who read metrics.
func (w *Watcher) Round(ctx context.Context) []Reading {
	asked := make(chan struct{}, len(w.devices))
	waiting, begin := 0, time.Now()
	apart := min(time.Millisecond, w.every*2/5/time.Duration(max(1, len(w.devices))))
	for i, d := range w.devices {
		if early := apart*time.Duration(i) - time.Since(begin); early > mostEarly {
			time.Sleep(early)
		}
		if ctx.Err() == nil && d.begin() {
			waiting++
			go func() {
				w.ask(d)
				asked <- struct{}{}
			}()
		}
	}
	late := time.NewTimer(w.every/2 - time.Since(begin))
	defer late.Stop()
	for ; waiting > 0; waiting-- {
		select {
		case <-asked:
			continue
		case <-ctx.Done():
		case <-late.C:
		}
		break
	}
	return w.readings()
}

// readings returns the latest reading of each device.
func (w *Watcher) readings() []Reading {
	list := make([]Reading, len(w.devices))
	for i, d := range w.devices {
		list[i] = d.known(2*w.every + w.patience)
	}
	return list
}

// known returns the latest reading of a device; its rows are at most as old as age.
func (d *device) known(age time.Duration) Reading {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.holds != nil && (time.Since(d.last.Read) > age || d.holds.isOver()) {
		d.holds.close()
		d.last.Rows, d.last.Found, d.holds = nil, nil, nil
	}
	return d.last
}

// begin reports whether the device is to be asked now.
func (d *device) begin() bool {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.asking {
		return false
	}
	d.asking = true
	return true
}

// ask asks a device, and keeps what it answered.
func (w *Watcher) ask(d *device) {
	ctx, stop := context.WithCancel(w.ctx)
	defer stop()
	a := w.budget.open(stop)
	rows, found, err := w.read(ctx, d, a)
	if over := a.take(0); over != nil {
		err = over // of which all other errors only follow
	}
	d.keep(rows, found, err, a)
}

// keep keeps an answer. After an error the last rows stay until they are too old.
func (d *device) keep(rows []observe.Row, found diag.List, err error, a *account) {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.asking = false
	d.last.Up, d.last.Err = err == nil, err
	if err != nil {
		d.last.Failed++
		a.close()
		return
	}
	if d.holds != nil {
		d.holds.close()
	}
	d.last.Rows, d.last.Found, d.last.Read, d.holds = rows, found, time.Now(), a
}

// read asks a device and decodes what it answers.
func (w *Watcher) read(ctx context.Context, d *device, a *account) (rows []observe.Row, found diag.List, err error) {
	defer recovered(&err)
	slots := w.suspect
	if d.trusted() {
		slots = w.trusted
	}
	if !take(ctx, slots) {
		return nil, nil, Cause(ctx, errLate)
	}
	asking, stop := context.WithTimeout(ctx, w.patience)
	text, err := w.text(asking, d, a)
	stop()
	<-slots
	if err != nil {
		return nil, nil, err
	}
	decoders := w.large
	if len(text) <= usualText {
		decoders = w.usual
	}
	if !take(ctx, decoders) {
		return nil, nil, Cause(ctx, errLate)
	}
	defer func() { <-decoders }()
	return d.decode(text, a)
}

// trusted reports whether a device has not failed when it was last asked.
func (d *device) trusted() bool {
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.last.Err == nil
}

// take takes a slot; false where the context ended.
func take(ctx context.Context, slots chan struct{}) bool {
	select {
	case slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// text is a device's report, of a stream the last one.
func (w *Watcher) text(ctx context.Context, d *device, a *account) ([]byte, error) {
	if d.address.isRedis() {
		return d.address.once(ctx, a.batched())
	}
	if d.stream == nil {
		d.stream = w.follow(d.address)
	}
	text, err := d.stream.wait(ctx, w.patience+3*w.every)
	if err == nil {
		err = a.take(len(text))
	}
	if err != nil {
		d.stream.end()
		d.stream = nil
	}
	return text, err
}

// decode makes rows of a text.
func (d *device) decode(text []byte, a *account) ([]observe.Row, diag.List, error) {
	document := d.address.reportedNow(text)
	rows, found, err := document.Rows()
	if err != nil {
		return nil, nil, err
	}
	names := map[string]string{} // so that rows do not hold the text that they are from
	for i := range rows {
		name := rows[i].Object.Name
		if _, ok := names[name]; !ok {
			names[name] = strings.Clone(name)
		}
		rows[i].Object.Name, rows[i].At = names[name], diag.Range{}
	}
	rows = append([]observe.Row{}, rows...) // not nil, and no larger than it is
	return rows, found, a.settle(len(rows) * int(unsafe.Sizeof(observe.Row{})))
}
