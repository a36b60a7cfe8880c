#!/bin/sh
# Takes the steps beside it one after another. Run as root on the switch. Each is safe in
# itself; where one fails, those before it are taken back in turn, so that the switch ends
# as it was, with its headroom. Exit codes: 0 changed, 1 as it was, 2 neither: the message
# says which checkpoint the switch could not go back to.
set -u
cd "$(dirname "$0")" || exit 1

points=
back() {
  echo "$1 failed; going back" >&2
  for point in $points; do
    config rollback "$point" || { echo "the switch could not go back to $point: drain it" >&2; exit 2; }
  done
  exit 1
}

for step in [0-9]*.json; do
  point="roceplan-${step%.json}"
  config checkpoint "$point" || back "$step"
  points="$point $points"
  config apply-patch "$step" || back "$step"
done
for point in $points; do
  config delete-checkpoint "$point"
done
echo "done; config save keeps it"
