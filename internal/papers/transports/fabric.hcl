# UCloud's measurement of connected and dynamically connected transports: one message over one switch at 100 Gb/s.
#
# The constants are fitted, each the same in all rows: what hosts take to send and to receive, to RC's 2 B; fetch, to RC's 4 KB; connect, to DC's rows
# up to 64 KB. golden/sim_transports.txt says how; there the switch takes no time, and here 600 ns, by which send_latency and receive_latency are less, each by
# half, and connect, as the request for a connection and its answer cross the switch too. Memory is read and written as PCIe 3.0 x16 does.

fabric "transports" {
  mtu            = "4500B"
  lossless_frame = "4500B"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  congestion_control = none
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "host" {
  model           = "connectx-5"
  roce_mtu        = "4096B"
  send_latency    = "490ns"
  receive_latency = "490ns"
}

switch "tor" {
  chip = "trident3"
  os   = eos

  port_group "hosts" {
    ports = "Ethernet[1..2]/1"
    speed = "100Gbps"
    cable = "10m"
    peer  = nic.host
  }
}

scenario "message" {
  for_each  = merge([for size in ["2B", "4KiB", "64KiB", "1MiB"] : { for service in ["rc", "xrc", "dc"] : "${service}-${lower(size)}" => [service, size] }]...)
  doc       = "one message of ${each.value[1]} over ${upper(each.value[0])}"
  transport = each.value[0]
  time      = "200us"

  memory {
    rate   = "115Gbps"
    fetch  = "240ns"
    inline = "220B"
  }
  dc {
    connect = "950ns"
  }
  flow {
    src     = "tor:Ethernet1/1"
    dst     = "tor:Ethernet2/1"
    message = each.value[1]
  }
}
