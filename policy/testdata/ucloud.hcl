# UCloud's pod for RoCEv2: Trident 3 ToRs with 32 servers each, 25G over 15 m of active
# optical cable, and 8 uplinks of 100G over 100 m of fiber to the leaf switches.
# Source: UCloud's published design of its RDMA network: queues, marking, 39-to-1 fan-in,
# and headroom of 408 cells for an uplink and 98 for a server.

fabric "ucloud-pod1" {
  mtu             = "9216B"
  lossless_frame  = "1500B" # a path MTU of 1024 B with its headers stays below it
  expected_delay  = "40us"
  tolerable_delay = "80us"
  headroom_method = "ucloud"

  targets {
    throughput        = "95%"
    pauses_per_second = 5
    max_latency       = "80us"
    usual_latency     = "40us"
  }

  # Few senders, many receivers: ECN must not starve below a small alpha.
  incast {
    from = 2
    to   = 8
  }
}

# Congestion notifications: first in every queue, and capped so that they cannot starve
# the rest. Tens to hundreds of Mb/s are what the design measures.
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
  congestion_control = dcqcn
}

traffic_class "default" {
  dscp   = rest
  queue  = 2
  weight = 40
}

# ToR downlinks: RoCE and CNPs keep their DSCP, all else is rewritten.
marking {
  udp_port = 4791
  rewrite  = 0

  rule {
    dscp  = 48
    class = traffic_class.cnp
  }
  rule {
    dscp  = 46
    class = traffic_class.rdma
  }
}

nic "cx5" {
  model        = "connectx-5"
  cnp_interval = "50us" # as the design calculates; the card's factory setting is 4us
  roce_mtu     = "1024B"
}

switch "tor-[01..16]" {
  chip = "trident3"
  os   = "sonic"
  role = "tor"

  port_group "servers" {
    ports      = "Ethernet[0..31]"
    speed      = "25Gbps"
    lanes      = 1
    first_lane = 1
    cable      = "15m"
    medium     = aoc
    peer       = nic.cx5
    trust      = marking
  }

  port_group "uplinks" {
    ports      = "Ethernet[32..60/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 33
    medium     = fiber
    peer       = switch.leaf
  }
}

switch "leaf-[01..08]" {
  chip = "trident3"
  os   = "sonic"
  role = "leaf"

  port_group "tors" {
    ports      = "Ethernet[0..60/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    medium     = fiber
    peer       = switch.tor
  }
}

# Every ToR reaches every leaf once.
clos "pod1" {
  lower       = switch.tor
  upper       = switch.leaf
  lower_ports = "uplinks"
  upper_ports = "tors"
  cable       = "100m"
}
