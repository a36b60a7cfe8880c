# Latency goals of a path, and what they leave for its queues.

formula "path-base" {
  title = "Latency of the longest path on which no packet waits"
  text  = "One way. Hosts hand over, the cables of two servers and those between switches carry, each switch stores the frame and takes its own time. All at their largest."
  unit  = "ps"
  inputs = {
    send    = "0..1000000000 ps: send_latency of the NIC"
    receive = "0..1000000000 ps: receive_latency of the NIC"
    server  = "0..10000000000 ps: longest cable of a server"
    between = "0..10000000000 ps: longest cable between switches"
    chip    = "0..10000000 ps: through a switch"
    frame   = "0..100000000 ps: largest lossless frame on the slowest port"
    hops    = "1..15 count: switches on the path"
  }
  expression = send + receive + 2 * server + (hops - 1) * between + hops * chip + (hops + 1) * frame
  source {
    document = "UCloud, RoCE network design"
    locator  = "Goals: latency is end to end"
  }
  example {
    inputs = { send = 790000, receive = 790000, server = 75000, between = 500000, chip = 600000, frame = 480000, hops = 3 }
    result = 6450000
    source = "2 x 0.79 us, 2 x 15 m and 2 x 100 m at 5 ns/m, three switches of 0.6 us, four times 1,500 B at 25 Gb/s: 1.58 + 0.15 + 1 + 1.8 + 1.92 us"
  }
}

formula "queue-budget" {
  title = "What each queue of a path may take of a latency goal"
  text  = "Goals are end to end, and packets may wait at each switch of the path: the goal less the latency without queues, in equal parts. Rounded down."
  unit  = "ps"
  inputs = {
    goal = "0..1000000000 ps: usual_latency or max_latency"
    base = "0..1000000000 ps: latency of the path without queues"
    hops = "1..15 count: queues on the path"
  }
  expression = floordiv(max(0, goal - base), hops)
  source {
    document = "UCloud, RoCE network design"
    locator  = "Goals: 40 us for nine in ten and 80 us always, end to end, over up to three congested hops between two ToRs"
  }
  example {
    inputs = { goal = 40000000, base = 6450000, hops = 3 }
    result = 11183333
    source = "(40 - 6.45) us / 3"
  }
}

formula "roce-packet" {
  title = "A full RoCE packet in a queue"
  text  = "A RoCE MTU with Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4."
  unit  = "bytes"
  inputs = {
    roce_mtu = "256..4096 bytes"
  }
  expression = roce_mtu + 62
  source {
    document = "InfiniBand Architecture Specification 1.2.1, Annex A17 (RoCEv2)"
    locator  = "A17.3, packet format"
  }
  example {
    inputs = { roce_mtu = 1024 }
    result = 1086
    source = "1,024 + 62"
  }
}

# Marking: Kmin, Kmax, Pmax and what DCQCN makes of them.

formula "kmin" {
  title = "Kmin: where marking begins"
  text  = "What one flow sends in the time that a queue may stay unmarked, three full packets at least: with less, flows that are marked leave the port idle by up to 15 % of its time in the steady state. In whole steps of the chip. No more than the port drains in the usual delay of a queue, where the fabric states one, or in half of its greatest."
  unit  = "bytes"
  inputs = {
    packet   = "64..16384 bytes: full RoCE packet"
    rate     = "1000000000..1600000000000 bps: port speed"
    flow     = "1000000000..1600000000000 bps: fastest that one flow can be: as the port, or as the fastest host"
    unmarked = "0..24000000000 ps: time that a queue may stay unmarked"
    delay    = "0..10000000000 ps: usual delay of a queue"
    parts    = "1..2 count: lengths of a queue that are each checked against the threshold"
    step     = "1..4096 bytes: granularity of the chip's thresholds"
  }
  expression = min(max(ceilto(3 * packet, step), floorto(floordiv(flow * unmarked, 8 * 1000000000000), step)), floorto(floordiv(floordiv(rate * delay, 8 * 1000000000000), parts), step))
  source {
    document = "roceplan, docs/marking-study.md"
    locator  = "Kmin"
  }
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN: Kmin below the expected bandwidth-delay product"
  }
  example {
    inputs = { packet = 1086, rate = 25000000000, flow = 25000000000, unmarked = 0, delay = 11183333, parts = 1, step = 256 }
    result = 3328
    source = "3 x 1,086 B = 3,258 B are 13 cells of 256 B; the port drains 34,947 B in 11.18 us"
  }
  example {
    inputs = { packet = 4158, rate = 400000000000, flow = 100000000000, unmarked = 4000000, delay = 1000000000, parts = 1, step = 254 }
    result = 49784
    source = "a host of 100 Gb/s behind a port of 400 Gb/s: 100 Gb/s x 4 us = 50,000 B; 196 cells of 254 B hold 49,784 B of it; three packets are 12,474 B"
  }
}

