# The fabric of the recorded workload b_leafspine: eight leaves with sixteen hosts at 100G each, eight
# spines, 200G between them, a microsecond of fibre on each link.
fabric "b-leafspine" {
  mtu             = "1500B"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 80
  congestion_control = "dcqcn"
}

nic "cx5" {
  model    = "connectx-5"
  roce_mtu = "1024B"
}

switch "leaf-[1..8]" {
  chip = "tomahawk3"
  os   = "eos"
  role = "leaf"

  port_group "hosts" {
    ports  = "Ethernet[1..16]/1"
    speed  = "100Gbps"
    cable  = "200m"
    medium = fiber
    peer   = nic.cx5
  }
  port_group "spines" {
    ports  = "Ethernet[17..24]/1"
    speed  = "200Gbps"
    cable  = "200m"
    medium = fiber
    peer   = switch.spine
  }
}

switch "spine-[1..8]" {
  chip = "tomahawk3"
  os   = "eos"
  role = "spine"

  port_group "leaves" {
    ports  = "Ethernet[1..8]/1"
    speed  = "200Gbps"
    cable  = "200m"
    medium = fiber
    peer   = switch.leaf
  }
}

clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "spines"
  upper_ports    = "leaves"
  links_per_pair = 1
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "5Gbps"
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
