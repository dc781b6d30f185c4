/**
 * The table of all settings, with their bounds, defaults and meanings. App and command keep them in one file
 * (docs/settings.md).
 */
import * as z from 'zod'
import { type AppError, appError } from '#shared/errors'
import { languageTags } from '#shared/language'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import { parseProxySetting } from '#shared/settings/proxy-url'
import { conflictPolicies, patternSchema } from '#shared/settings/receive-options'
import { relayUses } from '#shared/settings/relay-use'
import {
  choice,
  count,
  type Field,
  flag,
  folder,
  isOneLine,
  line,
  list,
  rate,
  size,
} from '#shared/settings/settings-fields'
import { codeLives } from '#shared/settings/share-options'
import { visibilities } from '#shared/settings/visibility'
import { transportSizes } from '#shared/transport-sizes'
import { channels } from '#shared/update/feed'

/** Uses of public meeting points; `automatic` is without a configured server. */
export const meetingUses = ['ask', 'automatic', 'always', 'never'] as const

/** A signaling server with the STUN and TURN servers that belong to it. */
export type ServerProfile = {
  /** Display name, unique among the profiles. */
  readonly name: string
  /** `wss://host`, `ws://host:port`, or the same with `https` and `http`. */
  readonly url: string
  /** Fallback addresses in the same form, tried in this order when the server fails or doesn't know a code. */
  readonly fallbacks: readonly string[]
  /** Lines such as `stun:host:port`. */
  readonly stun: readonly string[]
  /** Lines such as `turn:user:password@host:port?transport=tcp`. */
  readonly turn: readonly string[]
  /** Password of a private server. */
  readonly password?: string | undefined
}

/** Maximum number of stored servers: more than anyone needs. */
const maxServers = 16

/** Fallback servers of a profile: each is queried before a code counts as unknown. */
export const maxFallbacks = 3

/** Maximum number of STUN or TURN servers of one profile. */
const maxIceServers = 8

/** Maximum number of public meeting points: a few of them are used at the same time. */
const maxMeetingRelays = 32

const textOf = (most: number) => z.string().min(1).max(most).refine(isOneLine)

