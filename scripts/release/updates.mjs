// Which packages of a release the app updates itself with, and the manifests that they need. Signing is for the computer that has
// the key and is never online (sign-release.mjs); until then there is only this list.

/** Kinds of packages by the ends of their names; the name also has the target. */
const kinds = [
  { kind: 'appimage', platform: 'linux', name: /\.AppImage$/ },
  { kind: 'nsis', platform: 'win32', name: /-setup\.exe$/i },
  { kind: 'mac-zip', platform: 'darwin', name: /\.zip$/ },
]

/** The channels on which a version stands: what is released is for those on beta, too. */
export const channelsOf = (version) => (version.includes('-') ? ['beta'] : ['stable', 'beta'])

/** The target in a package's name, as `linux-x64`; undefined when there is none. */
function targetOf(name) {
  const [, system, arch] =
    /-(linux|win32|win|darwin|mac|macos)-(x64|arm64|universal)[-.]/.exec(name) ?? []
  const platform = { win: 'win32', mac: 'darwin', macos: 'darwin' }[system] ?? system
  return platform && { platform, arches: arch === 'universal' ? ['x64', 'arm64'] : [arch] }
}

/**
 * The manifests that these packages need: one for each package, target and channel.
 * @param {readonly string[]} names
 * @param {string} version
 * @returns {{ package: string, version: string, channel: string, target: string, kind: string }[]}
 */
export function manifestsOf(names, version) {
  return names.flatMap((name) => {
    const target = targetOf(name)
    const found = kinds.find((one) => one.platform === target?.platform && one.name.test(name))
    if (!found) return []
    return channelsOf(version).flatMap((channel) =>
      target.arches.map((arch) => ({
        ...{ package: name, version, channel, kind: found.kind },
        target: `${target.platform}-${arch}`,
      })),
    )
  })
}
