#!/bin/sh
# Starts thru with the Node beside it, wherever this folder was unpacked to; links to this file are followed.
set -e
self=$(readlink -f "$0")
home=${self%/bin/*}/lib/thruflux
exec "$home/node" "$home/out/cli/thru.cjs" "$@"
