# DCQCN (Zhu et al., SIGCOMM 2015, section 2.2, figures 3 and 4): four racks of hosts at 40 Gb/s below four leaves and two spines.

fabric "dcqcn" {
  mtu            = "1522B"
  lossless_frame = "1522B"
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
  alpha              = "1/16" # Guo et al., SIGCOMM 2016, section 5.6
  congestion_control = dcqcn

  ecn {
    kmin = "5KB"
    kmax = "200KB"
    pmax = "1%"
  }
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "host" {
  model        = "connectx-4"
  roce_mtu     = "1024B"
  cnp_interval = "50us"

  dcqcn { # figure 14 of the paper
    constants       = model
    dce_tcp_g       = 1020
    dce_tcp_rtt     = "55us"
    rpg_time_reset  = "55us"
    rpg_byte_reset  = "10MB"
    rpg_threshold   = 5
    rpg_ai_rate     = "40Mbps"
    rpg_hai_rate    = "200Mbps"
    rpg_min_dec_fac = "50%"
  }
}

switch "tor-[1..4]" {
  chip = "trident2"
  os   = eos

  port_group "hosts" {
    ports = "Ethernet[1..5]"
    speed = "40Gbps"
    cable = "5m"
    peer  = nic.host
  }
  port_group "uplinks" {
    ports = "Ethernet[31..32]"
    speed = "40Gbps"
    cable = "50m"
  }
}

switch "leaf-[1..4]" {
  chip = "trident2"
  os   = eos

  port_group "down" {
    ports = "Ethernet[1..2]"
    speed = "40Gbps"
    cable = "50m"
  }
  port_group "up" {
    ports = "Ethernet[31..32]"
    speed = "40Gbps"
    cable = "50m"
  }
}

switch "spine-[1..2]" {
  chip = "trident2"
  os   = eos

  port_group "leaves" {
    ports = "Ethernet[1..4]"
    speed = "40Gbps"
    cable = "50m"
  }
}

clos "left" {
  lower       = "tor-[1..2]"
  upper       = "leaf-[1..2]"
  lower_ports = "uplinks"
  upper_ports = "down"
}

clos "right" {
  lower       = "tor-[3..4]"
  upper       = "leaf-[3..4]"
  lower_ports = "uplinks"
  upper_ports = "down"
}

clos "spines" {
  lower       = switch.leaf
  upper       = switch.spine
  lower_ports = "up"
  upper_ports = "leaves"
}

# A hash of addresses and ports decides about the ways, so that each figure is the median over receivers.
locals {
  controls  = { "pfc" = "none", "dcqcn" = "dcqcn" }
  receivers = range(1, 4)
}

scenario "unfair" {
  for_each           = merge([for to in local.receivers : { for name, control in local.controls : "${name}-${to}" => [control, to] }]...)
  doc                = "figure 3: three hosts of the first rack and one of the last send to another one of that"
  congestion_control = each.value[0]
  time               = "5ms"

  flow {
    count   = 3
    name    = "far"
    src     = "tor-1:Ethernet${count.index + 1}"
    dst     = "tor-4:Ethernet${each.value[1]}"
    message = "20MB"
  }
  flow {
    name    = "near"
    src     = "tor-4:Ethernet5"
    dst     = "tor-4:Ethernet${each.value[1]}"
    message = "10MB"
  }
}

scenario "victim" {
  for_each = merge(flatten([for n in [0, 2] : [for to in local.receivers :
  { for name, control in local.controls : "${name}-${n}-${to}" => [control, n, to] }]])...)
  doc                = "figure 4: four hosts of the first rack, and ${each.value[1]} of the third, send to one of the last; the victim goes from the first to the second"
  congestion_control = each.value[0]
  time               = "5ms"

  flow {
    count   = 4
    name    = "incast"
    src     = "tor-1:Ethernet${count.index + 1}"
    dst     = "tor-4:Ethernet${each.value[2]}"
    message = "40MB"
  }
  flow {
    count   = each.value[1]
    name    = "third"
    src     = "tor-3:Ethernet${count.index + 1}"
    dst     = "tor-4:Ethernet${each.value[2]}"
    message = "40MB"
  }
  flow {
    name    = "victim"
    src     = "tor-1:Ethernet5"
    dst     = "tor-2:Ethernet${each.value[2]}"
    message = "20MB"
  }
}
