# Traffic patterns. Every pattern fills the time of the run, unless its doc says otherwise.

sizes "websearch" {
  doc    = "flows of a web search cluster"
  source = "Alizadeh et al., Data Center TCP (DCTCP), SIGCOMM 2010, figure 4, as tabulated in alibaba-edu/High-Precision-Congestion-Control, traffic_gen/WebSearch_distribution.txt"
  bytes  = [0, 10000, 20000, 30000, 50000, 80000, 200000, 1000000, 2000000, 5000000, 10000000, 30000000]
  cdf    = [0, 15, 20, 30, 40, 53, 60, 70, 80, 90, 97, 100]
}

sizes "hadoop" {
  doc    = "flows of Facebook's Hadoop cluster"
  source = "Roy et al., Inside the Social Network's (Datacenter) Network, SIGCOMM 2015, as tabulated in alibaba-edu/High-Precision-Congestion-Control, traffic_gen/FbHdp_distribution.txt"
  bytes  = [0, 100, 200, 300, 350, 400, 500, 600, 700, 1000, 2000, 7000, 30000, 50000, 80000, 120000, 300000, 1000000, 2000000, 10000000]
  cdf    = [0, 1, 2, 5, 15, 20, 30, 40, 50, 60, 67, 70, 72, 82, 87, 90, 95, 97.5, 99, 100]
}

pattern "incast-2" {
  doc     = "2 hosts send to one at once"
  kind    = "incast"
  senders = 2
}

pattern "incast-4" {
  doc     = "4 hosts send to one at once"
  kind    = "incast"
  senders = 4
}

pattern "incast-8" {
  doc     = "8 hosts send to one at once"
  kind    = "incast"
  senders = 8
}

pattern "incast-12" {
  doc     = "12 hosts send to one at once"
  kind    = "incast"
  senders = 12
}

pattern "incast-15" {
  doc     = "15 hosts send to one at once"
  kind    = "incast"
  senders = 15
}

pattern "incast-31" {
  doc     = "31 hosts send to one at once"
  kind    = "incast"
  senders = 31
}

pattern "incast-63" {
  doc     = "63 hosts send to one at once"
  kind    = "incast"
  senders = 63
}

pattern "incast-8-qp4" {
  doc         = "8 hosts send to one over 4 queue pairs each"
  kind        = "incast"
  senders     = 8
  queue_pairs = 4
}

pattern "incast-8-qp16" {
  doc         = "8 hosts send to one over 16 queue pairs each"
  kind        = "incast"
  senders     = 8
  queue_pairs = 16
}

pattern "incast-2-to-2" {
  doc       = "2 hosts send to each of 2 at once"
  kind      = "incast"
  senders   = 2
  receivers = 2
}

pattern "incast-4-to-2" {
  doc       = "4 hosts send to each of 2 at once"
  kind      = "incast"
  senders   = 4
  receivers = 2
}

pattern "incast-8-to-2" {
  doc       = "8 hosts send to each of 2 at once"
  kind      = "incast"
  senders   = 8
  receivers = 2
}

pattern "incast-4-to-4" {
  doc       = "4 hosts send to each of 4 at once"
  kind      = "incast"
  senders   = 4
  receivers = 4
}

pattern "incast-8-to-4" {
  doc       = "8 hosts send to each of 4 at once"
  kind      = "incast"
  senders   = 8
  receivers = 4
}

pattern "incast-12-to-4" {
  doc       = "12 hosts send to each of 4 at once"
  kind      = "incast"
  senders   = 12
  receivers = 4
}

pattern "permutation" {
  doc  = "each host sends to another one, drawn at random"
  kind = "permutation"
}

pattern "permutation-qp4" {
  doc         = "each host sends to another one, drawn at random, over 4 queue pairs"
  kind        = "permutation"
  queue_pairs = 4
}

pattern "permutation-qp16" {
  doc         = "each host sends to another one, drawn at random, over 16 queue pairs"
  kind        = "permutation"
  queue_pairs = 16
}

pattern "neighbours" {
  doc  = "each host sends to the next one"
  kind = "neighbours"
}

pattern "all-to-all" {
  doc  = "each host sends to every other one at once"
  kind = "all-to-all"
}

pattern "all-to-all-16kb" {
  doc     = "each host sends one message of 16KB to every other one at once, whatever the time of the run"
  kind    = "all-to-all"
  message = "16KB"
}

pattern "all-to-all-64kb" {
  doc     = "each host sends one message of 64KB to every other one at once, whatever the time of the run"
  kind    = "all-to-all"
  message = "64KB"
}

pattern "all-to-all-256kb" {
  doc     = "each host sends one message of 256KB to every other one at once, whatever the time of the run"
  kind    = "all-to-all"
  message = "256KB"
}

pattern "ring-all-reduce" {
  doc  = "all-reduce in a ring; each step starts when the one before would be done at line rate"
  kind = "ring"
}

pattern "ring-all-reduce-1mb" {
  doc     = "all-reduce in a ring, once, over 1MB of data"
  kind    = "ring"
  message = "1MB"
}

