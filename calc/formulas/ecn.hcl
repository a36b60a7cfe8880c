# Marking: Kmin, Kmax, Pmax and what DCQCN makes of them.

formula "kmin" {
  title = "Kmin: nothing is marked below the expected queueing delay"
  text  = "The queue that a port drains within the expected delay is no congestion. Rounded down, so that Kmin stays below the bandwidth-delay product."
  unit  = "bytes"
  input "rate" {
    unit = "bps"
    text = "port speed"
    min  = 1000000000
    max  = 1600000000000
  }
  input "expected_delay" {
    unit = "ps"
    min  = 1000000
    max  = 1000000000
  }
  input "step" {
    unit = "bytes"
    text = "granularity of the chip's thresholds"
    min  = 1
    max  = 4096
  }
  expression = floorto(floordiv(rate * expected_delay, 8 * 1000000000000), step)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN: Kmin below the expected bandwidth-delay product, Kmax at most the tolerable one"
  }
  example {
    inputs = { rate = 25000000000, expected_delay = 40000000, step = 256 }
    result = 124928
    source = "25 Gb/s x 40 us = 125,000 B; 488 cells of 256 B hold 124,928 B"
  }
}

formula "kmax" {
  title = "Kmax: everything is marked above the tolerable queueing delay"
  text  = "Rounded down, so that Kmax is at most the tolerable bandwidth-delay product."
  unit  = "bytes"
  input "rate" {
    unit = "bps"
    text = "port speed"
    min  = 1000000000
    max  = 1600000000000
  }
  input "tolerable_delay" {
    unit = "ps"
    min  = 1000000
    max  = 1000000000
  }
  input "step" {
    unit = "bytes"
    text = "granularity of the chip's thresholds"
    min  = 1
    max  = 4096
  }
  expression = floorto(floordiv(rate * tolerable_delay, 8 * 1000000000000), step)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN: Kmin below the expected bandwidth-delay product, Kmax at most the tolerable one"
  }
  example {
    inputs = { rate = 25000000000, tolerable_delay = 80000000, step = 256 }
    result = 249856
    source = "25 Gb/s x 80 us = 250,000 B; 976 cells of 256 B hold 249,856 B"
  }
}

formula "packet-rate" {
  title = "Packets per second of full-sized RoCE packets at line rate"
  text  = "A packet of RoCE MTU carries 62 B of headers and FCS (Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4) and takes 20 B of preamble and gap on the wire. Rounded down."
  unit  = "packets per second"
  input "rate" {
    unit = "bps"
    min  = 1000000000
    max  = 1600000000000
  }
  input "roce_mtu" {
    unit = "bytes"
    min  = 256
    max  = 4096
  }
  expression = floordiv(rate, 8 * (roce_mtu + 62 + 20))
  source {
    document = "InfiniBand Architecture Specification 1.2.1, Annex A17 (RoCEv2)"
    locator  = "A17.3, packet format; IEEE 802.3 4.4.2 for preamble and gap"
  }
  example {
    inputs = { rate = 25000000000, roce_mtu = 1024 }
    result = 2825497
    source = "25 Gb/s / (8 x 1106 B)"
  }
}

formula "pmax-bound" {
  title = "Effective bound of Pmax: where the receivers' CNPs saturate"
  text  = "A notification point sends at most one CNP per interval for each flow (or port). Once a packet in every interval is marked, more marking brings no more feedback. It is a soft bound: marks are random, so a share of intervals stays empty at this probability. Rounded up to billionths, at most one."
  unit  = "ppb"
  input "sources" {
    unit = "count"
    text = "flows whose CNPs are limited one by one; 1 where the limit is per port"
    min  = 1
    max  = 4096
  }
  input "interval" {
    unit = "ps"
    text = "least time between two CNPs"
    min  = 1000000
    max  = 1000000000
  }
  input "packet_rate" {
    unit = "packets per second"
    min  = 10000
    max  = 1000000000
  }
  expression = min(1000000000, ceildiv(1000000000 * sources * 1000000000000, interval * packet_rate))
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN experiment: Pmax is effective up to 20000/pps at one CNP per 50 us"
  }
  source {
    document = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015"
    locator  = "section 3.2: the NP sends one CNP per N = 50 us and flow"
  }
  example {
    inputs = { sources = 1, interval = 50000000, packet_rate = 2227007 }
    result = 8980664
    source = "UCloud: 20000 / 2,227,007 = 0.898 %"
  }
}

