/** The password of a signaling server that is only for those who know it, of a file or a variable. */
import { readFileSync } from 'node:fs'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { text } from '../text'

/** The variable, once it was read. */
let variable: string | undefined

/**
 * The first line of `file`, else what the variable `THRU_SERVER_PASSWORD` says; `undefined` for none. Error: the file can't be
 * read, or begins with an empty line.
 */
export function serverPassword(file: string | undefined): Result<string | undefined, AppError> {
  variable ??= process.env['THRU_SERVER_PASSWORD']
  // No program that this one might start gets to see it.
  delete process.env['THRU_SERVER_PASSWORD']
  if (file === undefined) return ok(variable === '' ? undefined : variable)
  let line = ''
  try {
    line = readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? ''
  } catch {
    // Said below: a file that is empty is of as little use.
  }
  return line === ''
    ? err(appError('E_BAD_ARGUMENT', text.argument.passwordFile(file), '--server-password-file'))
    : ok(line)
}
