fabric "pod" {
  mtu             = "9216B"
  lossless_frame  = "4200B"
  expected_delay  = "10us"
  tolerable_delay = "40us"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 80
  congestion_control = "dcqcn"
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
nic "cx6" { model = "connectx-6" }
switch "leaf-[1..4]" {
  chip = "trident3"
  os   = "sonic"
  port_group "servers" {
    ports      = "Ethernet[0..60/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "5m"
    peer       = nic.cx6
  }
  port_group "up" {
    ports      = "Ethernet[64..124/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 65
    cable      = "40m"
    peer       = switch.spine
  }
}
switch "spine-[1..2]" {
  chip = "trident3"
  os   = "sonic"
  port_group "down" {
    ports      = "Ethernet[0..124/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "40m"
    peer       = switch.leaf
  }
}
clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "up"
  upper_ports    = "down"
  links_per_pair = 8
}

scenario "events" {
  permutation {
    message = "64KB"
  }
  link_failure {
    at    = "10us"
    until = "20us"
  }
  pfc_storm {
    at    = "5us"
    until = "25us"
  }
  slow_receiver {
    at    = "5us"
    until = "30us"
    rate  = "10Gbps"
  }
}
