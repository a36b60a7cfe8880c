# Scheduling: CNPs get through, and nobody starves. PFC watchdog.

formula "cnp-rate" {
  title = "Rate of CNPs that may leave through one port"
  text  = "A CNP is 78 B with FCS (Ethernet 14, IPv4 20, UDP 8, BTH 12, 16 reserved, ICRC 4, FCS 4) and 98 B with preamble and gap. At most one answers a data packet. Rounded up."
  unit  = "bps"
  inputs = {
    sources     = "1..100000 count: flows whose CNPs are limited one by one; 1 where the limit is per port"
    interval    = "1000000..1000000000 ps"
    packet_rate = "100..1000000000 packets per second: full-sized data packets that the port can bring"
  }
  expression = min(ceildiv(sources * 98 * 8 * 1000000000000, interval), packet_rate * 98 * 8)
  source {
    document = "InfiniBand Architecture Specification 1.2.1, Annex A17 (RoCEv2)"
    locator  = "A17.9.3, CNP format"
  }
  example {
    inputs = { sources = 1, interval = 50000000, packet_rate = 2825497 }
    result = 15680000
    source = "98 B every 50 us: 15.7 Mb/s"
  }
}

inequality "cnp-cap-lower" {
  title = "The cap of the CNP queue lets all CNPs through"
  unit  = "bps"
  inputs = {
    cnp_rate = "0..1600000000000 bps"
    max_rate = "0..1600000000000 bps"
  }
  left  = cnp_rate
  right = max_rate
  source {
    document = "UCloud, RoCE network design"
    locator  = "Q6: CNPs in strict priority with a bandwidth cap"
  }
}

formula "strict-share" {
  title = "What strict queues may take so that the others reach their goal"
  text  = "Rounded down."
  unit  = "bps"
  inputs = {
    rate       = "1000000000..1600000000000 bps"
    throughput = "0..1000000000 ppb: share of the port that the weighted queues must reach"
  }
  expression = floordiv(rate * (1000000000 - throughput), 1000000000)
  source {
    document = "UCloud, RoCE network design"
    locator  = "Targets: throughput of at least 95 %"
  }
  example {
    inputs = { rate = 25000000000, throughput = 950000000 }
    result = 1250000000
    source = "5 % of 25 Gb/s"
  }
}

formula "weighted-share" {
  title = "What a weighted queue passes while all weighted queues send"
  text  = "DWRR shares a port by weight. Strict queues are taken to send nothing. Rounded down."
  unit  = "bps"
  inputs = {
    rate       = "1000000000..1600000000000 bps: port speed"
    weight     = "1..100 count"
    all_weight = "1..800 count"
  }
  expression = floordiv(rate * min(weight, all_weight), all_weight)
  source {
    document = "Shreedhar and Varghese, Efficient Fair Queuing using Deficit Round-Robin, IEEE/ACM Transactions on Networking 4(3), 1996"
    locator  = "queues that are never empty share the link as their quanta"
  }
  example {
    inputs = { rate = 400000000000, weight = 5, all_weight = 100 }
    result = 20000000000
    source = "5 of 100: a twentieth of 400 Gb/s"
  }
}

inequality "starvation" {
  title = "Strict queues together leave the weighted ones their goal"
  unit  = "bps"
  inputs = {
    max_rates  = "0..1600000000000 bps: sum of the caps of all strict queues of a port"
    rate       = "1000000000..1600000000000 bps"
    throughput = "0..1000000000 ppb"
  }
  left  = max_rates
  right = floordiv(rate * (1000000000 - throughput), 1000000000)
  source {
    document = "UCloud, RoCE network design"
    locator  = "Targets: throughput of at least 95 %"
  }
}

formula "cnp-hop-delay" {
  title = "Longest wait of a CNP in one switch"
  text  = "Strict priority does not preempt: 1 us of forwarding, and one largest frame that is already being sent. Rounded up."
  unit  = "ps"
  inputs = {
    rate  = "1000000000..1600000000000 bps"
    frame = "64..9416 bytes"
  }
  expression = 1000000 + ceildiv((frame + 20) * 8 * 1000000000000, rate)
  source {
    document = "UCloud, RoCE network design"
    locator  = "a hop without congestion takes less than 1 us"
  }
  example {
    inputs = { rate = 100000000000, frame = 1518 }
    result = 1123040
    source = "1 us and 1538 B at 100 Gb/s: 123.04 ns"
  }
}

inequality "cnp-delay" {
  title = "CNPs reach the sender within the expected delay"
  text  = "Three switches lie on the longest path of a pod."
  unit  = "ps"
  inputs = {
    delay    = "0..1000000000 ps: sum over the hops"
    expected = "0..1000000000 ps"
  }
  left  = delay
  right = expected
  source {
    document = "UCloud, RoCE network design"
    locator  = "CNP reaches the sender in less than 3 us; at most three congestion points"
  }
}

formula "largest-pause" {
  title = "Longest pause that one PFC frame can ask for"
  text  = "65535 quanta of 512 bit times."
  unit  = "ps"
  inputs = {
    rate = "1000000000..1600000000000 bps"
  }
  expression = ceildiv(65535 * 512 * 1000000000000, rate)
  source {
    document = "IEEE 802.3-2018"
    locator  = "31B.2: pause_time in units of 512 bit times"
  }
  example {
    inputs = { rate = 100000000000 }
    result = 335539200
    source = "335.5 us at 100 Gb/s"
  }
}

inequality "watchdog-above-pause" {
  title = "The watchdog sleeps through every single pause"
  text  = "Ten largest pauses on the slowest port: a queue that stands still for longer is stuck."
  unit  = "ps"
  inputs = {
    largest_pause = "0..1000000000000 ps"
    detection     = "0..10000000000000 ps"
  }
  left  = 10 * largest_pause
  right = detection
  source {
    document = "Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016"
    locator  = "section 4.3: PFC watchdog at the order of 100 ms"
  }
}

inequality "watchdog-poll" {
  title = "The watchdog polls at least twice within its timers"
  unit  = "ps"
  inputs = {
    poll        = "0..10000000000000 ps"
    detection   = "0..10000000000000 ps"
    restoration = "0..10000000000000 ps"
  }
  left  = 2 * poll
  right = min(detection, restoration)
  source {
    document = "Arista EOS user manual"
    locator  = "Quality of Service, PFC watchdog: polling interval at most half of the smaller timer"
    url      = "https://www.arista.com/en/um-eos/eos-quality-of-service"
  }
}

formula "equal-parts" {
  title = "Equal parts of a whole"
  text  = "Rounded down."
  unit  = "bps"
  inputs = {
    whole = "0..1600000000000 bps"
    parts = "1..8 count"
  }
  expression = floordiv(whole, parts)
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { whole = 7, parts = 2 }
    result = 3
    source = "3.5"
  }
}
