chip "teralynx7" {
  title   = "Marvell Teralynx 7 (Innovium IVM77700)"
  vendor  = "Marvell"
  family  = "teralynx"
  aliases = ["tl7", "teralynx-7", "ivm77700"]

  capacity {
    value      = "12.8Tbps"
    confidence = "published"
    source     = "Asterfusion, Teralynx 7 vs. Falcon CX8500: 12.8 Tb/s, 32 ports of 400G, 70 MB"
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU aurora-715 and Midstone-200i: pg_profile_lookup.ini and port_config.ini"
  }

  lane_rate {
    value      = "50Gbps"
    confidence = "published"
    source     = "Innovium, Teralynx 7 product brief: 256 serdes of 50G"
  }

  max_ports {
    value      = 128
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Midstone-200i_128x100"
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
    value      = "224B"
    confidence = "measured"
    source     = source.qos-generator-teralynx
    note       = "d_c_s, the unit of thresholds, reserves and queues; headroom is counted in words, see headroom_cell_size"
  }

  headroom_cell_size {
    value      = "32B"
    confidence = "measured"
    source     = source.qos-generator-teralynx
    note       = "b_w_s: a packet with its 4 B of FCS takes whole words; the test adds 448 words to the configured xoff"
  }

  packet_buffer {
    value      = "70MB"
    confidence = "published"
    source     = "Asterfusion, Teralynx 7 vs. Falcon CX8500: 12.8 Tb/s, 32 ports of 400G, 70 MB"
    note       = "whether MB is binary is not said"
  }

  usable_buffer {
    value      = "64927232B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Midstone-200i: buffers_defaults_t0.j2, 47,218,432 B of ingress pool and its xoff of 17,708,800 B"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Midstone-200i: buffers_defaults_t0.j2, xoff of the ingress pool"
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
    source     = "sonic-buildimage HwSKU Midstone-200i: buffers_defaults_t0.j2, ingress_lossless_profile"
  }

  queue_reserve {
    value      = "1518B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Midstone-200i: buffers_defaults_t0.j2, egress_lossy_profile"
  }

  xon_offset {
    value      = "13440B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU aurora-715: pg_profile_lookup.ini"
    note       = "sixty cells"
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
