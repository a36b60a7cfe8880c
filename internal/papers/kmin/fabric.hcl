# UCloud's experiment with Kmin: a flow of 25 Gb/s into a port that is shaped to 2,227,007 packets a second. A packet is a frame of 1,086 B and
# takes five cells of 256 B; runs give lengths of queues in bytes of frames, so that 1,400 cells are 304,080 B, 800 are 173,760 B and one is 256 B, the least that the chip holds.

fabric "kmin" {
  mtu            = "1522B"
  lossless_frame = "1522B"
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}

traffic_class "rdma" {
  dscp               = [46]
  queue              = 5
  pfc                = 5
  weight             = 60
  max_rate           = "19704Mbps"
  alpha              = "1/8"
  congestion_control = dcqcn
}

traffic_class "rest" {
  dscp   = rest
  queue  = 2
  weight = 40
}

# The figures of DCQCN's paper, with CNPs 50 us apart at least. What UCloud's NICs were told is not published.
nic "paper" {
  model        = "connectx-4"
  roce_mtu     = "1024B"
  cnp_interval = "50us"

  dcqcn {
    constants      = model
    dce_tcp_g      = 1020
    dce_tcp_rtt    = "55us"
    rpg_time_reset = "55us"
    rpg_byte_reset = "10MB"
    rpg_threshold  = 5
    rpg_ai_rate    = "40Mbps"
    rpg_hai_rate   = "200Mbps"
  }
}

switch "tor" {
  chip = "trident3"
  os   = eos

  port_group "senders" {
    ports = "Ethernet1"
    speed = "25Gbps"
    cable = "15m"
    peer  = nic.paper
  }
  port_group "low" {
    ports = "Ethernet2"
    speed = "25Gbps"
    cable = "15m"
    peer  = nic.paper

    ecn {
      kmin = "256B"
      kmax = "304080B"
      pmax = "1%"
    }
  }
  port_group "high" {
    ports = "Ethernet3"
    speed = "25Gbps"
    cable = "15m"
    peer  = nic.paper

    ecn {
      kmin = "173760B"
      kmax = "304080B"
      pmax = "1%"
    }
  }
}

scenario "kmin" {
  for_each = { "1" = "tor:Ethernet2", "800" = "tor:Ethernet3" }
  doc      = "20 MB with a Kmin of ${each.key} cells and a Kmax of 1,400, where software polls the queue"
  seeds    = 20

  polled_ecn {
    period = "50us"
    weight = "25%"
  }
  flow {
    src     = "tor:Ethernet1"
    dst     = each.value
    message = "20MB"
  }
}

scenario "at-once" {
  for_each = { "1" = "tor:Ethernet2", "800" = "tor:Ethernet3" }
  doc      = "the same by the queue as it is"
  seeds    = 20

  flow {
    src     = "tor:Ethernet1"
    dst     = each.value
    message = "20MB"
  }
}
