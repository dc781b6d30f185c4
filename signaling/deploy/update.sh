#!/bin/sh
# update.sh: deploys the checkout without an interruption, one node after the other. Transfers are not affected; shares and
# receivers move to the other node while one ends. Caddy and coturn are restarted only if their images changed.
set -eu
cd "$(dirname "$0")"
# Gives Redis a password if an older version made the service without one.
if [ -e .env ] && [ ! -e secrets/redis-password ]; then
  value() { sed -n "s/^$1=//p" .env; }
  ./prepare.sh "$(value THRU_NAME)" "$(value RELAY_NAME)"
fi
docker compose build
for node in 1 2; do
  docker compose up -d --no-deps "signaling-$node"
  until curl -fs "http://127.0.0.1:947$node/readyz" >/dev/null; do sleep 1; done
  # Caddy checks every 5 s whether a node is back, and must see it before the other one ends.
  sleep "${THRU_SETTLE:-10}"
done
docker compose up -d