formula "unmarked-time" {
  title = "How long a queue may be before marks begin, by the purpose of the fabric"
  text  = "A flow can be slowed once in each interval between CNPs, so what two that meet add meanwhile is no reason for a mark: two intervals. A fabric for requests marks without such patience, and so does a mixed one whose NICs take more than 750 us to recover from a mark, since it marks rarely (document transfer-time). One for training has the patience of eight intervals, since a mark costs long transfers more than a queue does. 125 us at most, and halved while no alpha lets marks act before a pause."
  unit  = "ps"
  inputs = {
    interval  = "0..131071000000 ps: least time between two CNPs"
    intervals = "0..8 count: 0 for requests, and for mixed with NICs that recover slowly; 2 for mixed, 8 for training"
    cut       = "1..128 count: what curves are divided by, so that marks act before a pause"
  }
  expression = floordiv(min(125000000, interval * intervals), cut)
  source {
    document = "roceplan, docs/marking-study.md"
    locator  = "Purposes"
  }
  example {
    inputs = { interval = 4000000, intervals = 2, cut = 2 }
    result = 4000000
    source = "2 x 4 us / 2"
  }
}

formula "dcqcn-recovery" {
  title = "How long a flow takes to recover from a mark"
  text  = "Each increase returns half of what is missing to the target, so four of them leave a thirty-second of a cut by half. Where the target falls with each cut, half of the flow's rate has to be regained by hyper increases as well."
  unit  = "ps"
  inputs = {
    timer    = "1000000..131071000000 ps: rpg_time_reset"
    clamp    = "0..1 count: clamp_tgt_rate"
    rate     = "1000000000..1600000000000 bps: fastest that one flow can be"
    rate_hai = "1000000..1600000000000 bps: rpg_hai_rate"
  }
  expression = min(100000000000000, timer * (4 + clamp * ceildiv(rate, 2 * rate_hai)))
  source {
    document = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015"
    locator  = "section 3.1: R_C becomes (R_T + R_C)/2; R_T becomes R_C at a cut; hyper increase"
  }
  example {
    inputs = { timer = 300000000, clamp = 0, rate = 100000000000, rate_hai = 50000000 }
    result = 1200000000
    source = "a ConnectX-7 from the factory: 4 x 300 us"
  }
  example {
    inputs = { timer = 55000000, clamp = 1, rate = 100000000000, rate_hai = 400000000 }
    result = 7095000000
    source = "the paper's constants at 100 Gb/s: 55 us x (4 + 50,000 / 400)"
  }
}

formula "half-delay" {
  title = "What a queue may take at Kmin where only the greatest latency is stated"
  text  = "Half of what it may take at Kmax, so that a curve is left between them."
  unit  = "ps"
  inputs = {
    delay = "0..100000000000000 ps: greatest delay of a queue"
  }
  expression = floordiv(delay, 2)
  source {
    document = "roceplan"
    locator  = "a step would make marks depend on one packet: docs/marking-study.md"
  }
  example {
    inputs = { delay = 25284000 }
    result = 12642000
    source = "25.284 us / 2"
  }
}

formula "curve-width" {
  title = "What a flow sends between Kmin and Kmax, by the purpose of the fabric"
  text  = "A mark costs a flow the bandwidth of its recovery, and saves those behind it the delay of the queue: the curve is as wide as a share of the recovery time. An eighth for requests, a half for mixed, four thirds for training. 375 us at most, since beyond that short messages wait longer and collectives end no sooner, and halved while no alpha lets marks act before a pause."
  unit  = "ps"
  inputs = {
    recovery = "0..100000000000000 ps: recovery of a flow from a mark"
    num      = "1..4 count"
    den      = "1..8 count"
    cut      = "1..128 count: what curves are divided by, so that marks act before a pause"
  }
  expression = floordiv(min(375000000, floordiv(recovery * num, den)), cut)
  source {
    document = "roceplan, docs/marking-study.md"
    locator  = "Purposes"
  }
  example {
    inputs = { recovery = 48000000, num = 1, den = 2, cut = 1 }
    result = 24000000
    source = "48 us / 2"
  }
}

