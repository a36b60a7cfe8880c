# UCloud's design: two racks of servers at 25 Gb/s with Trident 3, and four switches between them at 100 Gb/s; cables as in its arithmetic of
# headroom. Assumed: NIC and DCQCN's curve, which roceplan derives, and the latency of a chip.

fabric "ucloud" {
  mtu             = "1522B"
  lossless_frame  = "1500B"
  headroom_method = "ucloud"
}

traffic_class "rdma" {
  dscp               = [46]
  queue              = 5
  pfc                = 5
  weight             = 60
  congestion_control = dcqcn
}

# In the place of CNPs: packets as long as they are, in strict priority.
traffic_class "cnp" {
  dscp       = rest
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}

nic "cx5" {
  model           = "connectx-5"
  send_latency    = "0ns" # the design speaks of the network
  receive_latency = "0ns"
}

switch "tor-[1..2]" {
  chip = "trident3"
  os   = eos
  role = "tor"

  port_group "servers" {
    ports  = "Ethernet[1..8]"
    speed  = "25Gbps"
    cable  = "15m"
    medium = aoc
    peer   = nic.cx5
  }
  port_group "uplinks" {
    ports = "Ethernet[48..60/4]"
    speed = "100Gbps"
    cable = "100m"
    peer  = switch.leaf
  }
}

switch "leaf-[1..4]" {
  chip = "trident3"
  os   = eos
  role = "leaf"

  port_group "tors" {
    ports = "Ethernet[0..4/4]"
    speed = "100Gbps"
    cable = "100m"
    peer  = switch.tor
  }
}

clos "pod" {
  lower       = switch.tor
  upper       = switch.leaf
  lower_ports = "uplinks"
  upper_ports = "tors"
}

scenario "cnp" {
  doc  = "each server fills its link to one of the other rack, and one sends a packet of 78 B in strict priority every 50 us, as a CNP"
  time = "2ms"

  shift {
    by = 8
  }
  flow {
    name    = "cnp"
    class   = lossy
    src     = "tor-1:Ethernet1"
    dst     = "tor-2:Ethernet1"
    message = "16B"
    repeat  = 40
    every   = "50us"
  }
}

scenario "alone" {
  doc  = "packets that meet no others"
  time = "100us"

  flow {
    src     = "tor-1:Ethernet1"
    dst     = "tor-2:Ethernet1"
    message = "1KB"
  }
}
