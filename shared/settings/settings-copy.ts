/** Export and import of settings as a file, to carry them to another computer. */
import { parseProxySetting, proxyUrl } from '#shared/settings/proxy-url'
import {
  type BadSetting,
  decodeSettings,
  type ServerProfile,
  type Settings,
  type SettingsDocument,
  settingsEntries,
  settingsEntry,
  type SettingsPatch,
} from '#shared/settings/settings'
import { withoutPassword } from '#shared/settings/settings-secrets'

/** An exported file. */
export type SettingsCopy = {
  /** Differences from the defaults, without any passwords. */
  readonly document: SettingsDocument
  /** Number of TURN servers left out because their lines contain passwords. */
  readonly withheld: number
}

/** One setting that an import would change. */
export type SettingsChange = { readonly key: string; readonly from: string; readonly to: string }

/** The effects of an import. */
export type SettingsImport = {
  readonly patch: SettingsPatch
  readonly changes: readonly SettingsChange[]
  /** Invalid settings, which keep their present values. */
  readonly refused: readonly BadSetting[]
  /** Number of settings that this version does not know. */
  readonly unknown: number
}

const hasPassword = (line: string): boolean => line.includes('@')

/** The settings to export; `null` for a value that is a default. */
export function exportedSettings(settings: Settings): SettingsCopy {
  let withheld = 0
  const open = ({ password: _, ...server }: ServerProfile): ServerProfile => {
    const turn = server.turn.filter((line) => !hasPassword(line))
    withheld += server.turn.length - turn.length
    return { ...server, turn }
  }
  const { network } = settings
  const shown: Settings = {
    ...settings,
    network: {
      ...network,
      proxy: withoutUser(network.proxy),
      servers: network.servers.map(open),
    },
  }
  const document: Record<string, Record<string, unknown>> = {}
  for (const { section, name, field } of settingsEntries) {
    const value = valueOf(shown, section, name)
    if (same(value, field.fallback)) continue
    document[section] = { ...document[section], [name]: value }
  }
  return { document, withheld }
}

/** The setting without user and password. */
function withoutUser(text: string): string {
  const proxy = parseProxySetting(text)
  return proxy === null || typeof proxy === 'string' || proxy.user === ''
    ? text
    : proxyUrl({ ...proxy, user: '', password: '' })
}

/** The changes that a file would make to `settings`; settings that it does not name stay. */
export function importedSettings(settings: Settings, document: SettingsDocument): SettingsImport {
  const { settings: read, bad } = decodeSettings(document)
  const patch: Record<string, Record<string, unknown>> = {}
  const changes: SettingsChange[] = []
  let unknown = 0
  for (const [section, values] of Object.entries(document)) {
    if (typeof values !== 'object' || values === null || Array.isArray(values)) continue
    for (const name of Object.keys(values)) {
      const key = `${section}.${name}`
      const entry = settingsEntry(key)
      if (entry === undefined) unknown += 1
      if (entry === undefined || bad.some((one) => one.key === key)) continue
      const from = valueOf(settings, entry.section, name)
      const to = withOwnPasswords(key, valueOf(read, entry.section, name), settings.network)
      if (same(from, to)) continue
      patch[section] = { ...patch[section], [name]: to }
      changes.push({ key, from: inWords(from), to: inWords(to) })
    }
  }
  return { patch: patch, changes, refused: bad, unknown }
}

/** Adds the passwords stored here to a value of the file, which never contains them. */
function withOwnPasswords(key: string, value: unknown, own: Settings['network']): unknown {
  if (key === 'network.servers') return withOwnSecrets(value as typeof own.servers, own.servers)
  return key === 'network.proxy' && withoutUser(own.proxy) === value ? own.proxy : value
}

/**
 * A known server keeps its password, and its TURN servers if the file has none, since the export left out those with
 * passwords.
 */
const withOwnSecrets = (
  read: readonly ServerProfile[],
  own: readonly ServerProfile[],
): readonly ServerProfile[] =>
  read.map((server) => {
    const known = own.find(({ url }) => url === server.url)
    if (known === undefined) return server
    const { password = known.password } = server
    const turn = server.turn.length > 0 ? server.turn : known.turn
    return { ...server, turn, ...(password !== undefined && { password }) }
  })

const valueOf = (settings: Settings, section: keyof Settings, name: string): unknown =>
  (settings[section] as Readonly<Record<string, unknown>>)[name]

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Characters of a value that people read. */
const maxShown = 200

/** The value as JSON, without passwords. */
const inWords = (value: unknown): string =>
  JSON.stringify(value, withoutPassword).slice(0, maxShown)
