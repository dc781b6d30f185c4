#!/bin/sh
# update.sh: brings what is in the checkout now without a break for anybody: one node after the other. Transfers do not notice, shares
# and receivers go over to the other node while one ends. Caddy and coturn are only started again where their own images changed.
set -eu
cd "$(dirname "$0")"
# A service from before Redis had a password gets one.
if [ -e .env ] && [ ! -e secrets/redis-password ]; then
  value() { sed -n "s/^$1=//p" .env; }
  ./prepare.sh "$(value THRU_NAME)" "$(value RELAY_NAME)"
fi
docker compose build
for node in 1 2; do
  docker compose up -d --no-deps "signaling-$node"
  until curl -fs "http://127.0.0.1:947$node/readyz" >/dev/null; do sleep 1; done
  # Caddy looks every 5 s whether a node is back, and has to know it before the other one ends.
  sleep "${THRU_SETTLE:-10}"
done
docker compose up -d
