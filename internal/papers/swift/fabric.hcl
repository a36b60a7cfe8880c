# Swift (Kumar et al., SIGCOMM 2020): hosts of 100 Gb/s that write long messages close to line rate, and short RPCs among them.

fabric "swift" {
  mtu            = "4500B"
  lossless_frame = "4500B"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  alpha              = "1/8"
  congestion_control = swift

  ecn {
    kmin = "100KB"
    kmax = "400KB"
    pmax = "10%"
  }
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "host" {
  model    = "other"
  roce_mtu = "4096B"
}

switch "tor" {
  chip = "tomahawk2"
  os   = eos

  port_group "hosts" {
    ports = "Ethernet[1..16]"
    speed = "100Gbps"
    cable = "20m"
    peer  = nic.host
  }
}

scenario "rpc" {
  for_each           = { "swift" = "swift", "pfc-alone" = "none", "dctcp" = "dctcp" }
  doc                = "eight hosts send to each of four what fills their ports, and all hosts send short RPCs as well"
  congestion_control = each.value
  time               = "4ms"

  swift {
    target  = "15us"
    per_hop = "1us"
  }
  incast {
    name      = "long"
    senders   = 8
    receivers = 4
  }
  poisson {
    name    = "short"
    message = "4KB"
    load    = "1%"
    start   = "1ms"
  }
}
