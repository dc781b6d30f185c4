/** The app's settings, as used by a command. */
import { configPath } from '#client/settings/config-path'
import { SettingsFile, type SettingsReading } from '#client/settings/settings-file'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import {
  checkSetting,
  decodeSettings,
  patchDocument,
  type Settings,
  type SettingsEntry,
  settingsEntry,
  type SettingsPatch,
  unknownSetting,
} from '#shared/settings/settings'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import { whyNoLogFolder } from './qlog-folder'

/** The settings file of this account. */
export const settingsFile = (): SettingsFile => new SettingsFile(configPath())

/** Settings for this command alone, as `key=value`, and those that a share keeps for `--resume`. */
export type SetFlags = {
  readonly set?: readonly string[]
  /** False if no router may be asked to open ports. */
  readonly portMapping?: boolean
  /** False to record nothing in the history. */
  readonly history?: boolean
}

/**
 * `options` with the settings of the file, overridden by `--set`; invalid values are reported. Errors:
 * `E_BAD_ARGUMENT` for a file that can't be used, because it may forbid the command's action, and for
 * settings that `--set` can't change.
 */
export function withSettings<T extends SetFlags>(
  options: T,
  file: SettingsFile,
  terminal: Pick<Terminal, 'note'>,
): Result<T & { readonly settings: Settings }, AppError> {
  const { settings, refusal, error } = file.read()
  if (refusal !== null) return err(refusal)
  if (error !== null) tell(error, terminal)
  let changed = settings
  for (const one of options.set ?? []) {
    const next = withOne(changed, one)
    if (!next.ok) return next
    changed = next.value
  }
  const { network, general } = changed
  const sets = (key: string): boolean => options.set?.some((one) => one.startsWith(key)) === true
  return ok({
    ...options,
    settings: changed,
    ...(sets(mapping) && { portMapping: network.portMapping }),
    ...(sets(history) && { history: general.keepHistory }),
  })
}

const [mapping, history] = ['network.portMapping', 'general.keepHistory']

/** The other sections and settings have options, or belong to another program. */
const settable: ReadonlySet<string> = new Set([
  ...['sharing', 'receiving', 'advanced'],
  ...[mapping, history],
])

/** `settings` changed by `said`, a `key=value`. */
function withOne(settings: Settings, said: string): Result<Settings, AppError> {
  const [key = '', ...value] = said.split('=')
  const entry = settingsEntry(key)
  if (entry === undefined) return err(unknownSetting(key))
  if (!settable.has(entry.section) && !settable.has(key)) {
    return err(appError('E_BAD_ARGUMENT', text.argument.notSettable(key), '--set'))
  }
  const typed = typedValue(entry, value.join('='))
  if (!typed.ok) return typed
  const { value: folder } = typed
  const why = key === 'advanced.qlogFolder' && folder !== '' && whyNoLogFolder(String(folder))
  if (typeof why === 'string') {
    return err(appError('E_BAD_ARGUMENT', text.argument.qlogFolder(why), '--set'))
  }
  const patch = { [entry.section]: { [entry.name]: typed.value } } as SettingsPatch
  return ok(decodeSettings(patchDocument(settings, patch)).settings)
}

/** The settings of the file, or cautious values with a warning if it can't be used. */
export function readOrWarn(file: SettingsFile, terminal: Pick<Terminal, 'note'>): SettingsReading {
  const reading = file.read()
  const { error } = reading
  if (error !== null) tell(error, terminal)
  return reading
}

const tell = (
  { kind, file, detail }: NonNullable<SettingsReading['error']>,
  terminal: Pick<Terminal, 'note'>,
): void => terminal.note(text.config.error[kind](file, detail), 'bad')

/** Parses a typed value; lists may be JSON, and tables must be. Error: `E_BAD_ARGUMENT` with the key. */
export function typedValue(entry: SettingsEntry, typed: string): Result<unknown, AppError> {
  const { field } = entry
  const isJson = Array.isArray(field.fallback) && typed.trim().startsWith('[')
  const value = isJson ? jsonOf(typed) : field.parse(typed)
  const checked = checkSetting(entry, value)
  if (checked.ok) return checked
  const isTyped = value === undefined && field.expectsTyped !== undefined
  const detail = isTyped ? `${entry.key} must be ${field.expectsTyped}.` : checked.error.detail
  const { addServer, change } = text.config
  const hint = entry.key === 'network.servers' ? addServer : change(entry.key)
  return err(appError('E_BAD_ARGUMENT', `${detail} ${hint}`, entry.key))
}

function jsonOf(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown
  } catch {
    return undefined
  }
}
