# Two servers with 8 H100 and 8 ports of 400 Gb/s (NVIDIA/nccl-tests, issue 309). NVLink has the rate that NCCL
# gives 18 links of an H100 (SM90_NVLINK_BW, src/graph/topo.h). The source has InfiniBand of the same rate. Assumed: cables, switch, class.

fabric "nccl-h100x2" {
  mtu            = "4500B"
  lossless_frame = "4500B"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  congestion_control = dcqcn
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "host" {
  model    = "connectx-7"
  roce_mtu = "4096B"
}

switch "tor" {
  chip = "tomahawk5"
  os   = eos

  port_group "hosts" {
    ports = "Ethernet[1..16]/1"
    speed = "400Gbps"
    cable = "10m"
    peer  = nic.host
  }
}

server "h100" {
  switches = "tor"
  gpus     = 8
  nics     = 8
  rails    = 1
  nvlink   = "2966Gbps"
  nvls     = true
}

scenario "all-reduce" {
  for_each = toset(["64KiB", "1MiB", "4MiB", "10MiB", "16MiB", "64MiB", "100MiB", "256MiB", "1000MiB", "1GiB"])
  doc      = "all-reduce of ${each.value} among 16 GPUs"

  collective {
    operation = all_reduce
    message   = each.value
    protocol  = tuned
  }
}

scenario "ring" {
  for_each = toset(["1MiB", "4MiB", "16MiB", "64MiB", "256MiB", "1GiB"])
  doc      = "all-reduce of ${each.value} among 16 GPUs, rings"

  collective {
    operation = all_reduce
    algorithm = ring
    message   = each.value
    protocol  = tuned
  }
}
