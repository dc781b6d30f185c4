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
    # The second is what the parser made of it, in a folder named by the kernel's features.
    rm -f /etc/apparmor.d/thruflux /var/cache/apparmor/*/thruflux
  fi
  ;;
esac
