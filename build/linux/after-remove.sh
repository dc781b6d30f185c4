#!/bin/sh
# After the app was removed; an upgrade comes here, too, and keeps what the new version has just installed.
set -e

# dpkg says "remove" or "purge", rpm the number of versions that are left.
case "${1-}" in
remove | purge | 0)
  if [ -e /etc/apparmor.d/thruflux ]; then
    if command -v apparmor_parser >/dev/null && [ -d /sys/kernel/security/apparmor ]; then
      apparmor_parser --remove /etc/apparmor.d/thruflux || true
    fi
    rm -f /etc/apparmor.d/thruflux
  fi
  ;;
esac