formula "dcqcn-fixed-point" {
  title = "DCQCN's marking probability in the steady state"
  text  = "Approximation for N flows that share a port; it overestimates the exact fixed point by 20-40 % for few flows, which is the safe side for Pmax. Rates are in packets. Rounded down to billionths, at most one."
  unit  = "ppb"
  input "flows" {
    unit = "count"
    min  = 1
    max  = 4096
  }
  input "packet_rate" {
    unit = "packets per second"
    text = "line rate in full-sized packets"
    min  = 100000
    max  = 1000000000
  }
  input "rate_ai" {
    unit = "packets per second"
    text = "additive increase R_AI"
    min  = 1
    max  = 100000
  }
  input "interval" {
    unit = "ps"
    text = "CNP interval"
    min  = 1000000
    max  = 100000000
  }
  input "timer" {
    unit = "ps"
    text = "rate increase timer T"
    min  = 10000000
    max  = 2000000000
  }
  input "byte_counter" {
    unit = "packets"
    text = "byte counter B in packets"
    min  = 10
    max  = 100000
  }
  # p^3 = R_AI N^2 / (tau C^2) * (1/B + N/(T C))^2, with tau and T in seconds:
  # N/(T C) = N 10^12 / (timer packet_rate), and the bracket is (timer C + N B 10^12) / (B timer C).
  expression = min(1000000000, cuberoot(floordiv(
    rate_ai * flows * flows * 1000000000000
    * (timer * packet_rate + flows * byte_counter * 1000000000000) * (timer * packet_rate + flows * byte_counter * 1000000000000)
    * 1000000000 * 1000000000 * 1000000000,
    interval * packet_rate * packet_rate
    * (byte_counter * timer * packet_rate) * (byte_counter * timer * packet_rate)
  )))
  source {
    document = "Zhu, Ghobadi, Misra, Padhye, ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016"
    locator  = "section 3.1, the approximate fixed point p*"
  }
  example {
    inputs = { flows = 1, packet_rate = 2825497, rate_ai = 4520, interval = 50000000, timer = 55000000, byte_counter = 9041 }
    result = 785758
    source = "worked by hand with the DCQCN paper's parameters at 25G: cube root of 4.855e-10 = 0.0786 %, floor at 785,758 ppb"
  }
}

formula "pmax" {
  title = "Pmax: the steady state lies in the lower half of the curve"
  text  = "The smallest step of the targets (whole per cents) that is at least twice DCQCN's fixed point p*: the queue then settles at Kmin + p*/Pmax (Kmax - Kmin), below the middle, and has as much room again for bursts."
  unit  = "ppb"
  input "fixed_point" {
    unit = "ppb"
    min  = 0
    max  = 1000000000
  }
  expression = min(1000000000, max(10000000, ceilto(2 * fixed_point, 10000000)))
  source {
    document = "Zhu, Ghobadi, Misra, Padhye, ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016"
    locator  = "section 3.1: q* = Kmin + p*/Pmax (Kmax - Kmin); the factor of two is roceplan's, and SONiC's YANG (sonic-wred-profile) and EOS hold whole per cents"
  }
  example {
    inputs = { fixed_point = 785758 }
    result = 10000000
    source = "UCloud's experiment runs with Pmax 1 %"
  }
}

formula "pmax-useful" {
  title = "Largest useful Pmax"
  text  = "The effective bound, in whole per cents rounded up."
  unit  = "ppb"
  input "bound" {
    unit = "ppb"
    min  = 0
    max  = 1000000000
  }
  expression = ceilto(bound, 10000000)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN experiment: Pmax is effective up to 20000/pps at one CNP per 50 us"
  }
  example {
    inputs = { bound = 8980664 }
    result = 10000000
    source = "0.898 % is within 1 %, the Pmax of UCloud's experiment"
  }
}

