// Package adversary tries to make a switch lose a lossless packet. It knows the buffer, the cables
// and the permitted behaviour of the peers, and no inequality. It returns a sequence of packets
// that loses one, which anyone can run again, or else how far it searched.
//
// It has the freedom of the senders: which ports send what sizes where, in which order,
// when ways out are blocked and when they open. It obeys what they obey: packets of a
// port follow one another on the wire, and once a priority group has paused its peer, no
// frame begins to come in after the window of the link (see model.Link), nor in a denser
// mix than is assumed. [Replay] checks this again for every packet.
//
// The attacks are those that a buffer gives way to, one per file; all are deterministic,
// and a random one that follows a seed searches between them.
package adversary
