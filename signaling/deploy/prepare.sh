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
  # Letters and digits only, because it is part of a URL, too.
  password=$(head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n')
  echo "requirepass $password" >secrets/redis-password
  echo "REDIS_URL=redis://:$password@redis:6379" >>.env
  # In its container Redis has an account of its own. On this computer only the folder's owner gets to the file.
  chmod 644 secrets/redis-password
  # Both may exist from before there was a password.
  chmod 700 secrets
  chmod 600 .env
fi
echo "Ready: docker compose up -d --build"
