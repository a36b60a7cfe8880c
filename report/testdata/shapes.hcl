# Switches that are all different: each has cables of its own length.

fabric "thousand" {
  mtu             = "9216B"
  expected_delay  = "10us"
  tolerable_delay = "40us"
}

traffic_class "rdma" {
  dscp               = [26]
  pfc                = 3
  queue              = 3
  congestion_control = "dcqcn"
  weight             = 60
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "cx7" {
  model = "connectx-7"
}

switch "leaf" {
  count = 250
  chip  = "tomahawk3"
  os    = "eos"
  role  = "leaf"

  port_group "servers" {
    ports = "Ethernet[1..32]/1"
    speed = "100Gbps"
    cable = "${1000 + 80 * count.index}mm"
  }
}
