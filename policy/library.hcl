# The library of scenarios. Where a message has no size, messages fill the time of the run.

sizes "websearch" {
  doc    = "flows of a web search cluster"
  source = "Alizadeh et al., Data Center TCP (DCTCP), SIGCOMM 2010, figure 4, as tabulated in alibaba-edu/High-Precision-Congestion-Control, traffic_gen/WebSearch_distribution.txt"
  bytes  = [for n in [0, 10000, 20000, 30000, 50000, 80000, 200000, 1000000, 2000000, 5000000, 10000000, 30000000] : "${n}B"]
  share  = [for n in [0, 15, 20, 30, 40, 53, 60, 70, 80, 90, 97, 100] : "${n}%"]
}

sizes "hadoop" {
  doc    = "flows of Facebook's Hadoop cluster"
  source = "Roy et al., Inside the Social Network's (Datacenter) Network, SIGCOMM 2015, as tabulated in alibaba-edu/High-Precision-Congestion-Control, traffic_gen/FbHdp_distribution.txt"
  bytes  = [for n in [0, 100, 200, 300, 350, 400, 500, 600, 700, 1000, 2000, 7000, 30000, 50000, 80000, 120000, 300000, 1000000, 2000000, 10000000] : "${n}B"]
  share  = [for n in [0, 1, 2, 5, 15, 20, 30, 40, 50, 60, 67, 70, 72, 82, 87, 90, 95, 97.5, 99, 100] : "${n}%"]
}

# Incast.

scenario "incast" {
  for_each = toset([2, 4, 8, 12, 15, 31, 63])
  doc      = "${each.key} hosts send to one at once"

  incast {
    senders = tonumber(each.key)
  }
}

scenario "incast-8" {
  for_each = { qp4 = 4, qp16 = 16 }
  doc      = "8 hosts send to one over ${each.value} queue pairs each"

  incast {
    senders     = 8
    queue_pairs = each.value
  }
}

scenario "incast" {
  for_each = { "2-to-2" = [2, 2], "4-to-2" = [4, 2], "8-to-2" = [8, 2], "4-to-4" = [4, 4], "8-to-4" = [8, 4], "12-to-4" = [12, 4] }
  doc      = "${each.value[0]} hosts send to each of ${each.value[1]} at once"

  incast {
    senders   = each.value[0]
    receivers = each.value[1]
  }
}

scenario "burst" {
  for_each = {
    "8-16kb"   = { senders = 8, message = "16KB", every = "100us" }
    "8-64kb"   = { senders = 8, message = "64KB", every = "100us" }
    "15-64kb"  = { senders = 15, message = "64KB", every = "200us" }
    "15-256kb" = { senders = 15, message = "256KB", every = "500us" }
  }
  doc = "${each.value.senders} hosts send ${each.value.message} each to one, every ${each.value.every}"

  incast {
    senders = each.value.senders
    message = each.value.message
    every   = each.value.every
  }
}

# Each host sends to one other.

scenario "permutation" {
  doc = "each host sends to another one, drawn at random"

  permutation {
  }
}

scenario "permutation" {
  for_each = { qp4 = 4, qp16 = 16 }
  doc      = "each host sends to another one, drawn at random, over ${each.value} queue pairs"

  permutation {
    queue_pairs = each.value
  }
}

scenario "neighbours" {
  doc = "each host sends to the next one"

  shift {
    by = 1
  }
}

scenario "opposite" {
  doc = "each host sends to the one half the hosts further on"

  shift {
  }
}

# Collective operations.

scenario "all-to-all" {
  doc = "each host sends to every other one at once"

  all_to_all {
  }
}

scenario "all-to-all" {
  for_each = { "16kb" = "16KB", "64kb" = "64KB", "256kb" = "256KB" }
  doc      = "each host sends one message of ${each.value} to every other one at once, whatever the time of the run"

  all_to_all {
    message = each.value
  }
}

scenario "ring-all-reduce" {
  doc = "all-reduce in a ring; a host sends its part of a step as soon as it has that of the step before"

  ring_all_reduce {
  }
}

scenario "ring-all-reduce" {
  for_each = { "1mb" = "1MB", "4mb" = "4MB" }
  doc      = "all-reduce in a ring, once, over ${each.value} of data"

  ring_all_reduce {
    message = each.value
  }
}

scenario "tree-all-reduce" {
  for_each = { "64kb" = "64KB", "256kb" = "256KB", "1mb" = "1MB" }
  doc      = "all-reduce in a binary tree, once, over ${each.value} of data; a host sends as soon as it has what it needs"

  tree_all_reduce {
    message = each.value
  }
}

# Operations of NCCL among GPUs: those of the fabric's servers, or one at each host.

scenario "gpu" {
  for_each = { all-reduce = "all_reduce", reduce-scatter = "reduce_scatter", all-gather = "all_gather" }
  doc      = "the GPUs do an ${each.value} of 4MB, as NCCL does it"

  collective {
    operation = each.value
    message   = "4MB"
  }
}

scenario "experts" {
  doc = "GPUs send 256KB each to experts, some of which get much more than others"

  collective {
    operation = all_to_all
    message   = "256KB"
    skew      = "50%"
  }
}

# Storage. Two hosts keep one connection, because storage systems do not make one for each block. NVMe over RDMA keeps a
# queue pair for each I/O queue as long as the association lasts (NVM Express RDMA Transport Specification 1.0), and
# Ceph's messenger one session with each peer. A queue pair keeps its congestion state from message to message.

