chip "trident3-x3" {
  title   = "Broadcom Trident 3 X3 (BCM56370)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td3-x3", "td3-x3(hx5)", "hx5", "trident-3-x3", "bcm56370"]

  lane_rate {
    value      = "25Gbps"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-N3248TE and Accton-AS4630-54PE: ports of 25G have one lane"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "unicast queues that SONiC configures; the chips have more for multicast and the CPU"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "256B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-N3248TE: buffers_defaults_t0.j2 and pg_profile_lookup.ini, pools and xoff are whole numbers of 256 B"
  }

  physical_buffer {
    value      = "9437184B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/helix5.h:381-406,429-441; src/soc/esw/helix5.c:3392-3405; src/bcm/esw/helix5/cosq.c:60"
    note       = "one part of 36,864 cells"
  }

  packet_buffer {
    value      = "8388608B"
    confidence = "published"
    source     = ["OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/helix5.h:381-406,429-441; src/soc/esw/helix5.c:3392-3405; src/bcm/esw/helix5/cosq.c:60", source.ucsc-trident3]
    note       = "32,768 cells"
  }

  usable_buffer {
    value      = "8388608B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-N3248TE: buffers_defaults_t0.j2, egress_lossless_pool"
  }

  slices {
    value      = 1
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/helix5.h:381-406,429-441; src/soc/esw/helix5.c:3392-3405; src/bcm/esw/helix5/cosq.c:60"
  }

  pipes {
    value      = 1
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/helix5.h:381-406: one pipe"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/helix5.h:381-406,429-441; src/soc/esw/helix5.c:3392-3405; src/bcm/esw/helix5/cosq.c:60"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/helix5.h:381-406,429-441; src/soc/esw/helix5.c:3392-3405; src/bcm/esw/helix5/cosq.c:60"
  }

  pool_size {
    value      = "net"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-N3248TE: buffers_defaults_t0.j2, 8,192,000 B and 196,608 B of xoff add up to the egress pool"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-N3248TE: buffers_defaults_t0.j2, xoff of the ingress pool"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "256B"
    confidence = "published"
    source     = source.openbcm-cells
    note       = "thresholds of WRED are held in cells, in steps of one"
  }

  marking_steps {
    value      = ["0%", "1%", "2%", "3%", "4%", "5%", "6%", "7%", "8%", "9%", "10%", "25%", "50%", "75%", "100%"]
    confidence = "published"
    source     = source.openbcm-wred
    note       = "a wish between two steps becomes the lower one"
  }

  marking_lag {
    value      = "8us"
    confidence = "inferred"
    source     = source.openbcm-wred-refresh
    note       = "the code is Tomahawk's, which says of itself that it is as Trident II's; with gain 0, which SONiC always writes, the average is the length at the last reading"
  }

  marking_max {
    value      = "67108608B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/helix5.h:381-406,429-441; src/soc/esw/helix5.c:3392-3405; src/bcm/esw/helix5/cosq.c:60"
    note       = "262,143 cells"
  }

  marking_state {
    value      = "queue"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/helix5.h:381-406,429-441; src/soc/esw/helix5.c:3392-3405; src/bcm/esw/helix5/cosq.c:60"
    note       = "one part"
  }

  pg_reserve {
    value      = "9472B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-N3248TE: pg_profile_lookup.ini"
    note       = "9427 B in whole cells"
  }

  queue_reserve {
    value      = "1792B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  xon_offset {
    value      = "3584B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-N3248TE: pg_profile_lookup.ini"
  }

  global_headroom {
    value      = "9728B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/trident3.c:10395-10400, trident2.c:14563-14570, tomahawk2.c:1601"
    note       = "38 cells: one largest packet for each pipe; that it holds the rest of a packet whose own headroom is spent is our reading"
  }

  headroom_method {
    value      = "xgs"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
    note       = "the shipped table has 50,176 B for every speed and length"
  }

  headroom_fixed {
    value      = "10900B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
    note       = "the shipped table has 50,176 B for every speed and length"
  }

  headroom_response {
    value      = "3150ns"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
    note       = "the shipped table has 50,176 B for every speed and length"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
    note       = "the shipped table has 50,176 B for every speed and length"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
