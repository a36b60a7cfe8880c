chip "np8363" {
  title   = "Nephos NP8363 (Taurus)"
  vendor  = "Nephos"
  family  = "nephos"
  aliases = ["taurus"]

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Cig-CS5435-54P: port_config.ini"
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
    value      = "448B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Cig-CS5435-54P: pg_profile_lookup.ini and buffers_defaults_t0.j2"
    note       = "the greatest common divisor of all amounts that ship"
  }

  packet_buffer {
    value      = "20971328B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Cig-CS5435-54P: buffers_defaults_t0.j2, ingress_lossless_pool"
    note       = "at least this much; the size of the part is not published"
  }

  usable_buffer {
    value      = "20971328B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Cig-CS5435-54P: buffers_defaults_t0.j2, ingress_lossless_pool"
    note       = "each of the three pools that ship has as much"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "assumed"
    source     = "the range that SONiC tables of other chips use"
  }

  pg_reserve {
    value      = "3584B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Cig-CS5435-54P: buffers_defaults_t0.j2, ingress_lossless_profile"
    note       = "eight cells"
  }

  queue_reserve {
    value      = "3584B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Cig-CS5435-54P: buffers_defaults_t0.j2, egress_lossy_profile"
    note       = "eight cells"
  }

  headroom_method {
    value      = "ieee8021q"
    confidence = "assumed"
    source     = "no closed form of the chip is known"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
