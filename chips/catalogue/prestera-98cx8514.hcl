chip "prestera-98cx8514" {
  title   = "Marvell Prestera CX 98CX8514 (Falcon)"
  vendor  = "Marvell"
  family  = "prestera"
  aliases = ["falcon", "98cx8514"]

  port_speeds {
    value      = ["10Gbps", "25Gbps", "50Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU F2T48x25G8x100G: port_config.ini"
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
    value      = "256B"
    confidence = "assumed"
    source     = "by analogy with Trident 3"
    note       = "no public document states it; the pools that ship are round numbers of bytes"
  }

  packet_buffer {
    value      = "11500000B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU F2T48x25G8x100G: buffers_defaults_t0.j2, ingress_pool1 and ingress_pool2"
    note       = "at least this much; the size of the part is not published"
  }

  usable_buffer {
    value      = "11500000B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU F2T48x25G8x100G: buffers_defaults_t0.j2, ingress_pool1 and ingress_pool2"
    note       = "the sum of the two ingress pools that ship"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "assumed"
    source     = "the range that SONiC tables of other chips use"
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
