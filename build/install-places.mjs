// Package locations of files that the system, a shell, `man` or a file manager reads.

import { product } from '../scripts/package/product.mjs'

/** Files that `thru` prints, with its arguments. `npm run build` writes them. */
export const printed = {
  'out/cli/thru.1': ['man'],
  'out/cli/completions/thru.bash': ['completion', 'bash'],
  'out/cli/completions/_thru': ['completion', 'zsh'],
  'out/cli/completions/thru.fish': ['completion', 'fish'],
  'out/cli/completions/thru.ps1': ['completion', 'powershell'],
}

/** Sizes in pixels in the icon theme of freedesktop.org. */
export const iconSizes = [16, 22, 24, 32, 36, 48, 64, 72, 96, 128, 192, 256, 512]

const desktop = 'resources/desktop/linux'

/** Files installed with `thru`, below a prefix such as /usr; also in the package without the app. */
export const commandPlaces = {
  'out/cli/thru.1': 'share/man/man1/thru.1',
  'out/cli/completions/thru.bash': 'share/bash-completion/completions/thru',
  'out/cli/completions/_thru': 'share/zsh/site-functions/_thru',
  'out/cli/completions/thru.fish': 'share/fish/vendor_completions.d/thru.fish',
  LICENSE: 'share/doc/thruflux/LICENSE',
  'out/THIRD-PARTY-NOTICES.txt': 'share/doc/thruflux/THIRD-PARTY-NOTICES.txt',
}

/** Debian's zsh reads this folder; `site-functions` is for files installed by hand. */
export const debianPlaces = { 'out/cli/completions/_thru': 'share/zsh/vendor-completions/_thru' }

/** Files installed with the app on Linux, below a prefix. Packaging creates the icons and the metainfo. */
export const linuxPlaces = {
  ...commandPlaces,
  [`${desktop}/thruflux.desktop`]: 'share/applications/thruflux.desktop',
  'out/linux/metainfo.xml': `share/metainfo/${product.id}.metainfo.xml`,
  'resources/icons/icon.svg': 'share/icons/hicolor/scalable/apps/thruflux.svg',
  ...Object.fromEntries(
    iconSizes.map((size) => [
      `out/icons/${size}x${size}.png`,
      `share/icons/hicolor/${size}x${size}/apps/thruflux.png`,
    ]),
  ),
  [`${desktop}/nautilus.py`]: 'share/nautilus-python/extensions/thruflux.py',
  [`${desktop}/dolphin.desktop`]: 'share/kio/servicemenus/thruflux.desktop',
  [`${desktop}/thruflux.nemo_action`]: 'share/nemo/actions/thruflux.nemo_action',
  [`${desktop}/thunar-send-to.desktop`]: 'share/Thunar/sendto/thruflux.desktop',
}

/** Paths below an installation's folder on Windows. For completion, a user loads `thru.ps1` in their profile. */
export const windowsPlaces = {
  'out/cli/completions/thru.ps1': 'completions/thru.ps1',
  'resources/desktop/windows/send-to.ps1': 'send-to.ps1',
  LICENSE: 'LICENSE.txt',
  'out/THIRD-PARTY-NOTICES.txt': 'THIRD-PARTY-NOTICES.txt',
}

/** Paths below Contents/Resources of the app on macOS, for links made by a formula or a person. */
export const macosPlaces = {
  'out/cli/thru.1': 'man/man1/thru.1',
  'out/cli/completions/thru.bash': 'completions/thru.bash',
  'out/cli/completions/_thru': 'completions/_thru',
  'out/cli/completions/thru.fish': 'completions/thru.fish',
  'out/cli/completions/thru.ps1': 'completions/thru.ps1',
  LICENSE: 'LICENSE.txt',
  'out/THIRD-PARTY-NOTICES.txt': 'THIRD-PARTY-NOTICES.txt',
}

/** Files of the signaling server's package, below the system's root. */
export const serverPlaces = {
  'out/signaling/server.cjs': 'usr/lib/thru-server/signaling/server.cjs',
  'build/server/thru-server.sh': 'usr/bin/thru-server',
  'build/server/thru-server.service': 'usr/lib/systemd/system/thru-server.service',
  'build/server/environment': 'etc/thru-server/environment',
  'out/signaling/thru-server.8': 'usr/share/man/man8/thru-server.8',
  'out/signaling/THIRD-PARTY-NOTICES.txt': 'usr/share/doc/thru-server/THIRD-PARTY-NOTICES.txt',
  LICENSE: 'usr/share/doc/thru-server/copyright',
  'docs/signaling.md': 'usr/share/doc/thru-server/signaling.md',
  'docs/operating.md': 'usr/share/doc/thru-server/operating.md',
  'signaling/deploy/coturn/turnserver.conf': 'usr/share/doc/thru-server/examples/turnserver.conf',
}
