# UCloud's RoCE pod: 25G servers under Trident3 ToRs, 100G between the switches.
#
# Queue 6 carries CNPs in strict priority, queue 5 RDMA without loss, the others the other
# traffic. Servers are not trusted: only UDP 4791 with DSCP 48 or 46 may enter queues 6
# and 5. Thirty-nine ports can send to one: 32 of 25G and 8 of 100G, less the receiver.

fabric "ucloud-pod" {
  mtu            = "1522B" # an IP MTU of 1500 with Ethernet header, VLAN tag and FCS
  lossless_frame = "1500B" # the frame of UCloud's arithmetic

  # UCloud's goals, 40 us end to end for nine in ten packets and 80 us for all, are the defaults
  # of targets. They and the path determine the curve.

  # The formula of UCloud's own design: 408 cells at 100G over 100 m, 98 at 25G over 15 m.
  headroom_method = "ucloud"
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
  congestion_control = "dcqcn"
}

traffic_class "rest" {
  dscp   = rest
  queue  = 2
  weight = 40
}

marking {
  udp_port = 4791
  rewrite  = 0
  rule { dscp = 48 }
  rule { dscp = 46 }
}

nic "cx5" {
  model = "connectx-5" # UCloud leaves its NICs as they are; with its CNPs every 50 us marks could not slow them down
}

switch "tor-[01..16]" {
  chip     = "trident3"
  os       = "sonic"
  platform = "x86_64-accton_as7326_56x-r0"
  hwsku    = "Accton-AS7326-56X"
  role     = "tor"

  port_group "servers" {
    ports  = "Ethernet[0..31]"
    speed  = "25Gbps"
    cable  = "15m"
    medium = aoc
    peer   = nic.cx5
    trust  = marking
  }

  port_group "uplinks" {
    ports  = "Ethernet[48..76/4]"
    speed  = "100Gbps"
    cable  = "100m"
    medium = fiber
    peer   = switch.leaf
  }
}

switch "leaf-[1..8]" {
  chip     = "trident3"
  os       = "sonic"
  platform = "x86_64-dellemc_s5232f_c3538-r0"
  hwsku    = "DellEMC-S5232f-C32"
  role     = "leaf"

  port_group "tors" {
    ports  = "Ethernet[0..60/4]"
    speed  = "100Gbps"
    cable  = "100m"
    medium = fiber
    peer   = switch.tor
  }
}

clos "pod" {
  lower          = switch.tor
  upper          = switch.leaf
  lower_ports    = "uplinks"
  upper_ports    = "tors"
  links_per_pair = 1
}
