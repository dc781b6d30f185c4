/** The terminal that the command runs in, or the files and pipes in its place. */
import { createInterface } from 'node:readline'
import { visibleText } from '#shared/visible-text'

/** Tests put their own in its place. */
export interface Terminal {
  /** Somebody is there to answer. */
  readonly canAsk: boolean
  /** Notes may be drawn over: progress is a bar that moves. */
  readonly canDraw: boolean
  /** One line of what was asked for, to standard output. */
  out(line: string): void
  /** One line about it, to standard error. */
  note(line: string): void
  /**
   * True for yes; false for no, for nothing, and when `signal` aborts or the input ends. Whatever
   * else is typed is a slip: it asks again.
   */
  ask(question: string, signal: AbortSignal): Promise<boolean>
  /** The chosen one of `keys`, which are lower case; `null` and slips as above. */
  choose(question: string, keys: readonly string[], signal: AbortSignal): Promise<string | null>
}

/** The process's own streams. Every line is escaped on its way out. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  // Who reads the code and closes the pipe still wants the transfer.
  stdout.on('error', () => undefined)
  stderr.on('error', () => undefined)
  return {
    canAsk: stdin.isTTY && stderr.isTTY,
    canDraw: stderr.isTTY,
    out: (line) => void stdout.write(`${visibleText(line)}\n`),
    note: (line) => void stderr.write(`${visibleText(line)}\n`),
    ask: async (question, signal) => {
      const answers = ['y', 'yes', 'n', 'no', '']
      const answer = await untilOneOf(answers, 'y or n', `${question} [y/N] `, signal, askLine)
      return answer === 'y' || answer === 'yes'
    },
    choose: (question, keys, signal) =>
      untilOneOf(keys, `one of ${keys.join(', ')}`, `${question} `, signal, askLine),
  }
}

/** What was typed, in lower case without spaces around; `null` when nobody answers. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string | null>

/** Asks until one of `answers` comes; `null` when nobody is there or `signal` has aborted. */
export async function untilOneOf(
  answers: readonly string[],
  inWords: string,
  question: string,
  signal: AbortSignal,
  ask: AskLine,
): Promise<string | null> {
  for (let asked = question; ; asked = `Please answer ${inWords}. ${question}`) {
    const answer = signal.aborted ? null : await ask(asked, signal)
    if (answer === null) return null
    const known = answers.find((one) => one === answer)
    if (known !== undefined) return known
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
