/**
 * The server's settings from where people write them. A value outside its bounds is an error, never
 * silently another value.
 */
import { readFileSync } from 'node:fs'
import { type AppError, appError } from '#shared/errors'
import { parseDuration } from '#shared/format/parse-duration'
import { err, ok, type Result } from '#shared/result'
import type { ServerConfig } from '#signaling/config/server-config'
import { type Setting, settings, type Value } from '#signaling/config/settings'
import { serverText } from '#signaling/config/text'

const names = Object.keys(settings) as (keyof ServerConfig)[]

/** A setting and its name in `ServerConfig`. */
type Named = readonly [keyof ServerConfig, Setting]

/** Where the value of each setting comes from: a flag, a variable, a place in a file, `default`. */
export type Origins = { readonly [name in keyof ServerConfig]: string }

/** Settings with their origins. */
export type Configuration = { readonly config: ServerConfig; readonly origins: Origins }

/** Values that one source gives, and the place of each in words. */
export type Given = ReadonlyMap<
  keyof ServerConfig,
  { readonly value: Value; readonly place: string }
>

/** The defaults with `changes`, or `E_BAD_ARGUMENT` naming the setting that is out of bounds. */
export function makeConfig(changes: Partial<ServerConfig>): Result<ServerConfig, AppError> {
  const config: Record<string, Value> = {}
  for (const name of names) {
    const value = changes[name] ?? settings[name].initial
    const error = settingError(settings[name], value, settings[name].flag)
    if (error !== null) return badArgument(error, settings[name].flag)
    config[name] = value
  }
  const { turnUrls, turnSecret, trustProxy, host, redis, stateFile, detours, nodeName } =
    config as ServerConfig
  if (redis !== '' && stateFile !== '') {
    const { flag } = settings.stateFile
    return badArgument(serverText.oneState(settings.redis.flag, flag), flag)
  }
  // The two sides of a detour have to come to the same node, whatever balancer is in front.
  if (redis !== '' && detours > 0 && nodeName === '') {
    const { flag } = settings.nodeName
    return badArgument(
      serverText.detoursNeedName(settings.detours.flag, settings.redis.flag, flag),
      flag,
    )
  }
  // Who is behind a proxy doesn't want to be reached past it.
  if (trustProxy.length > 0 && host === '') config['host'] = '127.0.0.1'
  if (turnUrls.length > 0 === (turnSecret !== '')) return ok(config as ServerConfig)
  const missing = turnSecret === '' ? settings.turnSecret : settings.turnUrls
  return badArgument(serverText.relayNeedsBoth(missing.flag), missing.flag)
}

/** The defaults with what the sources give, of which later ones win. Errors: those of `makeConfig`. */
export function mergeConfig(sources: readonly Given[]): Result<Configuration, AppError> {
  const changes: Partial<Record<keyof ServerConfig, Value>> = {}
  const origins: Partial<Record<keyof ServerConfig, string>> = {}
  for (const name of names) origins[name] = 'default'
  for (const [name, { value, place }] of sources.flatMap((source) => [...source])) {
    changes[name] = value
    origins[name] = place
  }
  const config = makeConfig(changes as Partial<ServerConfig>)
  return config.ok ? ok({ config: config.value, origins: origins as Origins }) : config
}

/** The flags of what differs. Errors: `E_BAD_ARGUMENT` for a setting that can't change without a restart. */
export function changedLimits(
  before: ServerConfig,
  after: ServerConfig,
): Result<readonly string[], AppError> {
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const fixed = changed.map((name) => settings[name]).find(({ isLimit }) => isLimit !== true)
  return fixed === undefined
    ? ok(changed.map((name) => settings[name].flag))
    : badArgument(serverText.needsRestart(fixed.flag), fixed.flag)
}

/** What the environment says. Errors: `E_BAD_ARGUMENT` with the variable as subject. */
export function readVariables(
  env: Readonly<Record<string, string | undefined>>,
): Result<Given, AppError> {
  const given = new Map<keyof ServerConfig, { value: Value; place: string }>()
  for (const [name, setting] of Object.entries(settings) as [keyof ServerConfig, Setting][]) {
    const text = env[setting.env]
    if (text === undefined || text === '') continue
    const value = checked(setting, parseValue(setting, text), text, setting.env)
    if (!value.ok) return value
    given.set(name, { value: value.value, place: setting.env })
  }
  return ok(given)
}