const serverUrl = textOf(500).regex(/^(?:wss?|https?):\/\/[^\s?#@]+$/i)

/** Decodes a `ServerProfile`; the users of its addresses validate them. */
export const serverProfileSchema: z.ZodType<ServerProfile> = z.strictObject({
  name: textOf(64),
  url: serverUrl,
  fallbacks: z.array(serverUrl).max(maxFallbacks).readonly().default([]),
  stun: z.array(textOf(500)).max(maxIceServers).readonly().default([]),
  turn: z.array(textOf(1000)).max(maxIceServers).readonly().default([]),
  password: textOf(256).optional(),
})

const lives = Object.keys(codeLives) as [keyof typeof codeLives, ...(keyof typeof codeLives)[]]

/** The settings of each section, in the order in which people see them. */
export const settingsFields = {
  general: {
    name: line(
      limits.peerNameBytes,
      'Name of this computer for other people. Empty: its host name.',
    ),
    closeToTray: flag(
      true,
      'Keep shares and transfers running in the tray, if there is one, after the window is closed.',
    ),
    startAtLogin: flag(false, 'Start the app hidden when you log in, ready for contacts.'),
    keepAwake: flag(true, 'Keep the computer awake while data is being transferred.'),
    resumeShares: flag(
      true,
      'When the app starts, reopen the shares that were open when it quit, with the same codes.',
    ),
    keepHistory: { ...flag(true, 'Remember finished transfers in the history.'), cautious: false },
  },
  sharing: {
    maxReceivers: count(
      { from: 1, to: limits.maxReceiversPerShare },
      limits.receiversPerShare,
      'Maximum number of receivers of a share at the same time.',
    ),
    codeLife: choice(lives, '24h', 'How long a new code admits receivers.'),
    oneReceiver: {
      ...flag(false, 'A new code admits only one receiver.'),
      cautious: true,
    },
    approve: {
      ...flag(false, 'You approve each receiver before any part of a share is sent.'),
      cautious: true,
    },
    browsers: {
      ...flag(true, 'Let browsers receive, with a page of the server or of this computer.'),
      cautious: false,
    },
    links: flag(true, 'Offer symbolic links as links if they stay within the share.'),
    followLinks: flag(
      false,
      'Send the files and folders that symbolic links lead to, not the links.',
    ),
    gitignore: flag(false, 'Leave out files that .gitignore files in the share exclude.'),
    attributes: flag(
      false,
      'Offer the extended attributes of files and folders, such as the tags of macOS, and their creation times.',
    ),
    exclude: list(
      patternSchema,
      limits.patterns,
      'a list of patterns such as `"node_modules"` or `"*.tmp"`',
      'Names of files and folders to leave out of every share.',
    ),
  },
  receiving: {
    folder: folder(
      limits.pathBytes,
      'Absolute path of the folder where the window saves files. Empty: `Thruflux` in the Downloads folder.',
    ),
    rememberLast: flag(
      true,
      'Start the next receive in the window with the folder and conflict policy of the last one.',
    ),
    conflicts: choice(
      conflictPolicies,
      'update-unchanged',
      'What to do if a different file with the same name exists.',
    ),
    compareContent: flag(
      false,
      'Compare existing files by their content, not only by size and time.',
    ),
    prefetch: {
      ...flag(
        true,
        'Up to 8 MiB of an offer are sent before you accept it and kept in memory. The transfer then starts faster. Turn it off if your connection is metered.',
      ),
      cautious: false,
    },
    resume: flag(
      true,
      'Resume partial files of an earlier attempt, and keep them for a later one.',
    ),
    verify: flag(false, 'Read each file back from the disk before it gets its name.'),
    keepTimes: flag(
      true,
      'Keep the modification times of the sender. Without them, existing files are compared by their content.',
    ),
    keepExecutable: flag(true, 'Keep programs executable.'),
    keepAttributes: flag(
      false,
      'Keep extended attributes, such as the tags of macOS, and creation times, if the sender offers them.',
    ),
    makeLinks: flag(true, 'Create symbolic links that the sender offers.'),
    makeEmptyFolders: flag(true, 'Create empty folders.'),
    portableNames: flag(false, 'Use only names that every system allows.'),
    mark: flag(
      true,
      'Mark each received file as coming from another computer, so that the system can ask before it opens the file.',
    ),
  },
  network: {
    servers: list<ServerProfile>(
      serverProfileSchema,
      maxServers,
      'tables with `name`, `url`, the lists `fallbacks`, `stun` and `turn`, and a `password` if the server requires one',
      'Signaling servers, each with its fallbacks and its STUN and TURN servers.',
    ),
    defaultServer: line(
      64,
      'Name of the server to use. Empty: the built-in server of this copy of Thruflux, if any.',
    ),
    relay: {
      ...choice(
        relayUses,
        'automatic',
        'Use a relay only if there is no direct route, always (the other side then never sees your address), or never, including relays of the other side.',
      ),
      cautious: 'only',
    },
    proxy: {
      ...line(
        1000,
        'Proxy to signaling servers, and to TURN servers over TCP. `system` uses `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, and in the app otherwise the setting of the system. Addresses may have `user:password@` before the host.',
        {
          expects:
            '`system`, `none`, or an address such as `http://host:port` or `socks5://host:port`',
          fits: (text) => parseProxySetting(text) !== null,
        },
      ),
      fallback: 'system',
      // Deliberately invalid, so that no connection takes an unintended route.
      cautious: '',
    },
    visible: {
      ...choice(
        visibilities,
        'everyone',
        'Who finds this computer on the same network and can ask to send to it. With `contacts`, everyone else finds only shares whose code they have. With `off`, the local network is not used to find anything. Has no effect if a relay is always used.',
      ),
      cautious: 'off',
    },
    meeting: {
      ...choice(
        meetingUses,
        'ask',
        'Let computers on other networks find shares of this computer, and look for codes there, through public meeting points: if no server is set, always, or never. `ask`: the window asks before the first use, and the command uses none. Contacts that met without a server use them, too. Has no effect if a relay is always used.',
      ),
      cautious: 'never',
    },
    meetingRelays: list(
      textOf(500).regex(/^wss?:\/\/[^\s?#@]+$/i),
      maxMeetingRelays,
      'a list of addresses such as `"wss://relay.example.org"`',
      'Addresses of Nostr relays to use as public meeting points. Empty: the list of this copy of Thruflux.',
    ),
    portMapping: {
      ...flag(
        true,
        'Ask the router to open a port for each connection, by PCP, NAT-PMP or UPnP. Has no effect if a relay is always used.',
      ),
      cautious: false,
    },
    uploadLimit: rate('Maximum speed for sending, for all transfers together.'),
    downloadLimit: rate('Maximum speed for receiving, for all transfers together.'),
    background: flag(
      false,
      'Use only bandwidth that others leave free: transfers slow down as soon as a call or a download needs the connection, and so does the other side.',
    ),
  },
  contacts: {
    reachable: {
      ...flag(true, 'Contacts can send to this computer while Thruflux runs.'),
      cautious: false,
    },
  },
  appearance: {
    theme: choice(['system', 'light', 'dark'], 'system', 'Colors of the window.'),
    language: choice(
      ['system', ...languageTags],
      'system',
      'Language of the window and its dialogs and notifications. The command is always in English.',
    ),
  },
  notifications: {
    joined: flag(true, 'Someone has joined a share.'),
    asks: flag(true, 'Someone asks for approval.'),
    offers: flag(true, 'Someone offers you files.'),
    finished: flag(true, 'A transfer is complete.'),
    failed: flag(true, 'A transfer has failed or was interrupted.'),
  },
  updates: {
    automatic: {
      ...flag(
        true,
        'The app checks for new versions and installs them when it quits, unless the system does that; the command mentions a new version at most once a day.',
      ),
      cautious: false,
    },
    channel: choice(channels, 'stable', 'Release channel: final versions, or also beta versions.'),
  },
  advanced: {
    connectionWindow: size(
      transportSizes.connectionWindow,
      'Memory for data in flight of one transfer, from the next connection on. Automatic is 64 MiB, and up to 256 MiB on fast connections with a long delay.',
    ),
    socketBuffers: size(
      transportSizes.socketBuffers,
      'Size of the packet buffer in each direction that is requested from the system. The system may grant less; `-v` and the window show the size.',
    ),
    qlogFolder: folder(
      limits.pathBytes,
      'Absolute path of a folder for a qlog of each connection, for QUIC analysis tools, from the next connection on. Empty: no qlog.',
    ),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field<unknown>>>>>

type Fields = typeof settingsFields

export type SettingsSection = keyof Fields

/** The values of all settings. */
export type Settings = {
  readonly [S in SettingsSection]: {
    readonly [K in keyof Fields[S]]: Fields[S][K] extends Field<infer T> ? T : never
  }
}

/** Settings to change; `null` for the default. */
export type SettingsPatch = {
  readonly [S in SettingsSection]?: {
    readonly [K in keyof Settings[S]]?: Settings[S][K] | null | undefined
  }
}

/** A setting by its section and its name in that section. */
export type SettingsEntry = {
  readonly section: SettingsSection
  readonly name: string
  /** `network.relay` */
  readonly key: string
  readonly field: Field<unknown>
}

/** All settings, in order. */
export const settingsEntries: readonly SettingsEntry[] = Object.entries(
  settingsFields as Readonly<Record<string, Readonly<Record<string, Field<unknown>>>>>,
).flatMap(([section, fields]) =>
  Object.entries(fields).map(([name, field]) => ({
    section: section as SettingsSection,
    name,
    key: `${section}.${name}`,
    field,
  })),
)

const entriesByKey = new Map(settingsEntries.map((entry) => [entry.key, entry]))

/** The setting with this key, if there is one. */
export const settingsEntry = (key: string): SettingsEntry | undefined => entriesByKey.get(key)

/** An invalid setting in a file; its default or cautious value is used. */
export type BadSetting = {
  readonly key: string
  /** The expected value, as a sentence. */
  readonly reason: string
}

/** A document of settings, any of which may be missing. */
export type SettingsDocument = Readonly<Record<string, unknown>>

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A property of `object` itself, not an inherited one. */
const own = (object: unknown, key: string): unknown =>
  isTable(object) && Object.hasOwn(object, key) ? object[key] : undefined

const reasonFor = ({ key, field }: SettingsEntry): string => `${key} must be ${field.expects}.`

/** All settings, with defaults for those that `document` lacks or that are invalid; `bad` lists the latter. */
export function decodeSettings(document: SettingsDocument): {
  readonly settings: Settings
  readonly bad: readonly BadSetting[]
} {
  const sections: Record<string, Record<string, unknown>> = {}
  const bad: BadSetting[] = []
  for (const section of Object.keys(settingsFields)) {
    sections[section] = {}
    const found = own(document, section)
    if (found !== undefined && !isTable(found)) {
      bad.push({ key: section, reason: `${section} must be a table.` })
    }
  }
  for (const entry of settingsEntries) {
    const { section, name, key, field } = entry
    const written = own(own(document, section), name)
    const parsed = written === undefined ? undefined : field.schema.safeParse(written)
    if (parsed?.success === false) bad.push({ key, reason: reasonFor(entry) })
    const values = sections[section] ?? {}
    const { fallback, cautious = fallback } = field
    const isUnset = parsed === undefined && !bad.some(({ key: broken }) => broken === section)
    values[name] = isUnset ? fallback : parsed?.success === true ? parsed.data : cautious
  }
  const settings = sections as unknown as Settings
  const twice = sameNames(settings.network.servers)
  if (twice === null) return { settings, bad }
  const network = { ...settings.network, servers: [] }
  return {
    settings: { ...settings, network },
    bad: [...bad, { key: 'network.servers', reason: `Two servers are called "${twice}".` }],
  }
}

/** A name that two servers share, if any. */
function sameNames(servers: readonly ServerProfile[]): string | null {
  const names = servers.map(({ name }) => name)
  return names.find((name, index) => names.indexOf(name) !== index) ?? null
}

/** The values of an empty file. */
export const defaultSettings: Settings = decodeSettings({}).settings

/** Replaces unreadable settings: everything that a person may have switched off is off. */
export const cautiousSettings: Settings = decodeSettings(
  Object.fromEntries(Object.keys(settingsFields).map((section) => [section, 'not a table'])),
).settings

/**
 * Decodes a patch from a window, which can't set paths even if its page is compromised. Error: `E_BAD_ARGUMENT`, whose
 * subject is the setting's key.
 */
export function decodeSettingsPatch(raw: unknown): Result<SettingsPatch, AppError> {
  if (!isTable(raw)) return err(appError('E_BAD_ARGUMENT', 'settings must be a table'))
  const patch: Record<string, Record<string, unknown>> = {}
  for (const [section, values] of Object.entries(raw)) {
    if (values === undefined) continue
    if (!isTable(values)) return err(unknownSetting(section))
    const changed: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(values)) {
      const entry = settingsEntry(`${section}.${name}`)
      if (entry === undefined) return err(unknownSetting(`${section}.${name}`))
      if (value === undefined) continue
      if (value !== null && entry.field.isPath === true) return err(notTyped(entry.key))
      const parsed = value === null ? ok(null) : checkSetting(entry, value)
      if (!parsed.ok) return parsed
      changed[name] = parsed.value
    }
    patch[section] = changed
  }
  return ok(patch as SettingsPatch)
}

/** The value decoded by its setting. Error: `E_BAD_ARGUMENT`, whose subject is the setting's key. */
export function checkSetting(entry: SettingsEntry, value: unknown): Result<unknown, AppError> {
  const parsed = entry.field.schema.safeParse(value)
  if (!parsed.success) return err(appError('E_BAD_ARGUMENT', reasonFor(entry), entry.key))
  const twice =
    entry.key === 'network.servers' ? sameNames(parsed.data as readonly ServerProfile[]) : null
  return twice === null
    ? ok(parsed.data)
    : err(appError('E_BAD_ARGUMENT', `Two servers are called "${twice}".`, entry.key))
}

const notTyped = (key: string): AppError =>
  appError('E_BAD_ARGUMENT', "A folder can't be typed here. Choose it in the system's dialog.", key)

/** The error for an unknown key. */
export const unknownSetting = (key: string): AppError =>
  appError(
    'E_BAD_ARGUMENT',
    `There is no setting "${key.slice(0, 100)}". List all settings with thru config.`,
    key.slice(0, 100),
  )

/** Applies a patch to `document`: sets values, and removes those with their default. */
export function patchDocument(document: SettingsDocument, patch: SettingsPatch): SettingsDocument {
  const changed = new Map(Object.entries(document))
  for (const [section, values] of Object.entries(patch)) {
    const before = changed.get(section)
    const table = new Map(isTable(before) ? Object.entries(before) : [])
    for (const [name, value] of Object.entries(values)) {
      if (value === null) table.delete(name)
      else if (value !== undefined) table.set(name, value)
    }
    // An empty table stays, because its comments would be lost with it.
    if (table.size > 0 || isTable(before)) changed.set(section, Object.fromEntries(table))
  }
  return Object.fromEntries(changed)
}
