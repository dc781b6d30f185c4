#!/bin/sh
# After every installation and upgrade. Menus, icons and types of files have triggers of their own.
set -e

# A profile that an older AppArmor can't read would be an error at its next start.
profile=/usr/lib/thruflux/apparmor
if [ -e /etc/apparmor.d/abi/4.0 ] && [ -e "$profile" ]; then
  cp "$profile" /etc/apparmor.d/thruflux
  if [ -d /sys/kernel/security/apparmor ] && command -v apparmor_parser >/dev/null; then
    apparmor_parser --replace --write-cache /etc/apparmor.d/thruflux || true
  fi
fi
