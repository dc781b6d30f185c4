/** Reads TOML within bounds, and changes it without touching the rest of the text. */
import { parse, patch } from '@decimalturn/toml-patch'
import { err, ok, type Result } from '#shared/result'
import type { SettingsDocument } from '#shared/settings/settings'

/** Hundreds of times the size of all settings. */
export const maxBytes = 64 * 1024

/** The library takes quadratic time for tables that move, and quadratic memory for dotted keys. */
const maxLines = 1000
const maxDotsInLine = 1000

/** Far deeper than any setting. The library takes half a minute to change a line of thousands of brackets. */
const maxDepth = 16

/** Parses a text. Error: the reason, with the line where that is known. */
export function parseToml(bytes: Uint8Array): Result<SettingsDocument, string> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return err('not UTF-8')
  }
  const lines = text.split('\n')
  if (lines.length > maxLines) return err(`more than ${maxLines} lines`)
  const dotted = lines.findIndex((line) => line.split('.').length > maxDotsInLine)
  if (dotted !== -1) return err(`line ${dotted + 1}: more than ${maxDotsInLine} dots`)
  try {
    const document = parse(text) as SettingsDocument
    return isDeeperThan(maxDepth, document) ? err('nested too deeply') : ok(document)
  } catch (reason) {
    return err(inWords(reason))
  }
}

/** Updates `text` with the values of `document`. Comments, order and unknown keys stay. */
export const patchToml = (text: string, document: SettingsDocument): string => patch(text, document)

const isDeeperThan = (most: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((one) => isDeeperThan(most - 1, one)))

/** Omits the line that the library quotes, since a value in it may be a password. */
function inWords(reason: unknown): string {
  const { line, message } = reason as { readonly line?: unknown; readonly message?: unknown }
  const why = typeof message === 'string' ? (message.split('\n').at(-1) ?? '') : ''
  return typeof line === 'number' ? `line ${line}: ${why.slice(0, 200)}` : 'not TOML'
}
