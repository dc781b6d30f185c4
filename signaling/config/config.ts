/**
 * The server's settings from flags, variables and files. A value out of bounds is an error and is never
 * silently replaced.
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

/** The origin of each setting's value: a flag, a variable, a place in a file, or `default`. */
export type Origins = { readonly [name in keyof ServerConfig]: string }

/** Settings with their origins. */
export type Configuration = { readonly config: ServerConfig; readonly origins: Origins }

/** Values from one source, each with its place in words. */
export type Given = ReadonlyMap<
  keyof ServerConfig,
  { readonly value: Value; readonly place: string }
>

/** The defaults with `changes`. Error: `E_BAD_ARGUMENT` naming the setting that is out of bounds. */
export function makeConfig(changes: Partial<ServerConfig>): Result<ServerConfig, AppError> {
  const config: Record<string, Value> = {}
  for (const name of names) {
    const value = changes[name] ?? settings[name].initial
    const error = settingError(settings[name], value, settings[name].flag)
    if (error !== null) return badArgument(error, settings[name].flag)
    config[name] = value
  }
  const { turnUrls, turnSecret, trustProxy, host, redis, stateFile, serverRelays, web, nodeName } =
    config as ServerConfig
  if (redis !== '' && stateFile !== '') {
    const { flag } = settings.stateFile
    return badArgument(serverText.oneState(settings.redis.flag, flag), flag)
  }
  // Both sides of a server relay must reach the same node, whatever load balancer is in front.
  if (redis !== '' && (serverRelays > 0 || web !== '') && nodeName === '') {
    const { flag } = settings.nodeName
    const relaying = serverRelays > 0 ? settings.serverRelays : settings.web
    return badArgument(
      serverText.serverRelaysNeedName(relaying.flag, settings.redis.flag, flag),
      flag,
    )
  }
  // A server behind a proxy shouldn't be reachable around it.
  if (trustProxy.length > 0 && host === '') config['host'] = '127.0.0.1'
  if (turnUrls.length > 0 === (turnSecret !== '')) return ok(config as ServerConfig)
  const missing = turnSecret === '' ? settings.turnSecret : settings.turnUrls
  return badArgument(serverText.relayNeedsBoth(missing.flag), missing.flag)
}

/** The defaults overridden by each source in turn. Errors: those of `makeConfig`. */
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

/** The names of changed settings, as in the file. Errors: `E_BAD_ARGUMENT` for a setting that needs a restart. */
export function changedLimits(
  before: ServerConfig,
  after: ServerConfig,
): Result<readonly string[], AppError> {
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const fixed = changed.map((name) => settings[name]).find(({ isLimit }) => isLimit !== true)
  return fixed === undefined
    ? ok(changed.map((name) => settings[name].flag.slice(2)))
    : badArgument(serverText.needsRestart(fixed.flag), fixed.flag)
}

/** Reads the environment. Errors: `E_BAD_ARGUMENT` with the variable as subject. */
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
 * Reads a command line: `--flag value`, `--flag=value`, bare switches; lists are separated by commas or
 * repeat their flag. Errors: `E_BAD_ARGUMENT` with the flag as subject.
 */
export function readFlags(args: readonly string[]): Result<Given, AppError> {
  const given = new Map<keyof ServerConfig, { value: Value; place: string }>()
  const texts = new Map<string, string>()
  for (let at = 0; at < args.length; at += 1) {
    const [flag = '', ...inline] = (args[at] ?? '').split('=')
    const named = settingOf((setting) => setting.flag === flag)
    if (named === null) return badArgument(serverText.unknown(flag), flag)
    const [name, setting] = named
    if (setting.isFlag === false) {
      return badArgument(serverText.noFlag(flag, flag.slice(2), setting.env), flag)
    }
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

/** The first setting for which `isMeant` is true; `null` without one. */
export const settingOf = (isMeant: (setting: Setting) => boolean): Named | null =>
  (Object.entries(settings) as [keyof ServerConfig, Setting][]).find(([, setting]) =>
    isMeant(setting),
  ) ?? null

/**
 * The first line of a file, or each non-empty line for a list; `null` if it can't be read. An empty list is
 * `null`, too, because an empty file must not open the server to everyone.
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

/** Parses a text as a value; `null` if it isn't one. */
export function parseValue({ initial, isDuration }: Setting, text: string): Value | null {
  if (typeof initial === 'string') return text
  if (typeof initial === 'object') return text.split(',')
  if (typeof initial === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  if (/^[0-9]{1,12}$/.test(text)) return Number(text)
  return isDuration === true ? parseDuration(text) : null
}

/** The value at `place`, if the setting accepts it; `text` is its written form. */
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
