/** How a join code gets into a command: as argument, in `THRU_CODE`, on standard input, or asked for. */
import { errorText } from './event-text'
import { exitCodeOf, exitCodeOfSignal, exitCodes, type ExitCode } from './exit-codes'
import type { Reporter } from './reporter'
import { readText } from './standard-input'
import type { StopSignal } from './stop-signal'
import type { Terminal } from './terminal'
import { createInterface } from 'node:readline'
import { completed, readCode } from '#shared/code-entry'
import { type AppError, appError } from '#shared/errors'
import { longestCodeInput } from '#shared/join-code'
import { err, ok, type Result } from '#shared/result'

/** Where codes come from; tests put their own in its place. */
export type CodeSources = {
  /** Of the environment. */
  readonly variable: string | undefined
  /** The first line of standard input. */
  readonly readLine: (signal: AbortSignal) => Promise<string>
  /** What a person answers; `null` when nobody does or `signal` aborts. */
  readonly ask: (signal: AbortSignal) => Promise<string | null>
}

/** The code, or with what the command ends without one. */
export type TakeCode = (
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
) => Promise<Result<string, ExitCode>>

/** Takes the code of `argument`, `-` being standard input; without one that of the other sources. */
export const codeTaker =
  (argument: string | undefined, sources: CodeSources): TakeCode =>
  async (reporter, terminal, stopped) => {
    const stop = new AbortController()
    const taken = await Promise.race([stopped, take(argument, sources, terminal, stop.signal)])
    stop.abort()
    if (taken === null) return err(exitCodes.interrupted)
    if (typeof taken === 'string') return err(exitCodeOfSignal(taken))
    if (taken.ok) return taken
    reporter.fail(taken.error)
    return err(exitCodeOf(taken.error))
  }

async function take(
  argument: string | undefined,
  { variable, readLine, ask }: CodeSources,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Result<string, AppError> | null> {
  if (argument === '-') return readCode(await readLine(signal))
  const given = argument ?? (variable === '' ? undefined : variable)
  if (given !== undefined) return readCode(given)
  if (!terminal.canAsk) {
    const ways =
      'Nobody can be asked for the code here: set THRU_CODE, or add - and write it to standard input.'
    return err(appError('E_BAD_ARGUMENT', ways))
  }
  for (;;) {
    const answer = await ask(signal)
    if (answer === null) return null
    if (answer.trim() === '') continue
    const code = readCode(answer)
    if (code.ok) return ok(code.value)
    terminal.note(errorText(code.error))
  }
}

/** The process's own. */
export const processCodeSources = (variable: string | undefined): CodeSources => ({
  variable,
  readLine: firstLine,
  ask: askCode,
})

async function firstLine(signal: AbortSignal): Promise<string> {
  // What is longer is no code, whatever follows.
  const isEnough = (text: string): boolean => text.includes('\n') || text.length > longestCodeInput
  const text = await readText(process.stdin, isEnough, signal)
  return text.split('\n', 1)[0] ?? ''
}

const askCode = (signal: AbortSignal): Promise<string | null> =>
  new Promise((resolve) => {
    const lines = createInterface({
      input: process.stdin,
      output: process.stderr,
      completer: completions,
      historySize: 0,
    })
    const end = (answer: string | null): void => {
      resolve(answer)
      lines.close()
    }
    signal.addEventListener('abort', () => end(null), { once: true })
    // Readline takes Ctrl C for itself; it has to mean what it means everywhere else.
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    lines.once('close', () => resolve(null))
    lines.question('Join code: ', end)
  })

/** Tab completes a word after three letters. */
export function completions(line: string): [string[], string] {
  const longer = completed(line)
  return [longer === line ? [] : [longer], line]
}
