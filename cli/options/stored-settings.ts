/** What people set once and for all, for a command. */
import { configPath } from '#client/settings/config-path'
import { SettingsFile, type SettingsReading } from '#client/settings/settings-file'
import type { AppError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { Settings } from '#shared/settings/settings'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** The file of this account. */
export const settingsFile = (): SettingsFile => new SettingsFile(configPath())

/**
 * `options` with what the file says; a value that makes no sense is told. Error: `E_BAD_ARGUMENT` for a
 * file that can't be used, because it may forbid what the command would do.
 */
export function withSettings<T extends object>(
  options: T,
  file: SettingsFile,
  terminal: Pick<Terminal, 'note'>,
): Result<T & { readonly settings: Settings }, AppError> {
  const { settings, refusal, trouble } = file.read()
  if (refusal !== null) return err(refusal)
  if (trouble !== null) tell(trouble, terminal)
  return ok({ ...options, settings })
}

/** The settings of the file, or cautious values and a warning where it can't be used. */
export function readOrWarn(file: SettingsFile, terminal: Pick<Terminal, 'note'>): SettingsReading {
  const reading = file.read()
  const { trouble } = reading
  if (trouble !== null) tell(trouble, terminal)
  return reading
}

const tell = (
  { kind, file, detail }: NonNullable<SettingsReading['trouble']>,
  terminal: Pick<Terminal, 'note'>,
): void => {
  terminal.note(text.config.trouble[kind](file, detail), 'bad')
}
