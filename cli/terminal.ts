/** The terminal that the command runs in, or the files and pipes in its place. */
import { createInterface } from 'node:readline'
import { visibleText } from '#shared/visible-text'
import { text } from './text'
import type { Question } from './text/prompts'

/** Tests put their own in its place. */
export interface Terminal {
  /** Somebody is there to answer. */
  readonly canAsk: boolean
  /** Output may be redrawn, so progress can be a moving bar. */
  readonly canDraw: boolean
  /** A question waits for its answer: nothing may be drawn over it. */
  readonly isAsking: boolean
  /** One line of what was asked for, to standard output. */
  out(line: string): void
  /** One line about it, to standard error. */
  note(line: string): void
  /**
   * True for yes; false for no, for nothing, and when `signal` aborts or the input ends. `?` explains,
   * and whatever else is typed is a slip: it asks again. One question waits for another.
   */
  ask(question: Question, signal: AbortSignal): Promise<boolean>
  /** The chosen one of `keys`, which are lower case; `null` and invalid answers as above. */
  choose(question: Question, keys: readonly string[], signal: AbortSignal): Promise<string | null>
}

/** The process's own streams. Every line is escaped on its way out. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  // Who reads the code and closes the pipe still wants the transfer.
  stdout.on('error', () => undefined)
  stderr.on('error', () => undefined)
  const note = (line: string): void => void stderr.write(`${visibleText(line)}\n`)
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    waiting += 1
    const turn = last.then(run)
    last = turn.catch(() => undefined)
    return turn.finally(() => {
      waiting -= 1
    })
  }
  return {
    canAsk: stdin.isTTY && stderr.isTTY,
    canDraw: stderr.isTTY,
    get isAsking() {
      return waiting > 0
    },
    out: (line) => void stdout.write(`${visibleText(line)}\n`),
    note,
    ask: async ({ ask, help }, signal) => {
      const question = { ask: text.prompt.yesOrNo(ask), help }
      const answers = ['y', 'yes', 'n', 'no', '']
      const answer = await inTurn(() => untilOneOf(answers, question, signal, askLine, note))
      return answer === 'y' || answer === 'yes'
    },
    choose: (question, keys, signal) =>
      inTurn(() => untilOneOf(keys, question, signal, askLine, note)),
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

const askLine: AskLine = (question, signal) =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
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
    lines.question(visibleText(question), (answer) => end(answer.trim().toLowerCase()))
  })
