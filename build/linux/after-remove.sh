#!/bin/sh
# Runs after a removal and after an upgrade, which keeps the files that the new version has just installed.
set -e

# dpkg passes "remove" or "purge", rpm the number of remaining versions.
case "${1-}" in
remove | purge | 0)
  if [ -e /etc/apparmor.d/thruflux ]; then
    if command -v apparmor_parser >/dev/null && [ -d /sys/kernel/security/apparmor ]; then
      apparmor_parser --remove /etc/apparmor.d/thruflux || true
    fi
    # The second file is the parser's cache, in a folder named after the kernel's features.
    rm -f /etc/apparmor.d/thruflux /var/cache/apparmor/*/thruflux
  fi
  ;;
esac
