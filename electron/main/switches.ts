/** Command-line switches for people and tests; unknown ones are ignored. */
import { isLinkOfOurs } from '#shared/code/join-link'
import { type RelayUse, relayUses } from '#shared/settings/relay-use'
import type { PageShortcut } from '#shared/shortcuts'

export type Switches = {
  readonly serverUrl: string | null
  readonly stunServers: readonly string[]
  readonly turnServers: readonly string[]
  readonly relayUse: RelayUse | null
  readonly downloads: string | null
  readonly userData: string | null
  readonly name: string | null
  readonly localPort: number | null
  readonly visibleOnNetwork: boolean
  /** True if this start may use public meeting points, as set. */
  readonly mayMeet: boolean
  /** A language tag; Chromium reads the same switch for its own texts. */
  readonly language: string | null
  /** Starts without showing the window, as at login. */
  readonly isHidden: boolean
  /** The window's first action, chosen from the menu of the app's icon. */
  readonly act: PageShortcut | null
  /** Registers a checkout or a portable copy to open join links. */
  readonly registerLinks: boolean
}

/** The actions of the desktop entry, `resources/desktop/linux/thruflux.desktop`. */
export const acts: Readonly<Record<string, PageShortcut>> = {
  '--share-files': 'chooseFiles',
  '--enter-code': 'codeField',
}

/**
 * Reads `--name=value`; a server may be repeated, and of other switches the last one applies. Arguments after a join
 * link are ignored, because the link may have supplied them.
 */
export function readSwitches(commandLine: readonly string[]): Switches {
  const link = commandLine.findIndex(isLinkOfOurs)
  const argv = link === -1 ? commandLine : commandLine.slice(0, link)
  const all = (name: string): readonly string[] =>
    argv
      .filter((argument) => argument.startsWith(`--${name}=`))
      .map((argument) => argument.slice(name.length + 3))
      .filter((value) => value !== '')
  const last = (name: string): string | null => all(name).at(-1) ?? null
  return {
    serverUrl: last('server-url'),
    stunServers: all('stun-server'),
    turnServers: all('turn-server'),
    relayUse: relayUses.find((use) => use === last('relay')) ?? null,
    downloads: last('downloads'),
    userData: last('user-data-dir'),
    name: last('name'),
    localPort: portOf(last('local-port')),
    visibleOnNetwork: !argv.includes('--no-lan'),
    mayMeet: !argv.includes('--no-meeting'),
    language: last('lang'),
    isHidden: argv.includes('--hidden'),
    act: Object.entries(acts).find(([name]) => argv.includes(name))?.[1] ?? null,
    registerLinks: argv.includes('--register-links'),
  }
}

const portOf = (text: string | null): number | null => {
  const port = text === null ? NaN : Number(text)
  return Number.isInteger(port) && port > 0 && port < 65536 ? port : null
}
