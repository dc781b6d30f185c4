/** Reads the server's settings from a TOML file; a flag's setting has its name without the dashes. */
import { readFileSync } from 'node:fs'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { maxBytes, parseToml } from '#shared/toml-text'
import { checked, type Given, parseValue, readSecret, settingOf } from '#signaling/config/config'
import type { ServerConfig } from '#signaling/config/server-config'
import type { Setting, Value } from '#signaling/config/settings'
import { serverText } from '#signaling/config/text'

/** Reads the file. Errors: `E_BAD_ARGUMENT` with the file, and the line if known, as subject. */
export function readConfigFile(path: string): Result<Given, AppError> {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch {
    return wrong(serverText.fileMissing(path), path)
  }
  if (bytes.length > maxBytes) return wrong(serverText.fileTooLarge(path, maxBytes), path)
  const document = parseToml(bytes)
  if (!document.ok) return wrong(serverText.fileMalformed(path, document.error), path)
  const lines = bytes.toString('utf8').split('\n')
  const given = new Map<keyof ServerConfig, { value: Value; place: string }>()
  for (const [key, written] of Object.entries(document.value)) {
    const place = placeOf(path, lines, key)
    const named = settingOf(({ flag }) => flag === `--${key}`)
    if (named === null) return wrong(serverText.unknown(place), place)
    const [name, setting] = named
    const value = checked(setting, valueOf(setting, written), String(written), place)
    if (!value.ok) return value
    given.set(name, { value: value.value, place })
  }
  return ok(given)
}

/** A text is parsed like a flag's value; other types are used as they are. */
function valueOf(setting: Setting, written: unknown): Value | null {
  const { initial, isSecret } = setting
  if (isSecret === true) {
    // An empty name means no file, as in the output of `describeConfig`.
    if (written === '') return initial
    return typeof written === 'string' ? readSecret(setting, written) : null
  }
  if (typeof written === 'string') return parseValue(setting, written)
  const isAlike =
    typeof written === typeof initial && Array.isArray(written) === Array.isArray(initial)
  return isAlike ? (written as Value) : null
}

/** `FILE, line N: KEY`; keys inside tables have no line number. */
function placeOf(path: string, lines: readonly string[], key: string): string {
  const at = lines.findIndex((line) => /^\s*["']?([\w-]+)["']?\s*=/.exec(line)?.[1] === key)
  return at === -1 ? `${path}: ${key}` : `${path}, line ${at + 1}: ${key}`
}

const wrong = (detail: string, subject: string) => err(appError('E_BAD_ARGUMENT', detail, subject))
