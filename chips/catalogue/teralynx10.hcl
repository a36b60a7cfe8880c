chip "teralynx10" {
  title   = "Marvell Teralynx 10"
  vendor  = "Marvell"
  family  = "teralynx"
  aliases = ["tl10", "teralynx-10"]

  capacity {
    value      = "51.2Tbps"
    confidence = "published"
    source     = "B. Wheeler, Marvell Teralynx Leapfrogs to 51.2T, 2023-03: more than 200 MB, 512 ports of 100G"
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU d64p512t_*: pg_profile_lookup.ini and port_config.ini"
  }

  lane_rate {
    value      = "100Gbps"
    confidence = "published"
    source     = "Marvell, Teralynx 10 product brief: 512 serdes of 100G"
  }

  max_ports {
    value      = 514
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU d64p512t_512x100G-2x10G"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "512B"
    confidence = "measured"
    source     = source.qos-generator-teralynx
    note       = "d_c_s, the unit of thresholds, reserves and queues; headroom is counted in words, see headroom_cell_size"
  }

  headroom_cell_size {
    value      = "128B"
    confidence = "measured"
    source     = source.qos-generator-teralynx
    note       = "b_w_s: a packet with its 4 B of FCS takes whole words; the test adds 412 words to the configured xoff"
  }

  packet_buffer {
    value      = "214642688B"
    confidence = "inferred"
    source     = ["sonic-buildimage HwSKU d64p512t_64x800G-2x10G: buffers_defaults_t0.j2, egress_lossless_pool", "B. Wheeler, Marvell Teralynx Leapfrogs to 51.2T, 2023-03: more than 200 MB, 512 ports of 100G"]
    note       = "at least this much"
  }

  usable_buffer {
    value      = "214642688B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU d64p512t_64x800G-2x10G: buffers_defaults_t0.j2, egress_lossless_pool"
    note       = "the ingress pool is 158,630,302 B beside 71,577,600 B of xoff, 15.6 MB more in sum"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU d64p512t_64x800G-2x10G: buffers_defaults_t0.j2, xoff of the ingress pool"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "assumed"
    source     = "the range that SONiC tables of other chips use"
    note       = "shipped tables use dynamic_th -4, 1, 2 and 3"
  }

  pg_reserve {
    value      = "1518B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU d64p512t_64x800G-2x10G: buffers_defaults_t0.j2, ingress_lossless_profile"
  }

  queue_reserve {
    value      = "1518B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU d64p512t_64x800G-2x10G: buffers_defaults_t0.j2, egress_lossy_profile"
  }

  xon_offset {
    value      = "13824B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU d64p512t_64x800G-2x10G: pg_profile_lookup.ini"
    note       = "27 cells; dbmvtx9180 ships 9408 B, which is not a whole number of cells"
  }

  headroom_method {
    value      = "ieee8021q"
    confidence = "assumed"
    source     = "no closed form of the chip is known"
    note       = "the tables that ship are in whole words of headroom_cell_size"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