pattern "ring-all-reduce-4mb" {
  doc     = "all-reduce in a ring, once, over 4MB of data"
  kind    = "ring"
  message = "4MB"
}

pattern "tree-all-reduce-64kb" {
  doc     = "all-reduce in a binary tree, once, over 64KB of data; each level starts when the one before would be done at line rate"
  kind    = "tree"
  message = "64KB"
}

pattern "tree-all-reduce-256kb" {
  doc     = "all-reduce in a binary tree, once, over 256KB of data; each level starts when the one before would be done at line rate"
  kind    = "tree"
  message = "256KB"
}

pattern "tree-all-reduce-1mb" {
  doc     = "all-reduce in a binary tree, once, over 1MB of data; each level starts when the one before would be done at line rate"
  kind    = "tree"
  message = "1MB"
}

pattern "storage-read-4kb" {
  doc     = "each host reads 4KB from others, drawn at random, at 10% of its line rate; requests are not sent"
  kind    = "random"
  message = "4KB"
  load    = "10%"
}

pattern "storage-read-64kb" {
  doc     = "each host reads 64KB from others, drawn at random, at 50% of its line rate; requests are not sent"
  kind    = "random"
  message = "64KB"
  load    = "50%"
}

pattern "storage-read-1mb" {
  doc     = "each host reads 1MB from others, drawn at random, at 50% of its line rate; requests are not sent"
  kind    = "random"
  message = "1MB"
  load    = "50%"
}

pattern "storage-write-4kb" {
  doc     = "each host writes 4KB to three others, drawn at random, at 5% of its line rate for each of the three"
  kind    = "random"
  message = "4KB"
  load    = "5%"
  copies  = 3
}

pattern "storage-write-64kb" {
  doc     = "each host writes 64KB to three others, drawn at random, at 20% of its line rate for each of the three"
  kind    = "random"
  message = "64KB"
  load    = "20%"
  copies  = 3
}

pattern "storage-write-1mb" {
  doc     = "each host writes 1MB to three others, drawn at random, at 20% of its line rate for each of the three"
  kind    = "random"
  message = "1MB"
  load    = "20%"
  copies  = 3
}

pattern "websearch-30" {
  doc   = "web search flows between hosts drawn at random, at 30 % of line rate"
  kind  = "random"
  sizes = "websearch"
  load  = "30%"
}

pattern "websearch-50" {
  doc   = "web search flows between hosts drawn at random, at 50 % of line rate"
  kind  = "random"
  sizes = "websearch"
  load  = "50%"
}

pattern "websearch-70" {
  doc   = "web search flows between hosts drawn at random, at 70 % of line rate"
  kind  = "random"
  sizes = "websearch"
  load  = "70%"
}

pattern "websearch-80" {
  doc   = "web search flows between hosts drawn at random, at 80 % of line rate"
  kind  = "random"
  sizes = "websearch"
  load  = "80%"
}

pattern "hadoop-30" {
  doc   = "Hadoop flows between hosts drawn at random, at 30 % of line rate"
  kind  = "random"
  sizes = "hadoop"
  load  = "30%"
}

pattern "hadoop-50" {
  doc   = "Hadoop flows between hosts drawn at random, at 50 % of line rate"
  kind  = "random"
  sizes = "hadoop"
  load  = "50%"
}

pattern "hadoop-70" {
  doc   = "Hadoop flows between hosts drawn at random, at 70 % of line rate"
  kind  = "random"
  sizes = "hadoop"
  load  = "70%"
}

pattern "hadoop-80" {
  doc   = "Hadoop flows between hosts drawn at random, at 80 % of line rate"
  kind  = "random"
  sizes = "hadoop"
  load  = "80%"
}

pattern "burst-8-16kb" {
  doc     = "8 hosts send 16KB each to one, every 100us"
  kind    = "incast"
  senders = 8
  message = "16KB"
  every   = "100us"
}

pattern "burst-8-64kb" {
  doc     = "8 hosts send 64KB each to one, every 100us"
  kind    = "incast"
  senders = 8
  message = "64KB"
  every   = "100us"
}

pattern "burst-15-64kb" {
  doc     = "15 hosts send 64KB each to one, every 200us"
  kind    = "incast"
  senders = 15
  message = "64KB"
  every   = "200us"
}

pattern "burst-15-256kb" {
  doc     = "15 hosts send 256KB each to one, every 500us"
  kind    = "incast"
  senders = 15
  message = "256KB"
  every   = "500us"
}

pattern "websearch-50-burst" {
  doc           = "web search flows at 50 % of line rate, and 8 hosts that send 64KB each to one every 200us"
  kind          = "random"
  sizes         = "websearch"
  load          = "50%"
  burst_senders = 8
  burst_message = "64KB"
  every         = "200us"
}

pattern "hadoop-50-burst" {
  doc           = "Hadoop flows at 50 % of line rate, and 8 hosts that send 64KB each to one every 200us"
  kind          = "random"
  sizes         = "hadoop"
  load          = "50%"
  burst_senders = 8
  burst_message = "64KB"
  every         = "200us"
}

pattern "opposite" {
  doc  = "each host sends to the one half the hosts further on"
  kind = "opposite"
}
