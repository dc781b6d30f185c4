/** The terminal that the command runs in, or the files and pipes in its place. */
import { createInterface } from 'node:readline'
import { isatty } from 'node:tty'
import { visibleText } from '#shared/format/visible-text'
import { text } from '../text'
import type { Question } from '../text/prompts'
import { colored, hasColor, isDumb, type Tone } from './color'
import { isInForeground, KeyInput } from './key-input'

/** What could follow what was typed, and what of that it completes: of `node:readline`. */
export type Complete = (typed: string) => [string[], string]

/** Tests put their own in its place. */
export interface Terminal {
  /** Somebody is there to answer. */
  readonly canAsk: boolean
  /** Output may be redrawn, so progress can be a moving bar. */
  readonly canDraw: boolean
  /** Width of what is drawn, in characters. */
  readonly columns: number
  /** A question waits for its answer: nothing may be drawn over it. */
  readonly isAsking: boolean
  /** One line of what was asked for, to standard output. */
  out(line: string, tone?: Tone): void
  /** One line about it, to standard error. */
  note(line: string, tone?: Tone): void
  /**
   * True for yes; false for no, for nothing, and when `signal` aborts or the input ends. `?` explains,
   * and whatever else is typed is a slip: it asks again. One question waits for another.
   */
  ask(question: Question, signal: AbortSignal): Promise<boolean>
  /** The chosen one of `keys`, which are lower case; `null` and invalid answers as above. */
  choose(question: Question, keys: readonly string[], signal: AbortSignal): Promise<string | null>
  /**
   * A line as it was typed; `complete` says what Tab makes of it. `null` when nobody answers. One question
   * waits for another.
   */
  readLine(question: string, complete: Complete): Promise<string | null>
  /**
   * Hands single keys to `onKey`, in lower case, until the result is called; nothing while a question
   * waits. False, and no key ever comes, where nobody types or the command runs in the background.
   */
  readKeys(onKey: (key: string) => void): (() => void) | false
}

/** Where terminals are asked for their width in vain. */
const usualColumns = 80

/** Control sequences of the terminal itself; false, and nothing, where standard error is none. */
export const sendSequence = (sequence: string): boolean => {
  if (!process.stderr.isTTY || isDumb(process.env)) return false
  process.stderr.write(sequence)
  return true
}

/**
 * One of the process's streams to write to, which every output of this command has from here. Who closes its other
 * end has read enough: what is asked for goes on, and ends with its own exit code.
 */
export function outputOf(stream: 'stdout' | 'stderr'): NodeJS.WriteStream {
  const output = process[stream]
  if (!output.listeners('error').includes(ignoreError)) output.on('error', ignoreError)
  return output
}

const ignoreError = (): void => undefined

/**
 * The process's own streams. Every line is escaped on its way out. `color` is that of `--color`. Where
 * data goes to standard output, all lines go to standard error.
 */
export function processTerminal(color?: string, isDataOut = false): Terminal {
  const stderr = outputOf('stderr')
  // Not `process.stdout` then: Node would change how writes to a pipe wait.
  const stdout = isDataOut ? stderr : outputOf('stdout')
  const hasColors = {
    out: hasColor(color, stdout.isTTY, process.env),
    note: hasColor(color, stderr.isTTY, process.env),
  }
  const shown = (line: string, tone: Tone | undefined, colors: boolean): string =>
    tone !== undefined && colors ? colored(visibleText(line), tone) : visibleText(line)
  const note: Terminal['note'] = (line, tone) =>
    void stderr.write(`${shown(line, tone, hasColors.note)}\n`)
  let waiting = 0
  let keys: KeyInput | null = null
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    waiting += 1
    keys?.hold()
    const turn = last.then(run)
    last = turn.catch(() => undefined)
    return turn.finally(() => {
      waiting -= 1
      if (waiting === 0) keys?.resume()
    })
  }
  return {
    // Not `process.stdin`, which would begin to read a pipe that the engine reads.
    canAsk: isatty(0) && stderr.isTTY,
    canDraw: stderr.isTTY && !isDumb(process.env),
    get columns() {
      return stderr.columns > 0 ? stderr.columns : usualColumns
    },
    get isAsking() {
      return waiting > 0
    },
    out: (line, tone) => void stdout.write(`${shown(line, tone, hasColors.out)}\n`),
    note,
    ask: async ({ ask, help }, signal) => {
      const question = { ask: text.prompt.yesOrNo(ask), help }
      const answers = ['y', 'yes', 'n', 'no', '']
      const answer = await inTurn(() => untilOneOf(answers, question, signal, askLine, note))
      return answer === 'y' || answer === 'yes'
    },
    choose: (question, answers, signal) =>
      inTurn(() => untilOneOf(answers, question, signal, askLine, note)),
    readLine: (question, complete) =>
      inTurn(() => typedLine(question, new AbortController().signal, complete)),
    readKeys: (onKey) => {
      if (!isatty(0) || !stderr.isTTY || !isInForeground(process.platform)) return false
      const signals = {
        interrupt: () => void process.kill(process.pid, 'SIGINT'),
        suspend: () => {
          keys?.hold()
          process.once('SIGCONT', () => keys?.resume())
          process.kill(process.pid, 'SIGTSTP')
        },
      }
      keys = new KeyInput(process.stdin, signals, onKey)
      if (waiting === 0) keys.resume()
      return () => {
        keys?.hold()
        keys = null
      }
    },
  }
}

/** What was typed, in lower case without spaces around; `null` when nobody answers. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string | null>

/**
 * Asks until one of `answers` comes, and explains them after `?`; `null` when nobody is there or
 * `signal` has aborted.
 */
export async function untilOneOf(
  answers: readonly string[],
  { ask, help }: Question,
  signal: AbortSignal,
  askLineOf: AskLine,
  note: (line: string) => void,
): Promise<string | null> {
  for (let asked = ask; ;) {
    const answer = signal.aborted ? null : await askLineOf(asked, signal)
    if (answer === null) return null
    const known = answers.find((one) => one === answer)
    if (known !== undefined) return known
    if (answer === '?') for (const line of help) note(line)
    asked = answer === '?' ? ask : text.prompt.again(ask)
  }
}

const askLine: AskLine = async (question, signal) =>
  (await typedLine(question, signal))?.trim().toLowerCase() ?? null

const typedLine = (
  question: string,
  signal: AbortSignal,
  completer?: Complete,
): Promise<string | null> =>
  new Promise((resolve) => {
    const lines = createInterface({
      input: process.stdin,
      output: process.stderr,
      historySize: 0,
      completer,
    })
    const end = (answer: string | null): void => {
      resolve(answer)
      lines.close()
    }
    signal.addEventListener('abort', () => end(null), { once: true })
    // Readline takes Ctrl C for itself; it has to mean what it means everywhere else.
    lines.once('SIGINT', () => {
      end(null)
      process.kill(process.pid, 'SIGINT')
    })
    lines.once('close', () => resolve(null))
    lines.question(visibleText(question), (answer) => end(answer))
  })
