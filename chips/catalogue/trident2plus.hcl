chip "trident2plus" {
  title   = "Broadcom Trident II+ (BCM56860)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td2+", "td2plus", "trident2+", "trident-2+", "bcm56860"]

  capacity {
    value      = "1.28Tbps"
    confidence = "published"
    source     = source.fwd-trident2
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "40Gbps", "100Gbps"]
    confidence = "published"
    source     = source.fwd-trident2
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
    value      = "208B"
    confidence = "published"
    source     = source.juniper-qfx5k
    note       = "QFX5110"
  }

  packet_buffer {
    value      = "16MiB"
    confidence = "published"
    source     = "I. Pepelnjak, Switch Buffer Sizes and Fermi Estimates, ipSpace.net 2019-06: 16 MB"
    note       = "whether MB is binary is not said"
  }

  slices {
    value      = 1
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "gross-own-headroom"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }

  headroom_pool {
    value      = false
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "208B"
    confidence = "assumed"
    source     = "queue lengths are counted in cells, so thresholds are taken to be held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact if the step is one cell or less"
  }

  headroom_method {
    value      = "ieee8021q"
    confidence = "assumed"
    source     = "no headroom table of the chip is public"
  }
}
