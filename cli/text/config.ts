/** Sentences about settings. */
import type { SettingsErrorKind } from '#client/settings/settings-file'
import type { DraftRefusal } from '#shared/settings/server-draft'

export const configText = {
  /** A comment, which keeps the list valid TOML. */
  path: (path: string) => `# ${path}`,
  byDefault: (line: string) => `${line}  # default`,
  inPlace: (line: string) => `${line}  # the value in the file can't be used`,
  change: (key: string) => `Run "thru config get ${key}" to see the current value.`,
  addServer: 'Add a signaling server with: thru config server add wss://HOST',
  serverByName: 'network.defaultServer is the name of a server in the settings, not an address.',
  server: (entry: {
    readonly name: string
    readonly url: string
    readonly isUsed: boolean
    readonly hasPassword: boolean
  }) =>
    [
      entry.name,
      entry.url,
      ...(entry.isUsed ? ['in use'] : []),
      ...(entry.hasPassword ? ['with a password'] : []),
    ].join(' · '),
  refused: (field: DraftRefusal): string => {
    if (field === 'taken')
      return 'The settings already have a server at this host. Remove it first with: thru config server remove'
    return field === 'password'
      ? 'A password has at most 256 characters. Check the first line of the file.'
      : "This isn't a server address. Write it like wss://host or ws://host:port."
  },
  noServer: (name: string) =>
    `The settings have no server "${name}". List them with: thru config server list`,
  notUsedYet: (name: string, used: string) =>
    `${used} stays in use. To use the new one: thru config set network.defaultServer ${name}`,
  error: {
    'bad-values': (file, detail) =>
      `Some settings in ${file} can't be used: ${detail} Until you correct them with "thru config set", their defaults or safer values apply.`,
    malformed: (file, detail) =>
      `Nothing is shared or received, and safe settings apply, because ${file} can't be parsed (${detail}). Correct it, or move it away.`,
    newer: (file) =>
      `Nothing is shared or received, and safe settings apply, because a newer version of Thruflux wrote ${file}. Update Thruflux, or move the file away.`,
    unsafe: (file, detail) =>
      `Nothing is shared or received, and safe settings apply, because ${file} isn't safe to use (${detail}). Replace it with a file that you own.`,
    inaccessible: (file, detail) =>
      `Nothing is shared or received, and safe settings apply, because ${file} can't be read (${detail}). Give your account permission to read it.`,
  } satisfies {
    readonly [K in SettingsErrorKind]: (file: string, detail: string) => string
  },
} as const
