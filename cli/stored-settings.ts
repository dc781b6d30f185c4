/** What people set once and for all, for a command. */
import { configPath } from '#client/settings/config-path'
import { SettingsFile, type SettingsReading } from '#client/settings/settings-file'
import type { Terminal } from './terminal'
import { text } from './text'

/** The file of this account. */
export const settingsFile = (): SettingsFile => new SettingsFile(configPath())

/** What the file says. What of it can't be used is told, has its default, and stops no command. */
export function readOrWarn(file: SettingsFile, terminal: Pick<Terminal, 'note'>): SettingsReading {
  const reading = file.read()
  const { trouble } = reading
  if (trouble !== null) {
    terminal.note(text.config.trouble[trouble.kind](trouble.file, trouble.detail), 'bad')
  }
  return reading
}