formula "transfer-time" {
  title = "How long a queue may be before marks begin, and how wide the curve is, in transfers of 1 MB"
  text  = "A read or write of 1 MB that is marked loses more than it waits for others. So in a fabric for storage three of them may meet before marks begin, and nine more before all that Pmax allows is marked, whatever the NIC and its speed. Where a NIC takes more than 750 us to recover from a mark, this holds for all purposes but requests: Kmax is where 24 transfers meet. Halved while no alpha lets marks act before a pause."
  unit  = "ps"
  inputs = {
    transfers = "1..24 count: of 1 MB: 3 before marks begin, 9 between Kmin and Kmax; 24 in all where NICs recover slowly"
    flow      = "1000000000..1600000000000 bps: fastest that one flow can be"
    cut       = "1..128 count: what curves are divided by, so that marks act before a pause"
  }
  expression = floordiv(floordiv(transfers * 8000000 * 1000000000000, flow), cut)
  source {
    document = "roceplan, docs/marking-study.md"
    locator  = "Storage"
  }
  example {
    inputs = { transfers = 3, flow = 100000000000, cut = 2 }
    result = 120000000
    source = "24 Mbit at 100 Gb/s are 240 us; half of that"
  }
}

formula "curve-end" {
  title = "Kmax of a derived curve"
  text  = "Above Kmin by what one flow sends in the width of the curve, and no more than the port drains in the delay that a queue may take, where the fabric states a latency goal. Rounded down to steps of the chip; a chip that keeps two lengths of a queue marks by the longer of them, so that each may be half as long."
  unit  = "bytes"
  inputs = {
    kmin  = "0..200000000 bytes"
    rate  = "1000000000..1600000000000 bps: port speed"
    flow  = "1000000000..1600000000000 bps: fastest that one flow can be: as the port, or as the fastest host"
    width = "0..200000000000 ps: width of the curve"
    delay = "0..10000000000 ps: delay that a queue may take"
    parts = "1..2 count: lengths of a queue that are each checked against the threshold"
    step  = "1..4096 bytes: granularity of the chip's thresholds"
  }
  expression = max(kmin, min(kmin + floorto(floordiv(flow * width, 8 * 1000000000000), step), floorto(floordiv(floordiv(rate * delay, 8 * 1000000000000), parts), step)))
  source {
    document = "roceplan, docs/marking-study.md"
    locator  = "Purposes"
  }
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN: Kmax at most the tolerable bandwidth-delay product"
  }
  example {
    inputs = { kmin = 49784, rate = 100000000000, flow = 100000000000, width = 12000000, delay = 1000000000, parts = 1, step = 254 }
    result = 199644
    source = "100 Gb/s x 12 us = 150,000 B are 590 cells of 254 B, 149,860 B, above 49,784 B"
  }
}

formula "kmax" {
  title = "Kmax: everything is marked above the delay that a queue may take"
  text  = "Rounded down to steps of the chip. A chip that keeps the length of a queue in each of two parts of its buffer marks by the longer of them: the queue may be twice as long."
  unit  = "bytes"
  inputs = {
    rate  = "1000000000..1600000000000 bps: port speed"
    delay = "0..1000000000 ps"
    parts = "1..2 count: lengths of a queue that are each checked against the threshold"
    step  = "1..4096 bytes: granularity of the chip's thresholds"
  }
  expression = floorto(floordiv(floordiv(rate * delay, 8 * 1000000000000), parts), step)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN: Kmax at most the tolerable bandwidth-delay product"
  }
  source {
    document = "OpenBCM 6d2330ce1, sdk-6.5.27"
    locator  = "Tomahawk: WRED state of each XPE, chip datum marking.state"
  }
  example {
    inputs = { rate = 25000000000, delay = 11183333, parts = 1, step = 256 }
    result = 34816
    source = "25 Gb/s x 11.183333 us = 34,947 B; 136 cells of 256 B hold 34,816 B"
  }
}

formula "settled-queue" {
  title = "Where the queue stands in the steady state"
  text  = "q = Kmin + p/Pmax (Kmax - Kmin), and Kmax where DCQCN settles above Pmax. Rounded up."
  unit  = "bytes"
  inputs = {
    kmin        = "0..1000000000 bytes"
    kmax        = "0..1000000000 bytes"
    fixed_point = "0..1000000000 ppb"
    pmax        = "0..1000000000 ppb"
  }
  expression = kmin + ceildiv((kmax - kmin) * min(fixed_point, pmax), max(1, pmax))
  source {
    document = "Zhu et al., ECN or Delay, CoNEXT 2016"
    locator  = "section 3.1: q* = Kmin + p*/Pmax (Kmax - Kmin)"
  }
  example {
    inputs = { kmin = 3328, kmax = 34816, fixed_point = 50000000, pmax = 100000000 }
    result = 19072
    source = "half-way between 3,328 and 34,816"
  }
}

