#!/bin/sh
# Runs the signaling server with this system's Node.
exec /usr/bin/node /usr/lib/thru-server/signaling/server.cjs "$@"
