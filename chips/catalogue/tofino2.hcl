chip "tofino2" {
  title   = "Intel Tofino 2"
  vendor  = "Intel"
  family  = "tofino"
  aliases = ["tofino-2", "tf2"]

  capacity {
    value      = "12.8Tbps"
    confidence = "published"
    source     = source.asics-2020
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage device/barefoot newport: port_config.ini"
  }

  lane_rate {
    value      = "50Gbps"
    confidence = "inferred"
    source     = "sonic-buildimage, platforms of Tofino 2: ports of 400G have eight lanes"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "as SONiC configures them; the chip has 128 per port"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "176B"
    confidence = "measured"
    source     = [source.qos-generator-barefoot, source.barefoot-lua]
  }

  packet_buffer {
    value      = "64MiB"
    confidence = "published"
    source     = source.csdn-tofino2
    note       = "whether MB is binary is not said"
  }

  usable_buffer {
    value      = "46749824B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU newport: buffers_defaults_t0.j2, egress_lossless_pool"
  }

  headroom_pool {
    value      = false
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU newport: buffers_defaults_t0.j2, no xoff"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "assumed"
    source     = "the range that SONiC tables of other chips use"
  }

  queue_reserve {
    value      = "4096B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU newport: buffers_defaults_t0.j2, q_lossy_profile"
  }

  headroom_method {
    value      = "tofino"
    confidence = "published"
    source     = source.barefoot-lua
  }

  pipeline_latency {
    value      = "68KiB"
    confidence = "published"
    source     = source.barefoot-lua
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
