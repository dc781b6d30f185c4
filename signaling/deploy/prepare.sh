#!/bin/sh
# prepare.sh NAME RELAY_NAME [EMAIL]: what compose.yaml needs to know, in .env and secrets/. What is there stays.
set -eu
umask 077
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
mkdir -p secrets
if [ ! -e secrets/turn-secret ]; then
  head -c 32 /dev/urandom | base64 | tr -d '\n=' >secrets/turn-secret
  echo >>secrets/turn-secret
  # The account that the signaling nodes run as in their containers.
  [ "$(id -u)" != 0 ] || chown 1000:1000 secrets/turn-secret
fi
if [ ! -e secrets/redis-password ]; then
  # In letters and digits: it is part of an address, too.
  password=$(head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n')
  echo "requirepass $password" >secrets/redis-password
  echo "REDIS_URL=redis://:$password@redis:6379" >>.env
  # Redis has an account of its own in its container. Nobody else gets past the folder, here it is for its owner alone.
  chmod 644 secrets/redis-password
  # Both may be from a time without a password.
  chmod 700 secrets
  chmod 600 .env
fi
echo "Ready: docker compose up -d --build"
