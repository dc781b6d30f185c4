/** TOML as people write it: read within bounds, and changed without touching what stays. */
import { parse, patch } from '@decimalturn/toml-patch'
import { err, ok, type Result } from '#shared/result'
import type { SettingsDocument } from '#shared/settings'

/** Hundreds of times what all settings take. */
export const mostBytes = 64 * 1024

/** The library takes quadratic time for tables that move, and quadratic memory for dotted keys. */
const mostLines = 1000
const mostDotsInLine = 1000

/** What a text says. Error: why it makes no sense, with the line where that is known. */
export function parseToml(bytes: Uint8Array): Result<SettingsDocument, string> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return err('not UTF-8')
  }
  const lines = text.split('\n')
  if (lines.length > mostLines) return err(`more than ${mostLines} lines`)
  const dotted = lines.findIndex((line) => line.split('.').length > mostDotsInLine)
  if (dotted !== -1) return err(`line ${dotted + 1}: more than ${mostDotsInLine} dots`)
  try {
    return ok(parse(text) as SettingsDocument)
  } catch (reason) {
    return err(inWords(reason))
  }
}

/** `text` with what `document` says; comments, order and unknown keys stay where they are. */
export const patchToml = (text: string, document: SettingsDocument): string => patch(text, document)

/** The library quotes the line, too; a value in it may be a password. */
function inWords(reason: unknown): string {
  const { line, message } = reason as { readonly line?: unknown; readonly message?: unknown }
  const why = typeof message === 'string' ? (message.split('\n').at(-1) ?? '') : ''
  return typeof line === 'number' ? `line ${line}: ${why.slice(0, 200)}` : 'not TOML'
}
