/** Gets the join code from an argument, `THRU_CODE`, standard input, or a prompt. */
import { createInterface } from 'node:readline'
import { completed, maxCodeTextLength, readCode } from '#shared/code/code-entry'
import type { JoinLink } from '#shared/code/join-link'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { type ExitCode, exitCodeOf, exitCodeOfSignal, exitCodes } from '../exit-codes'
import { errorText } from '../report/event-text'
import { readText } from '../terminal/standard-input'
import type { Terminal } from '../terminal/terminal'
import { text as words } from '../text'
import type { CommandContext } from './command-context'

/** Sources of codes; tests replace them. */
export type CodeSources = {
  /** The value of THRU_CODE in the environment. */
  readonly variable: string | undefined
  /** The first line of standard input. */
  readonly readLine: (signal: AbortSignal) => Promise<string>
  /** A person's answer; `null` if there is none or `signal` aborts. */
  readonly ask: (signal: AbortSignal) => Promise<string | null>
}

/** A code, and whether a person typed it just now, in which case another can be asked for. */
export type TakenCode = JoinLink & { readonly wasAsked: boolean }

/** Resolves with the code, or with the exit code of the command without one. */
export type TakeCode = (context: CommandContext) => Promise<Result<TakenCode, ExitCode>>

/** Takes the code from `argument` (`-` is standard input), or else from the other sources. */
export const codeTaker =
  (argument: string | undefined, sources: CodeSources): TakeCode =>
  async ({ reporter, terminal, stopped }) => {
    const stop = new AbortController()
    const taken = await Promise.race([stopped, take(argument, sources, terminal, stop.signal)])
    stop.abort()
    if (taken === null) return err(exitCodes.interrupted)
    if (typeof taken === 'string') return err(exitCodeOfSignal(taken))
    if (taken.ok) return taken
    reporter.fail(taken.error)
    return err(exitCodeOf(taken.error))
  }

/**
 * Takes a code and tries it; after a wrong code that a person typed, asks for another. Resolves with
 * the result of the last attempt.
 */
export async function tryCodes(
  takeCode: TakeCode,
  context: CommandContext,
  attempt: (code: JoinLink) => Promise<ExitCode>,
): Promise<ExitCode> {
  for (;;) {
    const taken = await takeCode(context)
    if (!taken.ok) return taken.error
    const exitCode = await attempt(taken.value)
    if (exitCode !== exitCodes.code || !taken.value.wasAsked) return exitCode
  }
}

async function take(
  argument: string | undefined,
  { variable, readLine, ask }: CodeSources,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Result<TakenCode, AppError> | null> {
  const given =
    argument === '-'
      ? await readLine(signal)
      : (argument ?? (variable === '' ? undefined : variable))
  if (given !== undefined) {
    const code = readCode(given)
    return code.ok ? ok({ ...code.value, wasAsked: false }) : code
  }
  if (!terminal.canAsk) {
    return err(appError('E_BAD_ARGUMENT', words.argument.cannotAskCode))
  }
  for (;;) {
    const answer = await ask(signal)
    if (answer === null) return null
    if (answer.trim() === '') continue
    const code = readCode(answer)
    if (code.ok) return ok({ ...code.value, wasAsked: true })
    terminal.note(errorText(code.error))
  }
}

/** The process's own sources. */
export const processCodeSources = (variable: string | undefined): CodeSources => ({
  variable,
  readLine: firstLine,
  ask: askCode,
})

async function firstLine(signal: AbortSignal): Promise<string> {
  // A longer text can't be a code, whatever follows.
  const isEnough = (text: string): boolean => text.includes('\n') || text.length > maxCodeTextLength
  const text = await readText(process.stdin, isEnough, signal)
  return text?.split('\n', 1)[0] ?? ''
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
    // Readline handles Ctrl-C itself; it must have its usual effect here, too.
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    lines.once('close', () => resolve(null))
    lines.question(words.prompt.code, end)
  })

/** Tab completes a word after three letters. */
export function completions(line: string): [string[], string] {
  const longer = completed(line)
  return [longer === line ? [] : [longer], line]
}
