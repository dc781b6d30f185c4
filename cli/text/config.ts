/** Sentences about settings. */

/** See above. */
export const configText = {
  /** A comment, so that the list is TOML. */
  path: (path: string) => `# ${path}`,
  byDefault: (line: string) => `${line}  # default`,
  change: (key: string) => `See what it is now with "thru config get ${key}".`,
} as const
