# TIMELY (Mittal et al., SIGCOMM 2015): ten clients and a server in a rack at 10 Gb/s. The same incast with PFC alone, and with DCTCP.

fabric "timely" {
  mtu            = "1522B"
  lossless_frame = "1522B"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  alpha              = "1/64"
  congestion_control = timely_listing

  ecn { # of DCTCP: 65 packets at 10 Gb/s (Alizadeh et al., SIGCOMM 2010, section 4.1)
    kmin = "97KB"
    kmax = "98KB"
    pmax = "100%"
  }
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "host" {
  model    = "other"
  roce_mtu = "1024B"
}

switch "tor" {
  chip = "trident2"
  os   = eos

  port_group "hosts" {
    ports = "Ethernet[1..16]"
    speed = "10Gbps"
    cable = "5m"
    peer  = nic.host
  }
}

scenario "incast" {
  for_each           = toset(["none", "dctcp", "timely_listing"])
  doc                = "ten hosts send to one"
  congestion_control = each.key
  time               = "400ms"

  incast {
    senders = 10
  }
}
