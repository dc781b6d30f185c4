#!/bin/sh
# Runs after every installation and upgrade. Menus, icons and file types have their own triggers.
set -e

# An older AppArmor can't read the profile and would report an error at its next start.
profile=/usr/lib/thruflux/apparmor
if [ -e /etc/apparmor.d/abi/4.0 ] && [ -e "$profile" ]; then
  cp "$profile" /etc/apparmor.d/thruflux
  if [ -d /sys/kernel/security/apparmor ] && command -v apparmor_parser >/dev/null; then
    apparmor_parser --replace --write-cache /etc/apparmor.d/thruflux || true
  fi
fi
