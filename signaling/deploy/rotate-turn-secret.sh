#!/bin/sh
# rotate-turn-secret.sh FILE: puts a new secret before the one in FILE. coturn then accepts credentials by both. After a signal the
# nodes use the first line for new ones. Once the last of the old credentials has expired, remove the old line by --end FILE.
set -eu
umask 077
if [ "${1:-}" = --end ]; then
  first=$(head -n 1 "$2")
  printf '%s\n' "$first" >"$2"
  exit
fi
new=$(head -c 32 /dev/urandom | base64 | tr -d '\n=')
old=$(head -n 1 "${1:?the file with the secret}")
# In place, not by a rename: containers keep the file that was mounted.
printf '%s\n%s\n' "$new" "$old" >"$1"
