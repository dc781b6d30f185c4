/** Sentences about settings. */
import type { SettingsTrouble } from '#client/settings/settings-file'

/** See above. */
export const configText = {
  /** A comment, so that the list is TOML. */
  path: (path: string) => `# ${path}`,
  byDefault: (line: string) => `${line}  # default`,
  inPlace: (line: string) => `${line}  # what the file says can't be used`,
  change: (key: string) => `See what it is now with "thru config get ${key}".`,
  trouble: {
    'bad-values': (file, detail) =>
      `Some settings in ${file} can't be used: ${detail} Until you correct them with "thru config set", each has its default or a safer value.`,
    malformed: (file, detail) =>
      `Nothing is shared or received, and settings have safe values, because ${file} makes no sense (${detail}). Correct it, or move it away.`,
    newer: (file) =>
      `Nothing is shared or received, and settings have safe values, because a newer version of Thruflux wrote ${file}. Update Thruflux, or move the file away.`,
    unsafe: (file, detail) =>
      `Nothing is shared or received, and settings have safe values, because ${file} isn't safe to use (${detail}). Put a file of your own there.`,
    inaccessible: (file, detail) =>
      `Nothing is shared or received, and settings have safe values, because ${file} can't be read (${detail}). Give your account permission to read it.`,
  } satisfies {
    readonly [K in SettingsTrouble]: (file: string, detail: string) => string
  },
} as const
