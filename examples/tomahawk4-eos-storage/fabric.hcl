# Disaggregated storage on Arista 7060DX5-64S (Tomahawk 4) with EOS: each cage of a leaf
# splits into two ports of 200G for ConnectX-6, and uplinks have 400G.
#
# 64 cages of 400G: sonic-buildimage, device/arista/x86_64-arista_7060dx5_64s. 200GBASE-CR4
# reaches 3 m (IEEE 802.3cd, clause 136), 400GBASE-DR4 500 m (IEEE 802.3bs, clause 124).

fabric "storage" {
  mtu             = "9216B"
  lossless_frame  = "4200B" # RoCE MTU 4096 with its headers
  purpose         = storage
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "2Gbps"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  congestion_control = "dcqcn"
}

traffic_class "rest" {
  dscp   = rest
  queue  = 1
  weight = 40
}

pfc_watchdog {
  detection   = "200ms"
  restoration = "400ms"
  poll        = "100ms"
}

nic "cx6" {
  model    = "connectx-6"
  roce_mtu = "4096B"
}

switch "leaf-[1..2]" {
  chip     = "tomahawk4"
  os       = "eos"
  platform = "7060DX5-64S"
  targets  = ["eos", "openconfig"]
  role     = "leaf"

  port_group "servers" {
    ports  = "Ethernet[1..32]/[1,5]"
    speed  = "200Gbps"
    cable  = "3m"
    medium = dac
    peer   = nic.cx6
    routed = true
  }

  port_group "spines" {
    ports  = "Ethernet[33..64]/1"
    speed  = "400Gbps"
    cable  = "150m"
    medium = fiber
    peer   = switch.spine
    routed = true
  }
}

switch "spine-[1..2]" {
  chip     = "tomahawk4"
  os       = "eos"
  platform = "7060DX5-64S"
  targets  = ["eos", "openconfig"]
  role     = "spine"

  port_group "leaves" {
    ports  = "Ethernet[1..32]/1"
    speed  = "400Gbps"
    cable  = "150m"
    medium = fiber
    peer   = switch.leaf
    routed = true
  }
}

clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "spines"
  upper_ports    = "leaves"
  links_per_pair = 16
}
