/** The signaling server's password, from a file or a variable. */
import { readFileSync } from 'node:fs'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { text } from '../text'

/** The value of the variable, once read. */
let variable: string | undefined

/**
 * The first line of `file`, else the value of `THRU_SERVER_PASSWORD`; `undefined` for none. Error: the file can't be
 * read, or its first line is empty.
 */
export function serverPassword(file: string | undefined): Result<string | undefined, AppError> {
  variable ??= process.env['THRU_SERVER_PASSWORD']
  // Keeps the password from any program that this one might start.
  delete process.env['THRU_SERVER_PASSWORD']
  if (file === undefined) return ok(variable === '' ? undefined : variable)
  return passwordIn(file, '--server-password-file')
}

/** The first line of `file`, which is the value of `option`. Error: it can't be read, or the line is empty. */
export function passwordIn(file: string, option: string): Result<string, AppError> {
  let line = ''
  try {
    line = readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? ''
  } catch {
    // Reported below, like an empty file.
  }
  return line === ''
    ? err(appError('E_BAD_ARGUMENT', text.argument.passwordFile(file), option))
    : ok(line)
}
