/** `thru config` reads and changes the settings that the app and this command share. */
import type { SettingsFile, SettingsReading } from '#client/settings/settings-file'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import {
  settingsEntries,
  type SettingsEntry,
  settingsEntry,
  type SettingsPatch,
  unknownSetting,
} from '#shared/settings/settings'
import { withoutPasswords } from '#shared/settings/settings-secrets'
import { parseServerUrl } from '#shared/signaling/server-url'
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes'
import { readOrWarn, settingsFile, typedValue } from '../options/stored-settings'
import { jsonText } from '../report/json-reporter'
import type { Reporter } from '../report/reporter'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import { configServer, type ServerCall } from './config-server'

export type ConfigCall =
  | { readonly kind: 'list' }
  | { readonly kind: 'path' }
  | { readonly kind: 'get'; readonly key: string }
  | { readonly kind: 'set'; readonly key: string; readonly value: string }
  | { readonly kind: 'unset'; readonly key: string }
  | ServerCall

/** Options of `config` and its subcommands. */
export type ConfigOptions = { readonly json?: boolean }

/** Runs `thru config`: values go to standard output, and a change prints nothing. */
export async function config(
  call: ConfigCall,
  { json }: ConfigOptions,
  reporter: Reporter,
  terminal: Terminal,
  file: SettingsFile = settingsFile(),
): Promise<ExitCode> {
  const answered = await answer(call, file, terminal, json === true)
  if (!answered.ok) reporter.fail(answered.error)
  reporter.end()
  return answered.ok ? exitCodes.complete : exitCodeOf(answered.error)
}

async function answer(
  call: ConfigCall,
  file: SettingsFile,
  terminal: Terminal,
  isJson: boolean,
): Promise<Result<null, AppError>> {
  const { path } = file
  if ('key' in call) return answerOf(call, file, terminal, isJson)
  if (call.kind === 'path') {
    terminal.out(isJson ? jsonText({ type: 'config', path }) : path)
    return ok(null)
  }
  if (call.kind === 'list') {
    const reading = readOrWarn(file, terminal)
    // People show a list to others more readily than a single value.
    const shown = { ...reading, settings: withoutPasswords(reading.settings) }
    terminal.out(isJson ? jsonText({ type: 'config', path }) : text.config.path(path))
    for (const entry of settingsEntries) terminal.out(settingLine(entry, shown, isJson))
    return ok(null)
  }
  return configServer(call, file, terminal, isJson)
}

/** Reads or changes one setting. */
async function answerOf(
  call: Extract<ConfigCall, { readonly key: string }>,
  file: SettingsFile,
  terminal: Terminal,
  isJson: boolean,
): Promise<Result<null, AppError>> {
  const { addServer, serverByName } = text.config
  const entry = settingsEntry(call.key)
  if (entry === undefined) {
    const unknown = unknownSetting(call.key)
    const isServer = call.key.startsWith('network.server')
    return err(isServer ? { ...unknown, detail: `${unknown.detail} ${addServer}` } : unknown)
  }
  if (call.kind === 'get') {
    const reading = readOrWarn(file, terminal)
    const { value } = settingOf(entry, reading)
    terminal.out(isJson ? settingLine(entry, reading, true) : plainValue(value))
    return ok(null)
  }
  const value = call.kind === 'unset' ? ok(null) : typedValue(entry, call.value)
  if (!value.ok) return value
  const { key } = entry
  if (key === 'network.defaultServer' && parseServerUrl(String(value.value)).ok) {
    return err(appError('E_BAD_ARGUMENT', `${serverByName} ${addServer}`, key))
  }
  const patch = { [entry.section]: { [entry.name]: value.value } } as SettingsPatch
  const changed = await file.change(patch)
  if (!changed.ok) return changed
  if (isJson) terminal.out(settingLine(entry, changed.value, true))
  return ok(null)
}

/** `isSet`: the file has a usable value, which may equal the default. `isBad`: it has one that can't be used. */
type Setting = { readonly value: unknown; readonly isSet: boolean; readonly isBad: boolean }

function settingOf({ section, name, key }: SettingsEntry, reading: SettingsReading): Setting {
  const { document, settings, bad, refusal } = reading
  const table = document[section]
  const isWritten = typeof table === 'object' && table !== null && Object.hasOwn(table, name)
  const values = settings[section] as Readonly<Record<string, unknown>>
  const isBad = refusal !== null || bad.some((one) => one.key === key || one.key === section)
  return { value: values[name], isSet: isWritten && !isBad, isBad }
}

function settingLine(entry: SettingsEntry, reading: SettingsReading, isJson: boolean): string {
  const { key, field } = entry
  const { value, isSet, isBad } = settingOf(entry, reading)
  if (isJson) {
    return jsonText({ type: 'setting', key, value, isSet, default: field.fallback })
  }
  const line = `${key} = ${JSON.stringify(value)}`
  if (isBad) return text.config.inPlace(line)
  return isSet ? line : text.config.byDefault(line)
}

/** Prints text without quotes and everything else as JSON, for scripts. */
const plainValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
