chip "jericho2" {
  title   = "Broadcom Jericho2 (BCM88690)"
  vendor  = "Broadcom"
  family  = "dnx"
  aliases = ["jr2", "j2", "jericho-2", "bcm88690"]

  capacity {
    value      = "4.8Tbps"
    confidence = "published"
    source     = "B. Wheeler, Broadcom Router Chips Aim at ASICs, Linley Newsletter 2018-03-13: 12 ports of 400G"
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage port_config.ini of the Arista 7280R3 and 7800R3 platforms; 10G to 50G by breakout"
  }

  lane_rate {
    value      = "50Gbps"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7280CR3-32P4: ports of 400G have eight lanes"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "virtual output queues per destination port"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "16B"
    confidence = "inferred"
    source     = source.qos-params-jr2
    note       = "the largest power of two with which a packet of 64 B and its packet_metadata take the measured 112 B"
  }

  headroom_cell_size {
    value      = "4096B"
    confidence = "inferred"
    source     = source.qos-params-jr2
    note       = "the unit of the headroom that ships; the external buffer is handed out in it"
  }

  packet_buffer {
    value      = "6441610000B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7800R3-48CQ2-C48: buffers_defaults_t2.j2, ingress_lossless_pool"
    note       = "at least this much of the HBM, which vendors call 8 GB. The on-chip buffer is given as 16 MB by UC Santa Cruz and as 32 MB elsewhere"
  }

  usable_buffer {
    value      = "6441610000B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7800R3-48CQ2-C48: buffers_defaults_t2.j2, ingress_lossless_pool"
  }

  slices {
    value      = 1
    confidence = "assumed"
    source     = "one pool in every SONiC table of the chip"
  }

  packet_metadata {
    value      = "48B"
    confidence = "measured"
    source     = source.qos-params-jr2
    note       = "internal_hdr_size: a packet of 64 B is accounted as 112 B in the headroom, to within three packets in 12,907; longer packets have not been measured. At 100 Gb/s and 300 m the worst case of 64 B packets is 150144B; Arista's 110592B for it, 27 units of 4096B, would hold the 105933B that come in if each packet took no more than its own bytes (assumed: its file is not public)"
  }

  pool_size {
    value      = "gross-pool"
    confidence = "assumed"
    source     = "by analogy with Tomahawk 6"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7800R3-48CQ2-C48: buffers_defaults_t2.j2, xoff of the ingress pool"
  }

  pause {
    value      = "on_excess"
    confidence = "inferred"
    source     = source.qos-params-jr2
    note       = "from the distance between first pause and first drop"
  }

  alphas {
    value      = ["1/256", "1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8", "16", "32", "64", "128"]
    confidence = "published"
    source     = source.eos-dcb-pfc
    note       = "EOS takes 2^-15 to 2^15; SONiC takes dynamic_th -8 to 7 and ships -6 to -1"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7280DR3A-36 pg_profile_lookup.ini, relative error at most 0.6 %"
  }

  headroom_fixed {
    value      = "30664B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7280DR3A-36 pg_profile_lookup.ini, relative error at most 0.6 %"
    note       = "with headroom_min_cable"
  }

  headroom_response {
    value      = "1661ns"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7280DR3A-36 pg_profile_lookup.ini, relative error at most 0.6 %"
  }

  headroom_wire_per_cell {
    value      = "3076B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7280DR3A-36 pg_profile_lookup.ini, relative error at most 0.6 %"
    note       = "wire bytes that fill 4096 B of buffer; the metadata of each packet makes it fewer"
  }

  headroom_min_cable {
    value      = "2km"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7280DR3A-36 pg_profile_lookup.ini: rows of 30 m to 2 km have one value per speed"
    note       = "without it the formula would be far below the table on short cables"
  }
}
