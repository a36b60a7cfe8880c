# NVIDIA's control by round trips and DCQCN: sixteen hosts of 100 Gb/s below one switch.

fabric "rtt" {
  mtu            = "4500B"
  lossless_frame = "4500B"
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
  alpha              = "1/4"
  congestion_control = dcqcn

  ecn {
    kmin = "150KB"
    kmax = "500KB"
    pmax = "10%"
  }
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "host" {
  model = "connectx-6"

  dcqcn {
    constants = model
  }
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

scenario "incast" {
  for_each           = toset(["none", "dcqcn", "rttcc", "rtt_template"])
  doc                = "eight hosts send to one, and one more to another one"
  congestion_control = each.key
  time               = "80ms"

  incast {
    senders = 8
  }
}

scenario "all-to-all" {
  for_each           = toset(["dcqcn", "rttcc"])
  doc                = "sixteen hosts send 1 MB to each other"
  congestion_control = each.key

  all_to_all {
    message = "1MB"
  }
}

scenario "storage" {
  for_each           = toset(["dcqcn", "rttcc"])
  doc                = "hosts read 64 KB from others"
  congestion_control = each.key
  time               = "10ms"

  storage_read {
    message = "64KB"
    load    = "50%"
  }
}
