# Three operating systems in one pod: SONiC on Trident3 ToRs, EOS on Tomahawk2 leaves,
# and spines on Tomahawk3 with OpenConfig. Cables come from the inventory: cables.csv is
# an export of NetBox with one row for each cable.

locals {
  cables = csvdecode(file("cables.csv"))
}

fabric "mixed" {
  mtu             = "9216B"
  lossless_frame  = "4200B"
  expected_delay  = "15us"
  tolerable_delay = "50us"
  headroom_margin = "2%"
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
  queue_pairs        = 4
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "cx5" {
  model = "connectx-5"
}

switch "tor-[1..4]" {
  chip     = "trident3"
  os       = "sonic"
  platform = "x86_64-dellemc_s5232f_c3538-r0"
  hwsku    = "DellEMC-S5232f-C32"
  role     = "tor"

  port_group "servers" {
    ports  = "Ethernet[0..92/4]"
    speed  = "100Gbps"
    cable  = "3m"
    medium = dac
    peer   = nic.cx5
  }

  port_group "uplinks" {
    ports  = "Ethernet[96..108/4]"
    speed  = "100Gbps"
    medium = fiber
    peer   = switch.leaf
  }
}

switch "leaf-[1..2]" {
  chip     = "tomahawk2"
  os       = "eos"
  platform = "7260CX3-64"
  role     = "leaf"

  port_group "tors" {
    ports  = "Ethernet[1..8]/1"
    speed  = "100Gbps"
    medium = fiber
    peer   = switch.tor
    routed = true
  }

  port_group "spines" {
    ports  = "Ethernet[33..36]/1"
    speed  = "100Gbps"
    medium = fiber
    peer   = switch.spine
    routed = true
  }
}

switch "spine-[1..2]" {
  chip = "tomahawk3"
  os   = "openconfig"
  role = "spine"

  port_group "leaves" {
    ports  = "Ethernet1/[1..4]"
    speed  = "100Gbps"
    medium = fiber
    peer   = switch.leaf
  }
}

link {
  for_each = { for cable in local.cables : cable.label => cable }
  a        = "${each.value.side_a_device}:${each.value.side_a_name}"
  b        = "${each.value.side_b_device}:${each.value.side_b_name}"
  cable    = "${each.value.length}m"
}
