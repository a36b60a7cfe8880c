# How much of the shared buffer a priority group may take: what pulls alpha up is that
# queues mark before a pause, what pulls it down is that a stuck group must not starve others.

formula "newcomer-share" {
  title = "Share of one more PG when N are stuck"
  text  = "N equal PGs sit at their thresholds and nobody drains: they leave B/(1+alpha N), of which one more takes alpha/(1+alpha). Over alpha this is largest at 1/sqrt(N), where it is B/(1+sqrt(N))^2. Rounded down to cells."
  unit  = "bytes"
  inputs = {
    shared    = "0..10000000000 bytes: B, shared buffer of one slice with lossy traffic at its share by weight"
    alpha_num = "1..128 count"
    alpha_den = "1..128 count"
    n         = "1..512 count: PGs that are stuck"
    cell      = "32..4096 bytes: cell size of the chip"
  }
  expression = floorto(floordiv(shared * alpha_num * alpha_den, (alpha_den + alpha_num * n) * (alpha_den + alpha_num)), cell)
  source {
    document = "Choudhury, Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 1998"
    locator  = "section III: the control law T = alpha (B - Q), here for Q = N alpha B/(1 + alpha N) that does not drain"
  }
  example {
    inputs = { shared = 1000000, alpha_num = 1, alpha_den = 2, n = 4, cell = 100 }
    result = 111100
    source = "4 stuck at 1/2 leave a third of 1,000,000; a third of that is 111,111, and 1/9 is B/(1+sqrt(4))^2"
  }
}

inequality "newcomer-guarantee" {
  title = "Stuck PGs leave a further one what it needs"
  text  = "What a PG still gets while N others are stuck holds its declared burst, or a queue up to Kmax, up to Kmin where the fabric is for storage or training, so that ECN works on ports that have nothing to do with the fault. Pulls alpha to 1/sqrt(N)."
  unit  = "bytes"
  inputs = {
    need  = "0..1100000000 bytes: Kmax or Kmin, or the declared burst"
    share = "0..10000000000 bytes: share of one more PG"
  }
  left  = need
  right = share
  source {
    document = "Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016"
    locator  = "section 6.2: a NIC that paused without end; section 6.2 on alpha: a switch shipped with 1/64 instead of 1/16 paused its servers"
  }
}

formula "stuck-leave" {
  title = "What N stuck PGs leave of the shared buffer"
  unit  = "bytes"
  inputs = {
    shared    = "0..10000000000 bytes: shared buffer of one slice"
    alpha_num = "1..128 count"
    alpha_den = "1..128 count"
    n         = "1..512 count: PGs that are stuck"
  }
  expression = floordiv(shared * alpha_den, alpha_den + alpha_num * n)
  source {
    document = "Choudhury, Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 1998"
    locator  = "section III: B - Q = B/(1 + alpha N)"
  }
  example {
    inputs = { shared = 1000000, alpha_num = 1, alpha_den = 4, n = 16 }
    result = 200000
    source = "16 x 1/4 = 4, so that a fifth is left"
  }
}

inequality "lossless-leaves-lossy" {
  title = "Stuck lossless PGs leave lossy queues what they need"
  text  = "With N PGs stuck, one largest frame for every lossy queue must still be shared, or traffic that has nothing to do with the fault stands still. The counterpart of lossy-leaves-lossless. Pulls alpha down."
  unit  = "bytes"
  inputs = {
    lossy = "0..10000000000 bytes: one largest frame for every lossy queue, in one slice"
    left  = "0..10000000000 bytes: what stuck PGs leave of the slice"
  }
  left  = lossy
  right = left
  source {
    document = "roceplan"
    locator  = "the counterpart of lossy-leaves-lossless"
  }
}

formula "fill-time" {
  title = "Time in which a port fills a threshold at line rate"
  unit  = "ps"
  inputs = {
    bytes = "0..10000000000 bytes"
    rate  = "1000000000..1600000000000 bps"
  }
  expression = ceildiv(bytes * 8 * 1000000000000, rate)
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { bytes = 3125000, rate = 25000000000 }
    result = 1000000000
    source = "25 Mb at 25 Gb/s are 1 ms"
  }
}

