# Traffic of this pod for `roceplan sim` and `roceplan tune`: training, with checkpoints of
# one job during collectives of another.

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

scenario "training-8-servers" {
  doc   = "64 GPUs: tensor parallelism inside of each server, then gradients on the rails, then experts among all"
  time  = "500us"
  hosts = "leaf-[01..08]:Ethernet[0..28/4]"

  collective {
    operation = all_reduce
    message   = "4MiB"
    group     = 8 # a server: NVLink alone
    repeat    = 2
    compute   = "20us"
  }
  collective {
    operation = all_reduce
    algorithm = ring
    message   = "2MiB"
    group     = 8
    stride    = 8 # GPUs of one rail
    start     = "60us"
  }
  collective {
    operation = all_to_all
    message   = "256KiB"
    skew      = "50%"
    start     = "120us"
  }
}