/**
 * What a command line says: `--flag value`, `--flag=value`, bare switches; lists have commas between, or
 * their flag comes again. Errors: `E_BAD_ARGUMENT` with the flag as subject.
 */
export function readFlags(args: readonly string[]): Result<Given, AppError> {
  const given = new Map<keyof ServerConfig, { value: Value; place: string }>()
  const texts = new Map<string, string>()
  for (let at = 0; at < args.length; at += 1) {
    const [flag = '', ...inline] = (args[at] ?? '').split('=')
    const named = settingOf((setting) => setting.flag === flag)
    if (named === null) return badArgument(serverText.unknown(flag), flag)
    const [name, setting] = named
    const isSwitch = typeof setting.initial === 'boolean'
    const said = inline.length > 0 ? inline.join('=') : isSwitch ? 'true' : args[(at += 1)]
    if (said === undefined) return badArgument(serverText.valueMissing(flag), flag)
    const isList = typeof setting.initial === 'object' && setting.isSecret !== true
    const before = isList ? texts.get(flag) : undefined
    const text = before === undefined ? said : `${before},${said}`
    texts.set(flag, text)
    const parsed = setting.isSecret === true ? readSecret(setting, text) : parseValue(setting, text)
    const value = checked(setting, parsed, text, flag)
    if (!value.ok) return value
    given.set(name, { value: value.value, place: flag })
  }
  return ok(given)
}

/** The settings of a command line over those of the environment over the defaults. Errors: those of both. */
export function readConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Result<ServerConfig, AppError> {
  const variables = readVariables(env)
  if (!variables.ok) return variables
  const flags = readFlags(args)
  if (!flags.ok) return flags
  const merged = mergeConfig([variables.value, flags.value])
  return merged.ok ? ok(merged.value.config) : merged
}

/** The first setting that is meant; `null` for none. */
export const settingOf = (isMeant: (setting: Setting) => boolean): Named | null =>
  (Object.entries(settings) as [keyof ServerConfig, Setting][]).find(([, setting]) =>
    isMeant(setting),
  ) ?? null

/**
 * The first line of a file, or for a list each line that is not empty; `null` when it can't be read. A list without any is `null`, too:
 * nothing may be open to everybody because a file is empty.
 */
export function readSecret({ initial }: Setting, path: string): Value | null {
  try {
    const lines = readFileSync(path, 'utf8').split(/\r?\n/)
    if (typeof initial === 'string') return lines[0] ?? ''
    const said = lines.filter((line) => line !== '')
    return said.length === 0 ? null : said
  } catch {
    return null
  }
}

/** The value that a text means; `null` for none. */
export function parseValue({ initial, isDuration }: Setting, text: string): Value | null {
  if (typeof initial === 'string') return text
  if (typeof initial === 'object') return text.split(',')
  if (typeof initial === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  if (/^[0-9]{1,12}$/.test(text)) return Number(text)
  return isDuration === true ? parseDuration(text) : null
}

/** What stands at `place`, if the setting takes it; `text` is how it was written. */
export function checked(
  setting: Setting,
  value: Value | null,
  text: string,
  place: string,
): Result<Value, AppError> {
  if (value === null) return badArgument(serverText.unreadable(place, text.slice(0, 100)), place)
  const error = settingError(setting, value, place)
  return error === null ? ok(value) : badArgument(error, place)
}

const badArgument = (detail: string, subject: string) =>
  err(appError('E_BAD_ARGUMENT', detail, subject))

function settingError(
  { initial, min = 0, max = 0, formError }: Setting,
  value: unknown,
  place: string,
): string | null {
  if (typeof initial === 'object') return formError?.(value, place) ?? null
  if (typeof value !== typeof initial) return serverText.wrongType(place, typeof initial)
  if (typeof value === 'string') {
    const fits = value === initial || max === 0 || (value.length >= min && value.length <= max)
    return fits ? (formError?.(value, place) ?? null) : serverText.wrongLength(place, min, max)
  }
  if (typeof value !== 'number') return null
  const fits = Number.isInteger(value) && value >= min && value <= max
  return fits ? null : serverText.outOfBounds(place, min, max)
}