inequality "pmax-bounded" {
  title = "Pmax lies where more marks still bring more CNPs"
  unit  = "ppb"
  input "pmax" {
    unit = "ppb"
    min  = 0
    max  = 1000000000
  }
  input "useful" {
    unit = "ppb"
    min  = 0
    max  = 1000000000
  }
  left  = pmax
  right = useful
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN experiment"
  }
}

inequality "fixed-point-below-pmax" {
  title = "DCQCN settles below Kmax"
  text  = "With the fixed point above Pmax the queue grows to Kmax and every packet is marked."
  unit  = "ppb"
  input "fixed_point" {
    unit = "ppb"
    min  = 0
    max  = 1000000000
  }
  input "pmax" {
    unit = "ppb"
    min  = 0
    max  = 1000000000
  }
  left  = fixed_point
  right = pmax
  source {
    document = "Zhu et al., ECN or Delay, CoNEXT 2016"
    locator  = "section 3.1: q* = Kmin + p*/Pmax (Kmax - Kmin)"
  }
}

inequality "kmin-below-kmax" {
  title = "Kmin is at most Kmax"
  unit  = "bytes"
  input "kmin" {
    unit = "bytes"
    min  = 0
    max  = 1000000000
  }
  input "kmax" {
    unit = "bytes"
    min  = 0
    max  = 1000000000
  }
  left  = kmin
  right = kmax
  source {
    document = "Floyd, Jacobson, Random Early Detection Gateways, IEEE/ACM ToN 1993"
    locator  = "section 3: min_th and max_th"
  }
}

inequality "kmin-expected" {
  title = "Kmin is at most the expected bandwidth-delay product"
  unit  = "bytes"
  input "kmin" {
    unit = "bytes"
    min  = 0
    max  = 1000000000
  }
  input "rate" {
    unit = "bps"
    min  = 1000000000
    max  = 1600000000000
  }
  input "delay" {
    unit = "ps"
    min  = 1000000
    max  = 1000000000
  }
  left  = kmin
  right = floordiv(rate * delay, 8 * 1000000000000)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN"
  }
}

inequality "kmax-tolerable" {
  title = "Kmax is at most the tolerable bandwidth-delay product"
  unit  = "bytes"
  input "kmax" {
    unit = "bytes"
    min  = 0
    max  = 1000000000
  }
  input "rate" {
    unit = "bps"
    min  = 1000000000
    max  = 1600000000000
  }
  input "delay" {
    unit = "ps"
    min  = 1000000
    max  = 1000000000
  }
  left  = kmax
  right = floordiv(rate * delay, 8 * 1000000000000)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN"
  }
}

inequality "ecn-before-pfc" {
  title = "A queue reaches Kmax before PFC stops its senders"
  text  = "N senders fill M queues of a port each with equal parts. When the first PG reaches its threshold, each PG holds alpha*B/(1+alpha*N) and each queue N/M of that; Kmax has to lie below. B is the shared buffer left when lossy traffic holds all it may. Written with alpha = numerator/denominator and without division; both sides are in bytes times the denominators."
  unit  = "bytes"
  input "kmax" {
    unit = "bytes"
    min  = 0
    max  = 1000000000
  }
  input "from" {
    unit = "count"
    text = "N, senders"
    min  = 1
    max  = 512
  }
  input "to" {
    unit = "count"
    text = "M, queues"
    min  = 1
    max  = 512
  }
  input "alpha_num" {
    unit = "count"
    min  = 1
    max  = 128
  }
  input "alpha_den" {
    unit = "count"
    min  = 1
    max  = 128
  }
  input "shared" {
    unit = "bytes"
    text = "B, shared buffer of one slice"
    min  = 0
    max  = 10000000000
  }
  left  = kmax
  right = floordiv(from * alpha_num * shared, to * (alpha_den + alpha_num * from))
  source {
    document = "Zhu et al., DCQCN, SIGCOMM 2015"
    locator  = "section 4: t_ECN < beta (B - 8 n t_flight) / (8 n (beta + 1)); here for N senders and M queues"
  }
  source {
    document = "Choudhury, Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 1998"
    locator  = "section III: T = alpha B / (1 + alpha N)"
  }
}
