#!/bin/sh
# Runs coturn for a Thruflux service, with the secrets of a file and a certificate that Caddy or another program renews.
# It applies changes of both while it runs, without ending an allocation. Its environment:
#   RELAY_NAME          name of the relay, for the realm and the certificate;
#   RELAY_SECRETS       file with the secrets, the newest first (/run/secrets/turn-secret);
#   RELAY_CERTIFICATES  Caddy's folder of certificates; without one for RELAY_NAME, the relay has no TLS (/certificates);
#   RELAY_CERTIFICATE   NAME.crt instead of that folder, with its key next to it in NAME.key;
#   RELAY_TLS_PORT      port of turns: (5349; 443 if the relay has its own address);
#   RELAY_LISTEN        addresses to listen on, separated by spaces; all if empty;
#   RELAY_EXTERNAL      PUBLIC/PRIVATE if the machine only knows its private address;
#   RELAY_STATE         folder for files that this program needs while it runs (/run/coturn);
#   RELAY_ACCOUNT       account that coturn runs as (turnserver);
#   RELAY_LOOK          seconds between checks of both files (10)
set -eu
here=$(dirname "$0")
name=${RELAY_NAME:?the name of the relay, such as relay.example.org}
secrets=${RELAY_SECRETS:-/run/secrets/turn-secret}
certificates=${RELAY_CERTIFICATES:-/certificates}
state=${RELAY_STATE:-/run/coturn}
account=${RELAY_ACCOUNT:-turnserver}
umask 077
mkdir -p "$state"
database=$state/secrets.db certificate=$state/certificate.pem key=$state/key.pem

# The account of turnserver reads and writes here.
give() { [ "$(id -u)" != 0 ] || chown "$account:" "$@"; }

# Caddy has one folder per authority; this uses the newest certificate, and succeeds if it has changed.
take_certificate() {
  found=${RELAY_CERTIFICATE:-$(ls -t "$certificates"/*/"$name/$name.crt" 2>/dev/null | head -n 1)}
  [ -s "$found" ] && [ -s "${found%.crt}.key" ] || return 1
  ! cmp -s "$found" "$certificate" || return 1
  cp "${found%.crt}.key" "$key"
  cp "$found" "$certificate"
  give "$certificate" "$key"
}

follow_secrets() {
  sum=$(cksum <"$secrets")
  [ "$sum" != "${known:-}" ] || return 0
  "$here/follow-secrets.sh" "$secrets" "$name" "$database" || return 1
  give "$database"
  known=$sum
}

start() {
  set -- -c "$here/turnserver.conf" --realm="$name" --userdb="$database" --pidfile= --log-file=stdout
  if [ -s "$certificate" ]; then
    set -- "$@" --cert="$certificate" --pkey="$key" --tls-listening-port="${RELAY_TLS_PORT:-5349}" --no-dtls
  else
    set -- "$@" --no-tls --no-dtls
  fi
  for address in ${RELAY_LISTEN:-}; do set -- "$@" --listening-ip="$address" --relay-ip="$address"; done
  [ -z "${RELAY_EXTERNAL:-}" ] || set -- "$@" --external-ip="$RELAY_EXTERNAL"
  [ "$(id -u)" != 0 ] || set -- "$@" --proc-user="$account" --proc-group="$(id -gn "$account")"
  buffers=$here/socket-buffers.so
  [ -s "$buffers" ] || buffers=
  LD_PRELOAD=$buffers turnserver "$@" &
  server=$!
}

give "$state"
follow_secrets
take_certificate || true
start
trap 'kill "$server" 2>/dev/null; wait "$server" || true; exit 0' TERM INT
while kill -0 "$server" 2>/dev/null; do
  sleep "${RELAY_LOOK:-10}" &
  wait $! || true
  follow_secrets || true
  had=$([ -s "$certificate" ] && echo yes || true)
  if take_certificate; then
    if [ -n "$had" ]; then
      kill -USR2 "$server"
    else
      # The first certificate: coturn was started without TLS.
      kill "$server"
      wait "$server" || true
      start
    fi
  fi
done
wait "$server"
