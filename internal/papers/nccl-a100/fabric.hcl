# Two of Oracle's servers with 8 A100 and 16 ports of 100 Gb/s, 2 for each GPU: here those are one of 200 Gb/s. NVLink has the
# rate that NCCL gives 12 links of an A100 (SM80_NVLINK_BW, src/graph/topo.h). Oracle's servers with A100 of 40 GB (BM.GPU4.8)
# have EPYC 7542. step_latency is calibrated by one line of the same output, that of 8 B: 36.47 us, for which NCCL's model has
# 25.2 us with two steps over the network. Assumed: NIC, cables, switch and class.

fabric "nccl-a100" {
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
  model    = "connectx-6"
  roce_mtu = "4096B"
}

switch "tor" {
  chip = "tomahawk3"
  os   = eos

  port_group "hosts" {
    ports = "Ethernet[1..16]/1"
    speed = "200Gbps"
    cable = "10m"
    peer  = nic.host
  }
}

server "a100" {
  switches     = "tor"
  gpus         = 8
  nics         = 8
  rails        = 1
  nvlink       = "1920Gbps"
  cpu          = amd
  step_latency = "5.6us"
}

scenario "all-reduce" {
  for_each = toset(["64KiB", "1MiB", "4MiB", "16MiB", "64MiB", "256MiB", "1GiB", "10GiB"])
  doc      = "all-reduce of ${each.value} among 16 GPUs"

  collective {
    operation = all_reduce
    message   = each.value
    protocol  = tuned
  }
}
