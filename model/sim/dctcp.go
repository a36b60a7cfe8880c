package sim

import "github.com/roceplan/roceplan/units"

// DCTCP is Alizadeh et al., "Data Center TCP", SIGCOMM 2010, on rates, as the HPCC
// simulator has it (rdma-hw.cc, HandleAckDctcp): once per round trip alpha moves by
// Gain towards the share of marked acknowledgements; the first mark of a round trip
// cuts the rate by alpha/2; a round trip that begins without such a cut in force adds
// Additive.
type DCTCP struct {
	Gain     float64
	Additive units.BitRate
}

type dctcpState struct {
	updateAt int64 // sequence number whose acknowledgement ends the round trip
	alpha    float64
	marked   int64 // acknowledgements in this round trip
	batch    int64 // packets of this round trip
	reduced  bool
	until    int64 // sequence number whose acknowledgement ends the reduction
}

// dctcpControl is DCTCP of a class's queue pairs.
type dctcpControl []dctcpState

func (k dctcpControl) start(_ *engine, i int32, _ *flow) { k[i] = dctcpState{} }

func (k dctcpControl) acknowledged(s *engine, i int32, f *flow, e echo) {
	k[i].acknowledged(s, f, e.seq, e.marked)
}

func (d *dctcpState) acknowledged(s *engine, f *flow, seq int64, marked bool) {
	if marked {
		d.marked++
	}
	roundTrip := seq > d.updateAt
	if roundTrip {
		d.endRoundTrip(s, f, seq)
	}
	if d.reduced && seq > d.until {
		d.reduced = false
	}
	if marked && !d.reduced {
		f.rate = max(uint64(f.law.MinRate), scale(f.rate, 1-d.alpha/2))
		d.reduced, d.until = true, f.next
	}
	if roundTrip && !d.reduced {
		f.rate = min(f.lineRate, f.rate+uint64(f.law.DCTCP.Additive))
	}
}

func (d *dctcpState) endRoundTrip(s *engine, f *flow, acked int64) {
	if d.updateAt == 0 { // the first one: alpha starts at 1
		d.alpha = 1
		d.batch = f.next/s.transport.payload + 1
	} else {
		g := f.law.DCTCP.Gain
		share := min(1, float64(d.marked)/float64(d.batch))
		d.alpha = (1-g)*d.alpha + g*share
		d.marked = 0
		d.batch = (f.next-acked)/s.transport.payload + 1
	}
	d.updateAt = f.next
}
