chip "trident3-x3" {
  title   = "Broadcom Trident 3 X3 (BCM56370)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td3-x3", "td3-x3(hx5)", "hx5", "trident-3-x3", "bcm56370"]

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

  packet_buffer {
    value      = "8MiB"
    confidence = "published"
    source     = source.ucsc-trident3
    note       = "8 MB"
  }

  usable_buffer {
    value      = "8388608B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-N3248TE: buffers_defaults_t0.j2, egress_lossless_pool"
  }

  slices {
    value      = 1
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  packet_metadata {
    value      = "64B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
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
    confidence = "assumed"
    source     = "queue lengths are counted in cells, so thresholds are taken to be held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact if the step is one cell or less"
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
}