formula "halving-time" {
  title = "How long a flow takes to halve its rate if all its packets are marked"
  text  = "A CNP comes after each gap. Between two of them alpha keeps (g/1024)^n in n of its intervals, at least one, and gains (1024-g)/1024: it settles at (1024-g)/1024 / (1-(g/1024)^n). A cut takes alpha 1024/2^gd of the rate, and ln 2 of them halve it. Rounded up."
  unit  = "ps"
  inputs = {
    gap            = "1000000..1000000000 ps: least time between two cuts of a flow"
    alpha_interval = "1000000..131071000000 ps: dce_tcp_rtt"
    g              = "1..1023 count: dce_tcp_g"
    gd             = "10..15 count: rpg_gd"
  }
  expression = ceildiv(
    gap * 693147181 * (gd == 10 ? 1024 : gd == 11 ? 2048 : gd == 12 ? 4096 : gd == 13 ? 8192 : gd == 14 ? 16384 : 32768)
    * (1000000000000000000 - kept(max(1, floordiv(gap, alpha_interval)), g)),
    1000000000 * (1024 - g) * 1000000000000000000
  )
  source {
    document = "NVIDIA, DOCA SDK documentation, DCQCN CC Parameters"
    locator  = "dce_tcp_g, dce_tcp_rtt, rpg_gd"
  }
  example {
    inputs = { gap = 1000000, alpha_interval = 1000000, g = 1019, gd = 11 }
    result = 1386295
    source = "a CNP in each interval holds alpha at one; cuts of a half, 2 ln 2 of them in 1 us each: 1.386294 us, rounded up to 693147181 parts"
  }
}

