# An AI training pod on Tomahawk5 with SONiC: eight rails, one leaf for each GPU of a
# server, 400G to ConnectX-7 and 800G to the spines.

variable "servers_cable" {
  type        = string
  default     = "5m"
  description = "length of the copper between servers and leaves"
}

locals {
  spine_cable = "40m"

  # First lane of each cage, in the order in which the board is wired: sonic-buildimage,
  # device/arista/x86_64-arista_7060x6_64pe, port_config.ini.
  order = [for group in range(16) : contains([0, 8], group) ? [2, 0, 1, 3] : [3, 1, 0, 2]]
  cage  = [for c in range(64) : (floor(c / 4) * 4 + local.order[floor(c / 4)][c % 4]) * 8 + 1]
}

fabric "ai-pod" {
  mtu             = "9216B"
  lossless_frame  = "4200B" # RoCE MTU 4096 with its headers
  expected_delay  = "5us"
  tolerable_delay = "20us"
  headroom_margin = "5%"
  load_balancing  = "adaptive"

  targets {
    throughput  = "95%"
    max_latency = "80us"
  }

  # Half of a rail sends to a quarter of it.
  incast {
    from = 32
    to   = 16
  }
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "4Gbps"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 80
  congestion_control = "dcqcn"
  queue_pairs        = 16
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}

nic "cx7" {
  model            = "connectx-7"
  roce_mtu         = "4096B"
  direct_placement = true
}

switch "leaf-[01..08]" {
  chip     = "tomahawk5"
  os       = "sonic"
  platform = "x86_64-arista_7060x6_64pe"
  hwsku    = "Arista-7060X6-64PE-B-P32O64"
  role     = "leaf"

  port_group "gpus" {
    ports     = "Ethernet[0..252/4]"
    breakout  = "2x400G"
    lanes     = 4
    lane_list = [for p in range(64) : [for lane in range(4) : local.cage[floor(p / 2)] + p % 2 * 4 + lane]]
    cable     = var.servers_cable
    medium    = dac
    peer      = nic.cx7
  }

  port_group "spines" {
    ports     = "Ethernet[256..504/8]"
    speed     = "800Gbps"
    lanes     = 8
    lane_list = [for p in range(32) : [for lane in range(8) : local.cage[32 + p] + lane]]
    cable     = local.spine_cable
    medium    = fiber
    peer      = switch.spine
  }
}

switch "spine-[01..04]" {
  chip     = "tomahawk5"
  os       = "sonic"
  platform = "x86_64-arista_7060x6_64pe"
  hwsku    = "Arista-7060X6-64PE-P64"
  role     = "spine"

  port_group "leaves" {
    ports     = "Ethernet[0..504/8]"
    speed     = "800Gbps"
    lanes     = 8
    lane_list = [for p in range(64) : [for lane in range(8) : local.cage[p] + lane]]
    cable     = local.spine_cable
    medium    = fiber
    peer      = switch.leaf
  }
}

clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "spines"
  upper_ports    = "leaves"
  links_per_pair = 8
}
