#!/bin/sh
# An ordinary user without the packages is told one command before anything else is tried, and every name in it exists.
# Run as root in a checkout on a fresh system.
set -eu
copy=$(mktemp -d)
cp -R . "$copy/project"
chown -R nobody "$copy"
chmod 755 "$copy"
for command in "bootstrap.mjs build" "bootstrap.mjs start" package/package.mjs "bootstrap.mjs test"; do
  # shellcheck disable=SC2086
  if output=$(cd "$copy/project" && HOME="$copy" DISPLAY=:99 setpriv --reuid nobody --regid nogroup --clear-groups \
    node scripts/$command 2>&1); then
    echo "$command went on without its packages" >&2
    exit 1
  fi
  echo "$output"
  names=$(echo "$output" | sed -n "s/.*--no-install-recommends \([^']*\).*/\1/p")
  [ -n "$names" ] || { echo "no command in what $command said" >&2; exit 1; }
  # shellcheck disable=SC2086
  apt-get -qq --simulate --no-install-recommends install $names >/dev/null
done
[ ! -e "$copy/project/node_modules" ] && [ ! -e "$copy/.cache" ]
rm -rf "$copy"
