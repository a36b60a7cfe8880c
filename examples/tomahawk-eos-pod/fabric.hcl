# A storage pod on Arista 7060CX-32S (Tomahawk) with EOS, 32 ports of 100G. EOS and
# OpenConfig are both written; warnings name the settings that OpenConfig cannot express.

fabric "eos-pod" {
  mtu             = "9216B"
  lossless_frame  = "4200B"
  expected_delay  = "10us"
  tolerable_delay = "25us" # four parts of 16 MB: one stuck group leaves a further one a quarter of a part

  # The pipes of the ports are unknown, and two of four pipes write to each of the four parts: headroom for
  # all sixteen groups that may be in one part would take 11 of 16 MB from lossy traffic.
  headroom_sharing = "8 groups"
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "1Gbps"
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

nic "cx5" {
  model    = "connectx-5"
  roce_mtu = "4096B"
}

switch "leaf-[1..4]" {
  chip     = "tomahawk"
  os       = "eos"
  platform = "7060CX-32S"
  targets  = ["eos", "openconfig"]
  role     = "leaf"

  port_group "servers" {
    ports  = "Ethernet[1..24]/1"
    speed  = "100Gbps"
    cable  = "3m"
    medium = dac
    peer   = nic.cx5
    routed = true
  }

  port_group "spines" {
    ports  = "Ethernet[25..32]/1"
    speed  = "100Gbps"
    cable  = "40m"
    medium = fiber
    peer   = switch.spine
    routed = true
  }
}

switch "spine-[1..2]" {
  chip     = "tomahawk"
  os       = "eos"
  platform = "7060CX-32S"
  targets  = ["eos", "openconfig"]
  role     = "spine"

  port_group "leaves" {
    ports  = "Ethernet[1..16]/1"
    speed  = "100Gbps"
    cable  = "40m"
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
  links_per_pair = 4
}
