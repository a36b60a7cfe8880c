chip "spectrum3" {
  title   = "NVIDIA Spectrum-3"
  vendor  = "NVIDIA"
  family  = "spectrum"
  aliases = ["spectrum-3", "spc3"]

  queues {
    value      = 8
    confidence = "inferred"
    source     = "SONiC QUEUE tables"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "144B"
    confidence = "measured"
    source     = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua with the ASIC table of device/mellanox in sonic-buildimage"
  }

  packet_buffer {
    value      = "64MiB"
    confidence = "published"
    source     = "NVIDIA, Spectrum product brief"
  }

  usable_buffer {
    value      = "60817392B"
    confidence = "inferred"
    source     = "sonic-buildimage device/mellanox buffers_defaults of Spectrum-3: egress_lossless_pool, which the calculator falls back to as mmu_size"
  }

  slices {
    value      = 1
    confidence = "published"
    source     = "NVIDIA, Spectrum: one fully shared buffer"
  }

  pool_size {
    value      = "net"
    confidence = "published"
    source     = source.buffer-pool-lua
  }

  headroom_pool {
    value      = true
    confidence = "published"
    source     = source.buffer-pool-lua
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "assumed"
    source     = source.saibuffer
  }

  pg_reserve {
    value      = "19KiB"
    confidence = "published"
    source     = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua with the ASIC table of device/mellanox in sonic-buildimage"
    note       = "xon of a lossless PG"
  }

  headroom_method {
    value      = "spectrum"
    confidence = "published"
    source     = source.headroom-lua
  }

  pipeline_latency {
    value      = "19KiB"
    confidence = "published"
    source     = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua with the ASIC table of device/mellanox in sonic-buildimage"
  }

  port_reserved {
    value      = "256KiB"
    confidence = "published"
    source     = source.buffer-pool-lua
    note       = "the management pool of the chip"
  }

  mirror_headroom {
    value      = "10KiB"
    confidence = "published"
    source     = source.buffer-pool-lua
  }

  private_headroom {
    value      = "10KiB"
    confidence = "published"
    source     = source.buffer-pool-lua
  }
}
