# Two servers with one H100 each, which use one of four ports of 400 Gb/s (NVIDIA/nccl-tests, issue 232). Assumed: NIC, cables,
# switch and class.

fabric "nccl-pair" {
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
    ports = "Ethernet[1..2]/1"
    speed = "400Gbps"
    cable = "10m"
    peer  = nic.host
  }
}

server "h100" {
  switches = "tor"
  gpus     = 1
  nics     = 1
  rails    = 1
}

scenario "all-reduce" {
  for_each = toset(["2MiB", "4MiB", "8MiB", "16MiB", "32MiB"])
  doc      = "all-reduce of ${each.value} between two GPUs"

  collective {
    operation = all_reduce
    message   = each.value
    algorithm = tree
    protocol  = tuned
  }
}
