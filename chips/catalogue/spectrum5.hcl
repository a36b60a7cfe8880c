chip "spectrum5" {
  title   = "NVIDIA Spectrum-5"
  vendor  = "NVIDIA"
  family  = "spectrum"
  aliases = ["spectrum-5", "spc5"]

  queues {
    value      = 16
    confidence = "inferred"
    source     = "SONiC QUEUE tables"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "192B"
    confidence = "measured"
    source     = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua with the ASIC table of device/mellanox in sonic-buildimage"
  }

  packet_buffer {
    value      = "136209408B"
    confidence = "inferred"
    source     = "sonic-buildimage device/mellanox buffers_defaults: egress_lossless_pool"
  }

  usable_buffer {
    value      = "136209408B"
    confidence = "inferred"
    source     = "sonic-buildimage device/mellanox buffers_defaults of Spectrum-5: egress_lossless_pool, which the calculator falls back to as mmu_size"
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

  tile_delay {
    value      = "120ns"
    confidence = "published"
    source     = source.headroom-lua
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