scenario "storage-read" {
  processes = 1
  for_each = { "4kb" = ["4KB", "10%"], "64kb" = ["64KB", "50%"], "1mb" = ["1MB", "50%"] }
  doc      = "each host reads ${each.value[0]} from others, drawn at random, at ${each.value[1]} of its line rate"

  storage_read {
    message = each.value[0]
    load    = each.value[1]
  }
}

scenario "storage-write" {
  processes = 1
  for_each = { "4kb" = ["4KB", "5%"], "64kb" = ["64KB", "20%"], "1mb" = ["1MB", "20%"] }
  doc      = "each host writes ${each.value[0]} to three others, drawn at random, at ${each.value[1]} of its line rate for each of the three"

  storage_write {
    message = each.value[0]
    load    = each.value[1]
  }
}

# Measured sizes.

scenario "websearch" {
  for_each = toset([30, 50, 70, 80])
  doc      = "web search flows between hosts drawn at random, at ${each.key}% of line rate"

  poisson {
    sizes = sizes.websearch
    load  = "${each.key}%"
  }
}

scenario "hadoop" {
  for_each = toset([30, 50, 70, 80])
  doc      = "Hadoop flows between hosts drawn at random, at ${each.key}% of line rate"

  poisson {
    sizes = sizes.hadoop
    load  = "${each.key}%"
  }
}

scenario "websearch-50-burst" {
  doc = "web search flows at 50% of line rate, and 8 hosts that send 64KB each to one every 200us"

  poisson {
    sizes = sizes.websearch
    load  = "50%"
  }
  incast {
    senders = 8
    message = "64KB"
    every   = "200us"
  }
}

scenario "hadoop-50-burst" {
  doc = "Hadoop flows at 50% of line rate, and 8 hosts that send 64KB each to one every 200us"

  poisson {
    sizes = sizes.hadoop
    load  = "50%"
  }
  incast {
    senders = 8
    message = "64KB"
    every   = "200us"
  }
}

# TCP beside RDMA, on the first lossy class that shares by weight.

scenario "tcp-beside-incast" {
  for_each = toset([4, 8])
  doc      = "${each.key} hosts send to one at once, and TCP with web search flows at 30% of line rate on a lossy class"

  incast {
    senders = tonumber(each.key)
  }
  poisson {
    class = lossy
    sizes = sizes.websearch
    load  = "30%"
  }
}

scenario "tcp-beside-hadoop-30" {
  doc = "Hadoop flows at 30% of line rate, and as much TCP with web search flows on a lossy class"

  poisson {
    sizes = sizes.hadoop
    load  = "30%"
  }
  poisson {
    class = lossy
    sizes = sizes.websearch
    load  = "30%"
  }
}

scenario "tcp-burst-beside-storage" {
  processes = 1
  doc = "each host reads 64KB from others at 30% of its line rate, and 8 hosts send 256KB each over TCP to one every 500us"

  storage_read {
    message = "64KB"
    load    = "30%"
  }
  incast {
    class   = lossy
    senders = 8
    message = "256KB"
    every   = "500us"
  }
}

# Failures. Latency and pauses are no goals here: no packet may be lost for lack of buffer,
# and all messages must arrive, except those of a stuck host.

locals {
  patience = "1s"
}

scenario "link-failure" {
  for_each = { down = null, flap = "800us" }
  doc      = "web search flows at 30% of line rate; a link between two switches fails after 300us ${each.value == null ? "for good" : "and comes back 500us later"}"

  poisson {
    sizes = sizes.websearch
    load  = "30%"
  }
  link_failure {
    at    = "300us"
    until = each.value
  }
  goals {
    pauses_per_second = 1000000
    max_latency       = local.patience
    usual_latency     = local.patience
  }
}

scenario "slow-receiver" {
  for_each = { incast-4 = 4, incast-8 = 8 }
  doc      = "${each.value} hosts send bursts to one that takes 5 Gb/s for 500us"

  incast {
    senders = each.value
    message = "64KB"
    every   = "200us"
  }
  slow_receiver {
    rate  = "5Gbps"
    at    = "200us"
    until = "700us"
  }
  goals {
    pauses_per_second = 1000000
    max_latency       = local.patience
    usual_latency     = local.patience
  }
}

# A burst between hosts of a switch where another host is stuck: the buffer that stuck groups
# leave must be enough.

scenario "victim" {
  for_each = { storm-4 = 4, storm-8 = 8 }
  doc      = "${each.value} hosts send to one whose NIC pauses its switch, and 4 others of that switch send 256KB each to another"
  time     = "10ms"

  incast {
    senders = each.value
    local   = true
  }
  incast {
    senders = 4
    local   = true
    message = "256KB"
    start   = "9ms"
  }
  pfc_storm {
    at    = "10us"
    until = "12ms"
  }
  goals {
    pauses_per_second = 1000000
    max_latency       = local.patience
    usual_latency     = local.patience
  }
}

scenario "pfc-storm" {
  for_each = { short = "700us", watchdog = "400ms" }
  doc      = "Hadoop flows at 30% of line rate; a NIC pauses its switch ${each.key == "short" ? "for 500us" : "until watchdogs free the queue"}"

  poisson {
    sizes = sizes.hadoop
    load  = "30%"
  }
  pfc_storm {
    at    = "200us"
    until = each.value
  }
  goals {
    pauses_per_second = 1000000
    max_latency       = local.patience
    usual_latency     = local.patience
  }
}
