# The description of a RoCE fabric, for roceplan. Every quantity is a text with a unit.
# `roceplan help language` lists all blocks, attributes and functions.

fabric "pod1" {
  mtu             = "9216B" # largest frame of any class, with header and FCS
  expected_delay  = "40us"  # a queue shorter than this is not marked: bounds Kmin
  tolerable_delay = "80us"  # a queue longer than this is marked always: bounds Kmax
  headroom_margin = "15%"   # on top of what the formula gives
}

# Congestion notifications: small, urgent, lossy, with a cap so that they starve nobody.
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}

# RDMA: a PFC priority makes the class lossless.
traffic_class "rdma" {
  dscp               = [46]
  queue              = 5
  pfc                = 5
  weight             = 60
  congestion_control = dcqcn
}

# All other code points.
traffic_class "rest" {
  dscp   = rest
  queue  = 2
  weight = 40
}

nic "cx5" {
  model = "connectx-5"
}

# [01..16] makes sixteen switches of one shape.
switch "tor-[01..16]" {
  chip     = "trident3" # roceplan chips lists what is known
  os       = sonic
  platform = "x86_64-dellemc_s5232f_c3538-r0" # knows lanes and labels: roceplan platforms
  role     = "tor"

  port_group "servers" {
    ports    = "Ethernet[0..31]"
    speed    = "25Gbps"
    breakout = "4x25G"
    cable    = "15m"
    medium   = aoc
    peer     = nic.cx5
  }

  # [32..60/4] counts in steps of four.
  port_group "uplinks" {
    ports  = "Ethernet[32..60/4]"
    speed  = "100Gbps"
    cable  = "100m"
    medium = fiber
  }
}
