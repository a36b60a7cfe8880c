#!/bin/sh
# Takes the steps beside it one after another. Run as root on the switch. Each is safe in
# itself; where one fails, it and those before it are taken back in turn, so that the switch
# ends as it was, with its headroom. Exit codes: 0 changed, 1 as it was, 2 neither: the
# message says what the switch could not take back.
set -u
cd "$(dirname "$0")" || exit 1

taken=

lost() {
  echo "the switch could not take $1 back: drain it" >&2
  exit 2
}

back() {
  echo "$1 failed; going back" >&2
  for step in $taken; do
    case $step in
    *.json) config apply-patch "undo/$step" || lost "$step" ;;
    *) sh "undo/$step" || lost "$step" ;;
    esac
  done
  exit 1
}

# The updater may stop in the middle of a patch: a checkpoint knows what was before.
apply() {
  point="roceplan-${1%.json}"
  config checkpoint "$point" || back "$1"
  if ! config apply-patch "$1"; then
    config rollback "$point" || lost "$1"
    config delete-checkpoint "$point"
    back "$1"
  fi
  config delete-checkpoint "$point"
}

for step in [0-9]*; do
  case $step in
  *.json) apply "$step" ;;
  *)
    sh "$step" || {
      sh "undo/$step" || lost "$step"
      back "$step"
    }
    ;;
  esac
  taken="$step $taken"
done
echo "done; config save keeps it"
