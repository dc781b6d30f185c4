#!/bin/sh
# Starts thru with the bundled Node, wherever this folder was unpacked; follows links to this file.
set -e
self=$(readlink -f "$0")
home=${self%/bin/*}/lib/thruflux
exec "$home/node" "$home/out/cli/thru.cjs" "$@"
