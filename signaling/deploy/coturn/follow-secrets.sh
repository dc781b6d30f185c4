#!/bin/sh
# follow-secrets.sh FILE REALM DATABASE: writes the secrets of FILE, one per line, to coturn's database. coturn reads
# it at every request, so nothing is restarted and no allocation ends: credentials by any line of the file are valid.
set -eu
file=$1 realm=$2 database=$3

secrets=$(grep -E "^[^[:space:]'\\\\]{16,256}\$" "$file") || {
  echo "$file has no line of 16 to 256 characters without spaces and quotes." >&2
  exit 1
}
case $realm in *[!A-Za-z0-9.-]*) echo "$realm isn't a valid relay name." >&2; exit 1 ;; esac

# With a write-ahead log coturn can read during this write, and always finds all of them. turnadmin would lock the database, and
# show the secret in the list of processes.
{
  echo 'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE;'
  echo 'CREATE TABLE IF NOT EXISTS turn_secret (realm varchar(127), value varchar(256), primary key (realm, value));'
  echo "DELETE FROM turn_secret WHERE realm = '$realm';"
  printf '%s\n' "$secrets" | sort -u | sed "s/.*/INSERT INTO turn_secret VALUES ('$realm', '&');/"
  echo 'COMMIT;'
} | sqlite3 -batch -bail "$database" >/dev/null
