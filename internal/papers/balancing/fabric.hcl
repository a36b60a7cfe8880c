# ConWeave (Song et al., SIGCOMM 2023) as its simulator has it (conweave-project/conweave-ns3, run.py and config/leaf_spine_128_100G_OS2.txt): leaves
# with twice as many hosts as spines, all links of 100 Gb/s. The paper has 8 leaves of 16 hosts, here are 4 of 8; its switches have 9 MB; a
# port may have a sixteenth: a thirty-second of Trident 3's 32 MB is as much.

fabric "balancing" {
  mtu            = "1522B"
  lossless_frame = "1100B"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "5Gbps"
}
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  alpha              = "1/32"
  congestion_control = dcqcn
  ecn {
    kmin = "100KB"
    kmax = "400KB"
    pmax = "25%" # 20 % there; the chip has 10 % and 25 %
  }
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}
nic "cx" {
  model        = "connectx-5"
  roce_mtu     = "1024B"
  cnp_interval = "4us"
  dcqcn {
    constants                  = model
    rpg_ai_rate                = "40Mbps"
    rpg_hai_rate               = "100Mbps"
    dce_tcp_g                  = 1020
    dce_tcp_rtt                = "1us"
    rate_reduce_monitor_period = "4us"
    rpg_time_reset             = "300us"
    rpg_byte_reset             = "0B"
    rpg_threshold              = 1
    rpg_min_rate               = "100Mbps"
  }
}
switch "leaf-[1..4]" {
  chip = "trident3"
  os   = eos
  role = "leaf"
  port_group "hosts" {
    ports = "Ethernet[0..28/4]"
    speed = "100Gbps"
    cable = "80m"
    peer  = nic.cx
  }
  port_group "uplinks" {
    ports = "Ethernet[64..76/4]"
    speed = "100Gbps"
    cable = "80m"
    peer  = switch.spine
  }
}
switch "spine-[1..4]" {
  chip = "trident3"
  os   = eos
  role = "spine"
  port_group "leaves" {
    ports = "Ethernet[0..12/4]"
    speed = "100Gbps"
    cable = "80m"
    peer  = switch.leaf
  }
}
clos "all" {
  lower       = switch.leaf
  upper       = switch.spine
  lower_ports = "uplinks"
  upper_ports = "leaves"
}
# traffic_gen/AliStorage2019.txt of alibaba-edu/High-Precision-Congestion-Control, the workload of ConWeave's run.py.
sizes "alistorage" {
  file = "alistorage.txt"
}

locals {
  ways  = { "ecmp" = "100us", "flowlet" = "10us", "letflow" = "10us", "conweave" = "100us", "cell" = "100us" }
  loads = { "50" = "25%", "80" = "40%" } # of the links above the leaves; of the hosts half of that
}

scenario "storage" {
  for_each       = merge([for way, gap in local.ways : { for load, share in local.loads : "${load}-${way}" => [way, gap, share] }]...)
  load_balancing = each.value[0]
  flowlet_gap    = each.value[1]
  time           = "4ms"

  poisson {
    sizes = sizes.alistorage
    load  = each.value[2]
  }
}

scenario "uncontrolled" {
  for_each           = local.ways
  doc                = "hosts without congestion control, at 80 % of the links above the leaves"
  load_balancing     = each.key
  flowlet_gap        = each.value
  congestion_control = none
  time               = "4ms"

  poisson {
    sizes = sizes.alistorage
    load  = "40%"
  }
}

scenario "alone" {
  for_each       = toset(["ecmp", "cell"])
  doc            = "packets that meet no others"
  load_balancing = each.key
  time           = "100us"

  flow {
    src     = "leaf-1:Ethernet0"
    dst     = "leaf-2:Ethernet0"
    message = "1KB"
  }
}

scenario "last-hop" {
  doc                = "eight hosts send to one; packets are sprayed, and NICs put them in order"
  load_balancing     = spray
  transport          = srd
  congestion_control = none
  time               = "1ms"

  incast {
    senders = 8
  }
}
