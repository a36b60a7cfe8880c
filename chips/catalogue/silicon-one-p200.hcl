chip "silicon-one-p200" {
  title   = "Cisco Silicon One P200"
  vendor  = "Cisco"
  family  = "silicon-one"
  aliases = ["p200"]

  capacity {
    value      = "51.2Tbps"
    confidence = "published"
    source     = source.siliconangle-p200
  }

  port_speeds {
    value      = ["100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "assumed"
    source     = source.siliconangle-p200
    note       = "64 ports of 800G are published; the slower ones by analogy with G200"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "unicast queues that SONiC configures"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "512B"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "buffer_unit of the tests: a packet occupies whole units, and nothing is added to it"
  }

  packet_metadata {
    value      = "0B"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }

  pool_size {
    value      = "gross-pool"
    confidence = "inferred"
    source     = source.qos-generator-cisco
    note       = "the size of the pool holds the shared headroom: (size - xoff) alpha/(1+alpha)"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = source.qos-generator-cisco
  }

  headroom_method {
    value      = "ieee8021q"
    confidence = "assumed"
    source     = "no headroom table of the chip is public: device/cisco of sonic-buildimage is empty"
  }

  threshold_of {
    value      = "free"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }

  threshold_bits {
    value      = 5
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "mantissa of 16 to 31, rounded down"
  }

  headroom_bits {
    value      = 4
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "of bytes, rounded up, and then whole units of 512 B"
  }

  egress_kept {
    value      = "5242880B"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }
}
