# Five servers with 8 H100 and 4 ports of 400 Gb/s (NVIDIA/nccl, issue 1368). NVLink has the rate that NCCL gives 18 links of an
# H100 (SM90_NVLINK_BW, src/graph/topo.h). Assumed: NIC, cables, switch and class.

fabric "nccl-h100" {
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
  chip = "tomahawk3"
  os   = eos

  port_group "hosts" {
    ports = "Ethernet[1..20]/1"
    speed = "400Gbps"
    cable = "10m"
    peer  = nic.host
  }
}

server "h100" {
  switches = "tor"
  gpus     = 8
  nics     = 4
  rails    = 1
  nvlink   = "2966Gbps"
  nvls     = true
}

scenario "all-reduce" {
  for_each = merge([for a in ["ring", "tree"] : { for size in ["1MiB", "1GiB"] : "${a}-${lower(size)}" => [a, size] }]...)
  doc      = "all-reduce of ${each.value[1]} among 40 GPUs, ${each.value[0]}"

  collective {
    operation = all_reduce
    algorithm = each.value[0]
    message   = each.value[1]
    protocol  = tuned
  }
}
