#!/bin/sh
# The signaling server, by the Node of this system.
exec node /usr/lib/thru-server/server.cjs "$@"
