package sim

import "github.com/roceplan/roceplan/units"

// Wire sets the sizes of frames. The zero value is the HPCC simulator's, which knows neither FCS
// nor preamble and gap; [Ethernet] has those of real links.
type Wire struct {
	Data units.Bytes // headers and FCS of a data packet, without telemetry; 0: 48 B
	Ack  units.Bytes // an acknowledgement, without telemetry; 0: 60 B
	CNP  units.Bytes // a congestion notification packet; 0: as an acknowledgement
	PFC  units.Bytes // a PFC frame; 0: 43 B: 14 B Ethernet, 20 B IP, 9 B payload
	Gap  units.Bytes // preamble, delimiter and gap around each frame, which no buffer holds
}

// Ethernet has RoCEv2 in frames as they are: Ethernet 14 B, IPv4 20 B, UDP 8 B, BTH 12 B,
// ICRC 4 B, FCS 4 B, 4 B of AETH in an acknowledgement, 16 reserved ones in a CNP (InfiniBand Architecture
// Specification 1.4 Volume 1, 9.2, 9.5 and annex A17); PFC in the smallest frame (IEEE 802.3
// 31B.2); 7 B preamble, 1 B delimiter, 12 B gap (IEEE 802.3 4.4.2).
func Ethernet() Wire { return Wire{Data: 62, Ack: 66, CNP: 78, PFC: 64, Gap: 20} }

// Sizes in the HPCC simulator: 14 B Ethernet, 20 B IP, then UDP and a sequence header, or the
// acknowledgement's own. Telemetry comes on top, in an acknowledgement too if it needs more
// than the smallest frame has.
const (
	dataHeaderBytes = 14 + 20 + 8 + 6
	ackHeaderBytes  = 14 + 20 + 12
	minAckBytes     = 60
	timestampBytes  = 8
	pfcBytes        = 43
)

// wire is [Wire] in the form that the packets' handling reads, with telemetry.
type wire struct {
	dataHeader int32
	ackSize    int32
	cnpSize    uint16
	pfcSize    uint16
}

func newWire(w *Wire, telemetry int32) wire {
	own := wire{
		dataHeader: dataHeaderBytes + telemetry,
		ackSize:    max(minAckBytes, ackHeaderBytes+telemetry),
		pfcSize:    pfcBytes,
	}
	if w.Data > 0 {
		own.dataHeader = int32(w.Data) + telemetry
	}
	if w.Ack > 0 {
		own.ackSize = int32(w.Ack) + telemetry
	}
	own.cnpSize = uint16(max(minAckBytes, w.Ack))
	if w.CNP > 0 {
		own.cnpSize = uint16(w.CNP)
	}
	if w.PFC > 0 {
		own.pfcSize = uint16(w.PFC)
	}
	return own
}

// Taken returns the overhead of a data packet on the wire, and the size of an acknowledgement, without
// telemetry.
func (w *Wire) Taken() (data, ack units.Bytes) {
	own := newWire(w, 0)
	return units.Bytes(own.dataHeader) + w.Gap, units.Bytes(own.ackSize) + w.Gap
}

// telemetryBytes returns the bytes that the congestion controls add to each packet, at most.
func (sc *Scenario) telemetryBytes() (most int32) {
	for _, l := range newLaws(sc) {
		most = max(most, l.Algorithm.telemetryBytes())
	}
	return most
}

// telemetryBytes returns the bytes that a congestion control adds to each packet.
func (a Algorithm) telemetryBytes() int32 {
	switch a {
	case UseHPCC:
		return intBytes
	case UseTIMELY, UseSwift:
		return timestampBytes
	}
	return 0
}