formula "packet-rate" {
  title = "Packets per second of full-sized RoCE packets at line rate"
  text  = "A packet of RoCE MTU carries 62 B of headers and FCS (Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4) and takes 20 B of preamble and gap on the wire. Rounded down."
  unit  = "packets per second"
  inputs = {
    rate     = "1000000000..1600000000000 bps"
    roce_mtu = "256..4096 bytes"
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
  inputs = {
    sources     = "1..4096 count: flows whose CNPs are limited one by one; 1 where the limit is per port"
    interval    = "1000000..1000000000 ps: least time between two CNPs"
    packet_rate = "10000..1000000000 packets per second"
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

formula "flows" {
  title = "Flows that may share a port"
  text  = "The senders that the buffers are checked against, each with its queue pairs: marking and buffers use one number. At most 65,536."
  unit  = "count"
  inputs = {
    senders     = "1..65536 count: fan-in of the port"
    queue_pairs = "1..65536 count: of each sender"
  }
  expression = min(65536, senders * queue_pairs)
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: N = 39 for a ToR, 39-to-1"
  }
  example {
    inputs = { senders = 39, queue_pairs = 4 }
    result = 156
    source = "39 x 4"
  }
}

formula "cnp-gap" {
  title = "Least time between two CNPs of a flow, where the NIC limits its port"
  text  = "The flows of the port take turns."
  unit  = "ps"
  inputs = {
    interval = "1000000..1000000000 ps: least time between two CNPs of the port"
    flows    = "1..65536 count: flows that share the port"
  }
  expression = interval * flows
  source {
    document = "Gao et al., DCQCN+: Taming Large-scale Incast Congestion in RDMA over Ethernet Networks, ICNP 2018"
    locator  = "section II: a notification point that sends a CNP every N us serves each of n flows every n N us"
  }
  example {
    inputs = { interval = 4000000, flows = 39 }
    result = 156000000
    source = "39 x 4 us = 156 us"
  }
}

formula "dcqcn-alpha-interval" {
  title = "After which DCQCN renews alpha, by the NIC's CNPs"
  text  = "Alpha must not fade while CNPs come as fast as the NIC sends them, so its timer is longer than their interval: by a tenth, as the paper's is (K = 55 us with CNPs each 50 us). In whole microseconds, as registers count, rounded up. Where the NIC sends CNPs for its whole port, a flow gets them more slowly, and alpha fades all the same: finding cnps-of-port."
  unit  = "ps"
  inputs = {
    interval = "1000000..119155454545 ps: least time between two CNPs"
  }
  expression = ceilto(ceildiv(11 * interval, 10), 1000000)
  source {
    document = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015"
    locator  = "section 3.1: K must be larger than the CNP generation timer; section 5.2 and table 14: 55 us and 50 us"
  }
  example {
    inputs = { interval = 4000000 }
    result = 5000000
    source = "4 us x 1.1 = 4.4 us, rounded up"
  }
  example {
    inputs = { interval = 50000000 }
    result = 55000000
    source = "the paper's"
  }
}

formula "dcqcn-time-reset" {
  title = "Between two increases of DCQCN's timer"
  text  = "As long as a mark takes to be felt: the packet that carries it is one way through the fabric, and the NIC sends the next CNP after its interval. Sooner, a flow would rise again before it can know whether the last increase was too much; later, it would leave bandwidth unused without a reason. In whole microseconds, as registers count, rounded up."
  unit  = "ps"
  inputs = {
    base     = "0..10000000000 ps: latency of the longest path on which no packet waits"
    interval = "1000000..131071000000 ps: least time between two CNPs"
  }
  expression = ceilto(base + interval, 1000000)
  source {
    document = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015"
    locator  = "section 5.2: the timer must not be faster than CNPs are, or flows rise before they hear of congestion"
  }
  source {
    document = "roceplan, docs/marking-study.md"
    locator  = "The timer"
  }
  example {
    inputs = { base = 6700000, interval = 4000000 }
    result = 11000000
    source = "6.7 us + 4 us, rounded up"
  }
}

formula "dcqcn-ai-rate" {
  title = "DCQCN's additive increase, by the speed of the port"
  text  = "A hundredth of the port, however many flows may share it: those that are marked do not rise, since a target rises after five increases without a cut only. A smaller increase for more flows was tried, and everything ends later with it. In whole Mb/s, as registers count, rounded down, one at least."
  unit  = "bps"
  inputs = {
    rate = "1000000000..1600000000000 bps: speed of the slowest port of these NICs"
  }
  expression = max(1000000, floorto(floordiv(rate, 100), 1000000))
  source {
    document = "roceplan, docs/marking-study.md"
    locator  = "The increase"
  }
  source {
    document = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015"
    locator  = "section 5.2: a larger R_AI recovers faster and makes queues of many flows longer"
  }
  example {
    inputs = { rate = 100000000000 }
    result = 1000000000
    source = "100 Gb/s / 100"
  }
  example {
    inputs = { rate = 25000000000 }
    result = 250000000
    source = "25 Gb/s / 100"
  }
}

formula "dcqcn-hai-rate" {
  title = "DCQCN's hyper increase"
  text  = "Ten times the additive one, as IEEE 802.1Qau and NVIDIA's cards have it; the paper gives none."
  unit  = "bps"
  inputs = {
    rate_ai = "1000000..1600000000000 bps: rpg_ai_rate"
  }
  expression = 10 * rate_ai
  source {
    document = "NVIDIA, DOCA SDK documentation, DCQCN CC Parameters"
    locator  = "rpg_ai_rate 5 Mb/s, rpg_hai_rate 50 Mb/s"
  }
  source {
    document = "IEEE 802.1Qau-2010"
    locator  = "IEEE8021-CN-MIB: ieee8021CnRpgAiRate 5 Mb/s and ieee8021CnRpgHaiRate 50 Mb/s by default"
  }
  example {
    inputs = { rate_ai = 100000000 }
    result = 1000000000
    source = "10 x 100 Mb/s"
  }
}

formula "dcqcn-step" {
  title = "Mean time between two increases of a flow that nobody marks"
  text  = "Timer and byte counter increase the rate independently of each other. Both count from the last decrease. A flow has its part of the port. Rounded up."
  unit  = "ps"
  inputs = {
    flows        = "1..65536 count: flows that share the port"
    rate         = "1000000000..1600000000000 bps: port speed"
    timer        = "1000000..131071000000 ps: rpg_time_reset"
    byte_counter = "0..2000000000 bytes: rpg_byte_reset; 0: none"
    threshold    = "1..31 count: rpg_threshold"
  }
  expression = byte_counter == 0 ? timer : ceildiv(timer * min(100000000000000000, ceildiv(8 * byte_counter * flows * 1000000000000, rate)), timer + min(100000000000000000, ceildiv(8 * byte_counter * flows * 1000000000000, rate)))
  source {
    document = "NVIDIA, DOCA SDK documentation, DCQCN CC Parameters"
    locator  = "rpg_time_reset, rpg_byte_reset"
  }
  example {
    inputs = { flows = 8, rate = 25000000000, timer = 300000000, byte_counter = 32767, threshold = 1 }
    result = 65553885
    source = "the counter takes 32,767 B x 8 / 3.125 Gb/s = 83.88352 us; 300 x 83.88352 / 383.88352 us = 65.553885 us"
  }
}

formula "dcqcn-additive-at" {
  title = "When the first additive increase comes after a decrease"
  text  = "The first increases go to where the rate was, as many as rpg_threshold says; the target rises from the next on, whichever of timer and counter is first to reach that."
  unit  = "ps"
  inputs = {
    flows        = "1..65536 count: flows that share the port"
    rate         = "1000000000..1600000000000 bps: port speed"
    timer        = "1000000..131071000000 ps: rpg_time_reset"
    byte_counter = "0..2000000000 bytes: rpg_byte_reset; 0: none"
    threshold    = "1..31 count: rpg_threshold"
  }
  expression = (threshold + 1) * (byte_counter == 0 ? timer : min(timer, min(100000000000000000, ceildiv(8 * byte_counter * flows * 1000000000000, rate))))
  source {
    document = "NVIDIA, DOCA SDK documentation, DCQCN CC Parameters"
    locator  = "rpg_threshold"
  }
  example {
    inputs = { flows = 8, rate = 25000000000, timer = 300000000, byte_counter = 2097088, threshold = 1 }
    result = 600000000
    source = "the counter would take 5.4 ms; two times 300 us"
  }
}

formula "dcqcn-hyper-at" {
  title = "When the first hyper increase comes after a decrease"
  text  = "Timer and counter must both be beyond rpg_threshold; the next increase of either is a hyper one."
  unit  = "ps"
  inputs = {
    flows        = "1..65536 count: flows that share the port"
    rate         = "1000000000..1600000000000 bps: port speed"
    timer        = "1000000..131071000000 ps: rpg_time_reset"
    byte_counter = "0..2000000000 bytes: rpg_byte_reset; 0: none"
    threshold    = "1..31 count: rpg_threshold"
  }
  expression = byte_counter == 0 ? (threshold + 2) * timer : (threshold + 1) * max(timer, min(100000000000000000, ceildiv(8 * byte_counter * flows * 1000000000000, rate))) + ceildiv(timer * min(100000000000000000, ceildiv(8 * byte_counter * flows * 1000000000000, rate)), timer + min(100000000000000000, ceildiv(8 * byte_counter * flows * 1000000000000, rate)))
  source {
    document = "NVIDIA, DOCA SDK documentation, DCQCN CC Parameters"
    locator  = "rpg_threshold, rpg_hai_rate"
  }
  example {
    inputs = { flows = 8, rate = 25000000000, timer = 300000000, byte_counter = 0, threshold = 1 }
    result = 900000000
    source = "three times 300 us"
  }
}

formula "dcqcn-fixed-point" {
  title = "DCQCN's marking probability in the steady state, with the constants of the NIC"
  text  = "N flows share the port evenly, and each packet is marked with probability p. A decrease comes a gap and an exponential time after the last one, and takes what alpha has grown to; half of it, then a half of the rest, comes back with each increase until the next decrease (the target stays where the first decrease since the last increase found the rate, unless clamp_tgt_rate is set), and additive and hyper increases add to it. In the balance both sides are multiplied by (1-v)(2-v), v the share of flows without a mark in a step: loss = rate/N (1024-g)/2^gd / (1-d) (1-v) (2-v-first), gain = AI S(additive_at) + (HAI-AI) S(hyper_at), d what is left of alpha at the next CNP, S survival from the gap on. golden/sim_dcqcn.txt checks it against the simulator: within 10 % on a curve so wide that the loop is damped, in all rows of ConnectX but two flows at 400G, which a run of 0.6 s does not settle; not for the E810 with the paper's constants, which leaves the curve. On curves of 40 us the loop has no phase margin at any Pmax above the fixed point, and the mean is another: docs/dcqcn.md has the margin and the largest useful Pmax."
  unit  = "ppb"
  inputs = {
    flows             = "1..65536 count: flows that share the port"
    rate              = "1000000000..1600000000000 bps: port speed"
    packet_rate       = "100000..1000000000 packets per second: line rate in full-sized packets"
    gap               = "1000000..1000000000 ps: least time between two CNPs of a flow"
    decrease_interval = "1000000..1000000000 ps: rate_reduce_monitor_period"
    step              = "1000..131071000000 ps: mean time between two increases"
    additive_at       = "1000000..100000000000000 ps: first additive increase after a decrease"
    hyper_at          = "1000000..100000000000000 ps: first hyper increase after a decrease"
    rate_ai           = "1..10000000000 bps: rpg_ai_rate"
    rate_hai          = "1..100000000000 bps: rpg_hai_rate; rate_ai if that is more"
    g                 = "1..1023 count: dce_tcp_g"
    gd                = "10..15 count: rpg_gd"
    alpha_interval    = "1000000..131071000000 ps: dce_tcp_rtt"
    clamp             = "0..1 count: clamp_tgt_rate"
  }
  unknown "p" {
    min = 1
    max = 1000000000
  }
  # What increases give, less what decreases take. decay(p packet_rate t / flows) is the share of
  # flows that no mark has met for a time t, in parts of 10^18.
  expression = (
    rate_ai * decay(floordiv(p * packet_rate * max(0, additive_at - max(gap, decrease_interval)), flows * 1000000000000))
    + max(0, rate_hai - rate_ai) * decay(floordiv(p * packet_rate * max(0, hyper_at - max(gap, decrease_interval)), flows * 1000000000000))
    - ceildiv(
      rate * (1024 - g) * (1000000000000000000 - decay(floordiv(p * packet_rate * max(0, step), flows * 1000000000000)))
      * (2 * 1000000000000000000 - decay(floordiv(p * packet_rate * max(0, step), flows * 1000000000000)) - (clamp == 1 ? decay(floordiv(p * packet_rate * max(0, step - max(gap, decrease_interval)), flows * 1000000000000)) : 1000000000000000000)),
      flows * (gd == 10 ? 1024 : gd == 11 ? 2048 : gd == 12 ? 4096 : gd == 13 ? 8192 : gd == 14 ? 16384 : 32768) * max(floordiv((1024 - g) * 1000000000000000000, 1024), 1000000000000000000 - floordiv(
        floordiv(kept(floordiv((floordiv(2 * max(gap, decrease_interval), alpha_interval) + 1), 2), g) * (2048 - ((floordiv(2 * max(gap, decrease_interval), alpha_interval) + 1) - 2 * floordiv((floordiv(2 * max(gap, decrease_interval), alpha_interval) + 1), 2)) * (1024 - g)), 2048) * (1000000000000000000 - decay(floordiv(p * packet_rate * max(0, alpha_interval), flows * 1000000000000))),
        1000000000000000000 - floordiv(g * decay(floordiv(p * packet_rate * max(0, alpha_interval), flows * 1000000000000)), 1024)
      ))
    )
  )
  example {
    inputs = { flows = 8, rate = 25000000000, packet_rate = 2825497, gap = 4000000, decrease_interval = 4000000, step = 284122911, additive_at = 600000000, hyper_at = 11021213471, rate_ai = 5000000, rate_hai = 50000000, g = 1019, gd = 11, alpha_interval = 1000000, clamp = 0 }
    result = 5148855
    source = "ConnectX-7: T1 = 300 us, T2 = 8 x 2,097,088 B x 8 / 25 Gb/s = 5,368.54528 us, t = T1 T2/(T1+T2), tA = 2 T1, tH = 2 T2 + t; the balance of docs/dcqcn.md solved in floating point: 0.51488554 %"
  }
  source {
    document = "NVIDIA, DOCA SDK documentation, DCQCN CC Parameters"
    locator  = "the registers; docs/dcqcn.md derives the balance"
  }
  source {
    document = "Zhu, Ghobadi, Misra, Padhye, ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016"
    locator  = "section 3.1: the fixed point of DCQCN as published, by the same reasoning"
  }
}

formula "pmax" {
  title = "Pmax: the steady state lies in the lower half of the curve"
  text  = "The smallest step of the targets (whole per cents) that is at least twice DCQCN's fixed point p*: the queue then settles at Kmin + p*/Pmax (Kmax - Kmin), below the middle, and has as much room again for bursts. At least 20 %, or 5 % for storage and training, so that a burst of flows at line rate is marked before it has filled the curve, unless marks stop bringing CNPs below that. At least 2 % where NICs take more than 750 us to recover from a mark, since each mark costs a flow more than the queue does. Where the fabric states no latency goal, the fixed point counts as 0: the queue of the most flows may stand at Kmax, where all is marked."
  unit  = "ppb"
  inputs = {
    fixed_point = "0..1000000000 ppb"
    bound       = "0..1000000000 ppb: effective bound of pmax"
    least       = "0..1000000000 ppb: what a burst wants, by the purpose of the fabric"
  }
  expression = min(1000000000, max(10000000, max(ceilto(2 * fixed_point, 10000000), min(least, ceilto(bound, 10000000)))))
  source {
    document = "Zhu, Ghobadi, Misra, Padhye, ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016"
    locator  = "section 3.1: q* = Kmin + p*/Pmax (Kmax - Kmin); the factor of two is roceplan's, and SONiC's YANG (sonic-wred-profile) and EOS hold whole per cents"
  }
  source {
    document = "Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019"
    locator  = "section 5.1: Pmax = 20 % for DCQCN"
  }
  source {
    document = "sonic-buildimage, AZURE_LOSSLESS"
    locator  = "green_drop_probability 5"
  }
  example {
    inputs = { fixed_point = 785758, bound = 8980664, least = 200000000 }
    result = 10000000
    source = "UCloud's experiment runs with Pmax 1 %"
  }
  example {
    inputs = { fixed_point = 296485110, bound = 1000000000, least = 200000000 }
    result = 600000000
    source = "twice 29.6 %, in whole per cents"
  }
}

formula "pmax-useful" {
  title = "Largest useful Pmax"
  text  = "The effective bound, in whole per cents rounded up."
  unit  = "ppb"
  inputs = {
    bound = "0..1000000000 ppb"
  }
  expression = ceilto(bound, 10000000)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN experiment: Pmax is effective up to 20000/pps at one CNP per 50 us"
  }
  example {
    inputs = { bound = 8980664, least = 200000000 }
    result = 10000000
    source = "0.898 % is within 1 %, the Pmax of UCloud's experiment"
  }
}

inequality "pmax-bounded" {
  title = "Pmax lies where more marks still bring more CNPs"
  unit  = "ppb"
  inputs = {
    pmax   = "0..1000000000 ppb"
    useful = "0..1000000000 ppb"
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
  inputs = {
    fixed_point = "0..1000000000 ppb"
    pmax        = "0..1000000000 ppb"
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
  inputs = {
    kmin = "0..1000000000 bytes"
    kmax = "0..1000000000 bytes"
  }
  left  = kmin
  right = kmax
  source {
    document = "Floyd, Jacobson, Random Early Detection Gateways, IEEE/ACM ToN 1993"
    locator  = "section 3: min_th and max_th"
  }
}

inequality "kmin-expected" {
  title = "Kmin is at most what the port drains in the usual delay of a queue"
  unit  = "bytes"
  inputs = {
    kmin  = "0..1000000000 bytes"
    rate  = "1000000000..1600000000000 bps: port speed"
    delay = "0..1000000000 ps"
    parts = "1..2 count: lengths of a queue that are each checked against the threshold"
  }
  left  = kmin
  right = floordiv(floordiv(rate * delay, 8 * 1000000000000), parts)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN"
  }
}

inequality "kmax-tolerable" {
  title = "Kmax is at most what the port drains in the greatest delay of a queue"
  text  = "Where the chip keeps the length of a queue in two parts of its buffer, both may be as long as Kmax."
  unit  = "bytes"
  inputs = {
    kmax  = "0..1000000000 bytes"
    rate  = "1000000000..1600000000000 bps: port speed"
    delay = "0..1000000000 ps"
    parts = "1..2 count: lengths of a queue that are each checked against the threshold"
  }
  left  = kmax
  right = floordiv(floordiv(rate * delay, 8 * 1000000000000), parts)
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN"
  }
}

inequality "usual-delay-kept" {
  title = "The queue of the most flows stands within the usual delay"
  text  = "The curve begins where a few flows need it, and has to hold as many as the buffers are checked against."
  unit  = "bytes"
  inputs = {
    settled = "0..1000000000 bytes"
    rate    = "1000000000..1600000000000 bps: port speed"
    delay   = "0..1000000000 ps"
    parts   = "1..2 count: lengths of a queue that are each checked against the threshold"
  }
  left  = settled
  right = floordiv(floordiv(rate * delay, 8 * 1000000000000), parts)
  source {
    document = "UCloud, RoCE network design"
    locator  = "Goals: 40 us for nine in ten packets"
  }
}

inequality "halved-in-time" {
  title = "Marks halve a flow before the queue has grown too long"
  text  = "Of two senders at line rate the one too many fills the queue until both are at a half: as long as that takes, so long is the queue's delay. NICs keep alpha while CNPs come; where they come more slowly than alpha fades, cuts are too small."
  unit  = "ps"
  inputs = {
    halving  = "0..1000000000000 ps"
    greatest = "0..1000000000000 ps: delay of all queues of a path"
  }
  left  = halving
  right = greatest
  source {
    document = "UCloud, RoCE network design"
    locator  = "Goals: 80 us always"
  }
}

inequality "ecn-before-pfc" {
  title = "A queue reaches Kmax before PFC stops its senders"
  text  = "N senders fill M queues of a port each with equal parts. When the first PG reaches its threshold, each PG holds alpha*B/(1+alpha*N) and each queue N/M of that; Kmax has to lie below. B is the shared buffer left when lossy traffic holds all it may. Written with alpha = numerator/denominator and without division; both sides are in bytes times the denominators."
  unit  = "bytes"
  inputs = {
    kmax      = "0..1000000000 bytes"
    from      = "1..4096 count: N, senders"
    to        = "1..4096 count: M, queues"
    alpha_num = "1..128 count"
    alpha_den = "1..128 count"
    shared    = "0..10000000000 bytes: B, shared buffer of one slice"
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
