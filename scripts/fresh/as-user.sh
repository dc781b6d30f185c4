#!/bin/sh
# Checks that an ordinary user first sees one command that installs existing packages. Run as root in a fresh checkout.
set -eu
copy=$(mktemp -d)
cp -R . "$copy/project"
chown -R nobody "$copy"
chmod 755 "$copy"
for command in "bootstrap.mjs build" "bootstrap.mjs start" package/package.mjs "bootstrap.mjs test"; do
  # shellcheck disable=SC2086
  if output=$(cd "$copy/project" && HOME="$copy" DISPLAY=:99 setpriv --reuid nobody --regid nogroup --clear-groups \
    node scripts/$command 2>&1); then
    echo "$command continued without its packages" >&2
    exit 1
  fi
  echo "$output"
  names=$(echo "$output" | sed -n "s/.*--no-install-recommends \([^']*\).*/\1/p")
  [ -n "$names" ] || { echo "no command in the output of $command" >&2; exit 1; }
  # shellcheck disable=SC2086
  apt-get -qq --simulate --no-install-recommends install $names >/dev/null
done
[ ! -e "$copy/project/node_modules" ] && [ ! -e "$copy/.cache" ]
rm -rf "$copy"
