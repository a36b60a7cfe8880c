chip "tofino2" {
  title   = "Intel Tofino 2"
  vendor  = "Intel"
  family  = "tofino"
  aliases = ["tofino-2", "bfn-t20"]

  cell_size {
    value      = "176B"
    confidence = "published"
    source     = source.barefoot-lua
  }

  packet_buffer {
    value      = "64MiB"
    confidence = "published"
    source     = "Intel, Tofino 2 product brief"
  }

  usable_buffer {
    value      = "46749824B"
    confidence = "inferred"
    source     = "sonic-buildimage device/barefoot: newport buffers_defaults, egress_lossless_pool"
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
}
