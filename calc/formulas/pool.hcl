# Pools: what reserves and headroom leave of a buffer.

formula "spectrum-pool" {
  title = "Size of a pool on Spectrum"
  text  = "What NVIDIA's calculator leaves for each pool. Ports that are down hold nothing."
  unit  = "bytes"
  inputs = {
    mmu           = "1..1000000000000 bytes: buffer that configuration can distribute"
    cell          = "1..4096 bytes"
    lossless      = "0..1000000000000 bytes: profiles of lossless PGs"
    lossy         = "0..1000000000000 bytes: lossy PGs, a pipeline latency each besides their profile"
    egress        = "0..1000000000000 bytes: profiles of egress ports and queues"
    management    = "0..1000000000000 bytes: a pipeline latency per port that is up"
    mirror        = "0..1000000000000 bytes: 10 KiB per port that is up"
    private       = "0..1000000000000 bytes: 10 KiB per lossless port, where headroom is shared"
    reserved      = "0..1000000000000 bytes: management pool and modification descriptors"
    headroom_pool = "0..1000000000000 bytes: shared headroom pool"
    pools         = "1..2 count: ingress pools that share what is left"
  }
  expression = min(ceildiv(mmu - lossless - lossy - egress - management - mirror - private - reserved - headroom_pool, pools), floorto(mmu, cell))
  source {
    document = "sonic-swss cfgmgr/buffer_pool_mellanox.lua"
    url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_pool_mellanox.lua"
  }
  example {
    inputs = { mmu = 160000000, cell = 192, lossless = 11419648, lossy = 458752, egress = 147456, management = 458752, mirror = 163840, private = 0, reserved = 262144, headroom_pool = 0, pools = 2 }
    result = 73544704
    source = "the calculator run for Spectrum-5: 8 ports of 800G with 8 lanes and 8 of 400G with 4, 40 m"
  }
}

formula "spectrum-headroom-pool" {
  title = "Shared headroom pool on Spectrum"
  text  = "What the profiles fall short, less the private headroom of the ports, by the over-subscription; 640 KiB where that is nothing."
  unit  = "bytes"
  inputs = {
    shortfall = "0..1000000000000 bytes"
    private   = "0..1000000000000 bytes"
    ratio     = "1..1048576 count: over-subscription"
  }
  expression = ceildiv(max(shortfall - private, 0), ratio) > 0 ? ceildiv(max(shortfall - private, 0), ratio) : 655360
  source {
    document = "sonic-swss cfgmgr/buffer_pool_mellanox.lua"
    url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_pool_mellanox.lua"
  }
  example {
    inputs = { shortfall = 819200, private = 81920, ratio = 4 }
    result = 184320
    source = "8 ports with 2 PGs of 50 KiB, four to one"
  }
  example {
    inputs = { shortfall = 0, private = 0, ratio = 4 }
    result = 655360
    source = "no shortfall"
  }
}


formula "spectrum-port-headroom" {
  title = "Headroom of a port on Spectrum, as the device adds it up"
  text  = "SONiC takes a profile only where this sum stays below max_headroom_size of the port, which the driver tells in BUFFER_MAX_PARAM_TABLE of STATE_DB."
  unit  = "bytes"
  inputs = {
    deviation = "0..1000000 bytes: set aside for deviations"
    latency   = "0..1000000 bytes: pipeline latency; twice that less 1 KiB with 8 lanes"
    mirror    = "0..1000000 bytes: 20 KiB for egress mirroring; twice that with 8 lanes"
    groups    = "0..1000000000000 bytes: sizes of the profiles of the port's priority groups; one of size 0 counts as a latency"
  }
  expression = deviation + latency + mirror + groups
  source {
    document = "sonic-swss cfgmgr/buffer_check_headroom_mellanox.lua"
    url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_check_headroom_mellanox.lua"
  }
  example {
    inputs = { deviation = 4096, latency = 37888, mirror = 40960, groups = 220160 }
    result = 303104
    source = "Spectrum-4 at 800G with 8 lanes: 303,104 B were needed by sonic-swss' own script, of which the rest, 182,272 B, are lossless profiles"
  }
}
