/** The terminal that the command runs in, or the files and pipes in its place. */
import { createInterface } from 'node:readline'

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
  /** True for yes; false for everything else, also when `signal` aborts or the input ends. */
  ask(question: string, signal: AbortSignal): Promise<boolean>
  /** The chosen one of `keys`, which are lower case; `null` for everything else, as above. */
  choose(question: string, keys: readonly string[], signal: AbortSignal): Promise<string | null>
}

/**
 * Controls of terminals, of text direction and of lines: a name that somebody else chose could
 * otherwise move the cursor, rewrite what is on screen or show itself backwards.
 */
const controls =
  // eslint-disable-next-line no-control-regex -- these are what this is about
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** The text with each control shown as `\u{1b}`. */
export const escapeControls = (text: string): string =>
  text.replace(controls, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** The process's own streams. Every line is escaped on its way out. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  // Who reads the code and closes the pipe still wants the transfer.
  stdout.on('error', () => undefined)
  stderr.on('error', () => undefined)
  return {
    canAsk: stdin.isTTY && stderr.isTTY,
    canDraw: stderr.isTTY,
    out: (line) => void stdout.write(`${escapeControls(line)}\n`),
    note: (line) => void stderr.write(`${escapeControls(line)}\n`),
    ask: async (question, signal) => {
      const answer = await askLine(`${question} [y/N] `, signal)
      return answer === 'y' || answer === 'yes'
    },
    choose: async (question, keys, signal) => {
      const answer = await askLine(`${question} `, signal)
      return keys.find((key) => key === answer) ?? null
    },
  }
}

/** What was typed, in lower case without spaces around; empty when nobody answers. */
const askLine = (question: string, signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    const end = (answer: string): void => {
      resolve(answer)
      lines.close()
    }
    signal.addEventListener('abort', () => end(''), { once: true })
    // Readline takes Ctrl C for itself; it has to mean what it means everywhere else.
    lines.once('SIGINT', () => {
      end('')
      process.kill(process.pid, 'SIGINT')
    })
    lines.once('close', () => resolve(''))
    lines.question(escapeControls(question), (answer) => end(answer.trim().toLowerCase()))
  })