inequality "xoff-time" {
  title = "A sender is paused within a time"
  text  = "A PG that is alone fills alpha B/(1+alpha) before it pauses its peer. What lies there waits behind whatever blocks it, so the time to fill it bounds how late the sender learns of it. Pulls alpha down."
  unit  = "ps"
  inputs = {
    fill   = "0..100000000000000 ps: time to fill the threshold at line rate"
    target = "0..1000000000000 ps"
  }
  left  = fill
  right = target
  source {
    document = "UCloud, RoCE network design"
    locator  = "buffer arithmetic: 25 Mb at 25G are 1 ms"
  }
}

formula "reaction-time" {
  title = "Time from a mark to a slower rate at the queue"
  text  = "A packet that leaves a queue above Kmax is marked, goes to its receiver, a CNP goes back to the sender, and the first packet of the lower rate comes to the queue: together twice the path one way, wherever on it the queue is. A chip that reads its queues periodically begins one period late. CNPs are taken not to wait, as in a strict class."
  unit  = "ps"
  inputs = {
    base = "0..100000000000 ps: latency of the path without queues, one way"
    lag  = "0..100000000000 ps: period in which the chip reads the length of a queue"
  }
  expression = 2 * base + lag
  source {
    document = "Zhu et al., DCQCN, SIGCOMM 2015"
    locator  = "section 3.1: the switch marks, the receiver answers with a CNP, the sender cuts"
  }
  source {
    document = "UCloud, RoCE network design"
    locator  = "ECN: the length of the queue is polled by the SDK and averaged"
  }
  example {
    inputs = { base = 4000000, lag = 8000000 }
    result = 16000000
    source = "4 us there, 4 us back, 8 us until the chip looks"
  }
}

formula "overshoot" {
  title = "What arrives until senders slow down"
  text  = "N senders of rate r fill M queues of rate R with equal parts for the reaction time: (N r/M - R) tau, which for r = R and M = 1 is (N - 1) R tau. It is exact where the first cut, to a half, stops the growth: with N r at most 2 M R. More senders need further cuts, each a CNP interval later, and pass it."
  unit  = "bytes"
  inputs = {
    from     = "1..4096 count: N, senders"
    to       = "1..4096 count: M, queues"
    sender   = "1000000000..1600000000000 bps: r, rate of each sender"
    rate     = "1000000000..1600000000000 bps: R, rate of each queue"
    reaction = "0..300000000000 ps: tau, time from a mark to a slower rate"
  }
  expression = ceildiv(max(0, from * sender - to * rate) * reaction, to * 8 * 1000000000000)
  source {
    document = "Zhu et al., DCQCN, SIGCOMM 2015"
    locator  = "section 4: PFC must not be triggered before ECN has had the time to act"
  }
  source {
    document = "roceplan"
    locator  = "docs/alpha.md: beside the queue that the simulator measures"
  }
  example {
    inputs = { from = 2, to = 1, sender = 100000000000, rate = 100000000000, reaction = 16000000 }
    result = 200000
    source = "100 Gb/s too much for 16 us are 1.6 Mb"
  }
}

formula "marked-peak" {
  title = "Queue when senders slow down"
  unit  = "bytes"
  inputs = {
    kmax      = "0..1000000000 bytes: from where on every packet is marked"
    overshoot = "0..1000000000000 bytes: what arrives until senders slow down"
  }
  expression = kmax + overshoot
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { kmax = 100000, overshoot = 200000 }
    result = 300000
    source = "a sum"
  }
}

inequality "overshoot-before-pfc" {
  title = "Senders slow down before PFC stops them"
  text  = "From Kmax on every packet is marked, but until the first cut reaches the queue it grows by what its senders send too much. PFC must not stop them before. Asked for the fewest senders that fill a port, and for each declared incast. Pulls alpha up."
  unit  = "bytes"
  inputs = {
    peak = "0..1000000000000 bytes: Kmax, and what arrives until senders slow down"
    room = "0..10000000000 bytes: queue at which PFC begins to stop its senders"
  }
  left  = peak
  right = room
  source {
    document = "Zhu et al., DCQCN, SIGCOMM 2015"
    locator  = "section 4: PFC must not be triggered before ECN has had the time to act"
  }
  source {
    document = "Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016"
    locator  = "section 6.2: alpha 1/64 instead of 1/16 paused servers"
  }
}
