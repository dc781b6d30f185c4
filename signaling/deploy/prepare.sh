#!/bin/sh
# prepare.sh NAME RELAY_NAME [EMAIL]: what compose.yaml needs to know, in .env and secrets/. What is there stays.
set -eu
cd "$(dirname "$0")"
[ $# -ge 2 ] || { sed -n 2p "$0" >&2; exit 2; }
if [ ! -e .env ]; then
  {
    echo "THRU_NAME=$1"
    echo "RELAY_NAME=$2"
    [ -z "${3:-}" ] || echo "CADDY_OPTIONS=email $3"
    echo "# 443 where the relay has an address of its own, see docs/self-hosting.md"
    echo "RELAY_TLS_PORT=5349"
  } >.env
fi
if [ ! -e secrets/turn-secret ]; then
  mkdir -p secrets
  umask 077
  head -c 32 /dev/urandom | base64 | tr -d '\n=' >secrets/turn-secret
  echo >>secrets/turn-secret
  # The account that the signaling nodes run as in their containers.
  [ "$(id -u)" != 0 ] || chown 1000:1000 secrets/turn-secret
fi
echo "Ready: docker compose up -d --build"
