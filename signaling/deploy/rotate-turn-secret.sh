#!/bin/sh
# rotate-turn-secret.sh FILE: puts a new secret in front of the one that FILE has. coturn takes credentials by both from then
# on; the nodes give new ones by the first line once they are told, and the old line may go when the last of its credentials
# has ended. Run with --end FILE then.
set -eu
umask 077
if [ "${1:-}" = --end ]; then
  first=$(head -n 1 "$2")
  printf '%s\n' "$first" >"$2"
  exit
fi
new=$(head -c 32 /dev/urandom | base64 | tr -d '\n=')
old=$(head -n 1 "${1:?the file with the secret}")
# In place, not by a rename: containers see the file that they were given.
printf '%s\n%s\n' "$new" "$old" >"$1"
