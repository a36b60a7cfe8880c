# Packet trimming: what is left of packets gets through.

formula "trimmed-rate" {
  title = "Rate of what is left of packets that are cut"
  text  = "Of N senders at line rate C to one port of that rate, more than the port passes is cut, each packet of L B to s B, which leave by the same port and take their part of it: X = ((N-1) C + X) (s+20)/(L+20), with preamble and gap, so X = (N-1) C (s+20)/(L-s), but no more than is left where all N C are cut, N C (s+20)/(L+20). Packets that are no longer than s are not cut. Rounded up."
  unit  = "bps"
  inputs = {
    senders = "1..1024 count"
    rate    = "1000000000..1600000000000 bps"
    size    = "64..4096 B: what is left of a packet"
    packet  = "64..16384 B: a full-sized packet of the class"
  }
  expression = packet <= size ? 0 : min(ceildiv((senders - 1) * rate * (size + 20), max(1, packet - size)), ceildiv(senders * rate * (size + 20), packet + 20))
  source {
    document = "Handley et al., Re-architecting datacenter networks and stacks for low latency and high performance, SIGCOMM 2017"
    locator  = "section 3.1: full-sized packets are trimmed where the queue is full, and headers take a part of the link; the balance is arithmetic"
  }
  source {
    document = "SONiC, Packet Trimming HLD; sonic-yang-models sonic-trimming"
    locator  = "size, dscp_value and queue_index of SWITCH_TRIMMING"
  }
  example {
    inputs = { senders = 9, rate = 400000000000, size = 256, packet = 4158 }
    result = 226345463865
    source = "8 x 400 Gb/s x 276 / 3,902: nine senders leave more than half of the port in headers"
  }
  example {
    inputs = { senders = 9, rate = 400000000000, size = 1024, packet = 1086 }
    result = 3398191681736
    source = "9 x 400 Gb/s x 1,044 / 1,106: where nothing but headers passes, all packets are cut, and no more is left than they were"
  }
}

inequality "trimmed-fits" {
  title = "What is left of trimmed packets passes by its queue"
  unit  = "bps"
  inputs = {
    trimmed = "0..1638400000000000 bps"
    served  = "0..1600000000000 bps: cap of a strict queue, share by weight of another"
  }
  left  = trimmed
  right = served
  source {
    document = "Handley et al., Re-architecting datacenter networks and stacks for low latency and high performance, SIGCOMM 2017"
    locator  = "section 3.1: headers are dropped when their queue is full, and the receiver does not hear of the packet"
  }
}
