chip "prestera-98dx45xx" {
  title   = "Marvell Prestera DX 98DX45xx (AC5P)"
  vendor  = "Marvell"
  family  = "prestera"
  aliases = ["ac5p", "98dx45xx"]

  port_speeds {
    value      = ["1Gbps", "5Gbps", "50Gbps", "400Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU rd98DX45xx_cn9131: port_config.ini"
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
    value      = "7000000B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU rd98DX45xx_cn9131: buffers_defaults_t0.j2, ingress_pool1 and ingress_pool2"
    note       = "at least this much; the size of the part is not published"
  }

  usable_buffer {
    value      = "7000000B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU rd98DX45xx_cn9131: buffers_defaults_t0.j2, ingress_pool1 and ingress_pool2"
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
