#!/bin/sh
# prepare.sh NAME RELAY_NAME [EMAIL]: writes compose.yaml's settings to .env and secrets/. Keeps existing files.
set -eu
umask 077
cd "$(dirname "$0")"
[ $# -ge 2 ] || { sed -n 2p "$0" >&2; exit 2; }
if [ ! -e .env ]; then
  {
    echo "THRU_NAME=$1"
    echo "RELAY_NAME=$2"
    [ -z "${3:-}" ] || echo "CADDY_OPTIONS=email $3"
    echo "# 443 if the relay has its own address, see docs/self-hosting.md"
    echo "RELAY_TLS_PORT=5349"
  } >.env
fi
mkdir -p secrets
if [ ! -e secrets/turn-secret ]; then
  head -c 32 /dev/urandom | base64 | tr -d '\n=' >secrets/turn-secret
  echo >>secrets/turn-secret
  # The signaling nodes' account in their containers.
  [ "$(id -u)" != 0 ] || chown 1000:1000 secrets/turn-secret
fi
if [ ! -e secrets/redis-password ]; then
  # Letters and digits only, because it is also part of a URL.
  password=$(head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n')
  echo "requirepass $password" >secrets/redis-password
  echo "REDIS_URL=redis://:$password@redis:6379" >>.env
  # Redis has a separate account in its container. On this computer only the folder's owner can reach the file.
  chmod 644 secrets/redis-password
  # Older versions made both with other permissions.
  chmod 700 secrets
  chmod 600 .env
fi
echo "Ready: docker compose up -d --build"
