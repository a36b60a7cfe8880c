# The description of a RoCE fabric, for roceplan. Every quantity is a text with a unit.
# `roceplan help language` lists all blocks, attributes and functions.

fabric "pod1" {
  mtu             = "9216B" # largest frame of any class, with header and FCS
  headroom_margin = "15%"   # on top of what the formula gives

  # End to end. What the path leaves of them is shared by its queues, and bounds marking: it
  # begins at three packets and is complete at 25 kB at 25G, 99 kB at 100G, 395 kB at 400G.
  targets {
    usual_latency = "40us" # of nine packets in ten
    max_latency   = "80us"
  }
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
