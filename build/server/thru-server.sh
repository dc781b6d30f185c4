#!/bin/sh
# The signaling server, by the Node of this system.
exec /usr/bin/node /usr/lib/thru-server/server.cjs "$@"
