/** The command's terminal, or the files and pipes in its place. */
import { createInterface, type Interface } from 'node:readline'
import { isatty } from 'node:tty'
import { visibleText } from '#shared/format/visible-text'
import { text } from '../text'
import type { Question } from '../text/prompts'
import { colored, hasColor, isDumb, type Tone } from './color'
import { isInForeground, KeyInput } from './key-input'

/** Completions of the typed text, and the part of it that they complete, as for `node:readline`. */
export type Complete = (typed: string) => [string[], string]

/** Output and questions of a command; tests replace it. */
export interface Terminal {
  /** True if a person can answer. */
  readonly canAsk: boolean
  /** True if output can be redrawn, so that progress can be a moving bar. */
  readonly canDraw: boolean
  /** Width for drawing, in characters. */
  readonly columns: number
  /** True while a question waits for its answer; nothing may be drawn over it. */
  readonly isAsking: boolean
  /** Writes one line of results to standard output. */
  out(line: string, tone?: Tone): void
  /** Writes one line of notes to standard error. */
  note(line: string, tone?: Tone): void
  /**
   * True for yes; false for no, an empty line, an abort by `signal`, or the end of input. `?` explains
   * the question, and any other text repeats it. Questions wait for each other.
   */
  ask(question: Question, signal: AbortSignal): Promise<boolean>
  /** Resolves with one of `keys`, which are lower case; `null` and invalid answers as for `ask`. */
  choose(question: Question, keys: readonly string[], signal: AbortSignal): Promise<string | null>
  /**
   * Reads a line as typed; `complete` handles Tab. `null` without an answer. Questions wait for each
   * other.
   */
  readLine(question: string, complete: Complete): Promise<string | null>
  /**
   * Passes single keys to `onKey`, in lower case, until the result is called, except while a question
   * waits. Returns false if there is no terminal for input or the command runs in the background.
   */
  readKeys(onKey: (key: string) => void): (() => void) | false
}

/** Width if the terminal reports none. */
const usualColumns = 80

/** Writes control sequences to the terminal; returns false and writes nothing if standard error isn't one. */
export const sendSequence = (sequence: string): boolean => {
  if (!process.stderr.isTTY || isDumb(process.env)) return false
  process.stderr.write(sequence)
  return true
}

/**
 * One of the process's output streams; all output of the command goes through here. If a reader
 * closes its end early, the command continues and ends with its usual exit code.
 */
export function outputOf(stream: 'stdout' | 'stderr'): NodeJS.WriteStream {
  const output = process[stream]
  if (!output.listeners('error').includes(ignoreError)) output.on('error', ignoreError)
  return output
}

const ignoreError = (): void => undefined

/**
 * The terminal on the process's own streams. Every line is escaped on output. `color` is the value of
 * `--color`. If data goes to standard output, all lines go to standard error.
 */
export function processTerminal(color?: string, isDataOut = false): Terminal {
  const stderr = outputOf('stderr')
  // `process.stdout` is not touched then: Node would change how writes to a pipe block.
  const stdout = isDataOut ? stderr : outputOf('stdout')
  const hasColors = {
    out: hasColor(color, stdout.isTTY, process.env),
    note: hasColor(color, stderr.isTTY, process.env),
  }
  const shown = (line: string, tone: Tone | undefined, colors: boolean): string =>
    tone !== undefined && colors ? colored(visibleText(line), tone) : visibleText(line)
  const note: Terminal['note'] = (line, tone) => {
    const written = `${shown(line, tone, hasColors.note)}\n`
    if (asking === null) stderr.write(written)
    else writeAbove(asking, stderr, written)
  }
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
    // Not `process.stdin`, which would start reading a pipe that the engine reads.
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

/** Resolves with the typed text, trimmed and in lower case; `null` without an answer. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string | null>

/**
 * Asks until the answer is one of `answers`, and explains them after `?`; `null` without an answer or
 * once `signal` has aborted.
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

/** The open question on the process's terminal. */
let asking: Interface | null = null

/** Writes lines in place of an open question, which follows again with the text typed so far. */
export function writeAbove(
  question: Pick<Interface, 'prompt'>,
  output: Pick<NodeJS.WritableStream, 'write'>,
  lines: string,
): void {
  output.write(isDumb(process.env) ? `\n${lines}` : `\r\u001b[J${lines}`)
  question.prompt(true)
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
    asking = lines
    const end = (answer: string | null): void => {
      resolve(answer)
      lines.close()
    }
    signal.addEventListener('abort', () => end(null), { once: true })
    // Readline handles Ctrl-C itself; it must have its usual effect here, too.
    lines.once('SIGINT', () => {
      end(null)
      process.kill(process.pid, 'SIGINT')
    })
    lines.once('close', () => {
      asking = null
      resolve(null)
    })
    lines.question(visibleText(question), (answer) => end(answer))
  })
