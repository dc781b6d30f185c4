/** Sentences about settings. */
import type { SettingsErrorKind } from '#client/settings/settings-file'

export const configText = {
  /** A comment, which keeps the list valid TOML. */
  path: (path: string) => `# ${path}`,
  byDefault: (line: string) => `${line}  # default`,
  inPlace: (line: string) => `${line}  # the value in the file can't be used`,
  change: (key: string) => `Run "thru config get ${key}" to see the current value.`,
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
