# Timers of the PFC watchdog.

formula "watchdog-time" {
  title = "Timer of the watchdog by the number of ports"
  text  = "The watchdog reads the counters of every queue at each poll, so SONiC gives a switch with more ports more time: the time of up to 32 ports once for every 32, rounded up, and at most what it takes."
  unit  = "ps"
  inputs = {
    base  = "1000000000..1000000000000 ps: of up to 32 ports"
    ports = "1..1024 count"
    limit = "1000000000..5000000000000 ps"
  }
  expression = min(limit, base * max(1, ceildiv(ports, 32)))
  source {
    document = "sonic-utilities"
    locator  = "pfcwd/main.py, start_default: 200 ms times max(1, (ports-1)/32+1)"
  }
  example {
    inputs = { base = 200000000000, ports = 96, limit = 5000000000000 }
    result = 600000000000
    source = "three times 200 ms"
  }
  example {
    inputs = { base = 100000000000, ports = 512, limit = 1000000000000 }
    result = 1000000000000
    source = "16 times 100 ms is above the 1000 ms that SONiC takes"
  }
}
