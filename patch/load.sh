#!/bin/sh
# Clears the QoS tables of the switch and loads new.json, without the updater of patches,
# which refuses this change. Run as root on the switch, with its ports drained: traffic is
# lossless before and after, not between. Where it fails, old.json is loaded in the same
# way. Exit codes: 0 changed, 1 as it was, 2 neither: it stays drained.
set -u
cd "$(dirname "$0")" || exit 1

if [ "${1:-}" != --drained ]; then
  echo "drain the ports, then run: $0 --drained" >&2
  exit 1
fi

# Rows of this table are not cleared with the others, and loading adds to what they hold.
forget() {
  rows=$(sonic-db-cli CONFIG_DB KEYS 'TC_TO_DSCP_MAP|*') || return
  for row in $rows; do
    sonic-db-cli CONFIG_DB DEL "$row" || return
  done
}

lay() { pfcwd stop && config qos clear && forget && config load -y "$1"; }

lay new.json && { echo "done; config save keeps it"; exit 0; }
echo "new.json failed; going back" >&2
lay old.json && exit 1
echo "the switch could not go back to old.json: it has no headroom, leave it drained" >&2
exit 2
