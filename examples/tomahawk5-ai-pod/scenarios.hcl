# What this pod is built for, for `roceplan sim` and `roceplan tune`: training, with the
# checkpoints of one job beside the collectives of another.

scenario "training-step" {
  doc  = "a ring over all hosts, and an all-to-all of experts that begins with it"
  time = "500us"

  ring_all_reduce {
    message = "8MB"
  }
  all_to_all {
    message = "32KB"
  }
}

scenario "checkpoint" {
  doc  = "the hosts of two leaves write checkpoints, each to three others, while they run a ring"
  time = "500us"

  hosts = "leaf-[01..02]"

  ring_all_reduce {
    message = "8MB"
  }
  storage_write {
    message = "1MB"
    load    = "10%"
    start   = "100us"
  }
}

scenario "checkpoint-uplink-fails" {
  doc   = "the same hosts, and an uplink that fails while they write"
  time  = "500us"
  hosts = "leaf-[01..02]"

  storage_write {
    message = "1MB"
    load    = "10%"
  }
  link_failure {
    at          = "200us"
    convergence = "100us"
  }
  goals {
    max_latency       = "1s"
    usual_latency     = "1s"
    pauses_per_second = 1000
  }
}
