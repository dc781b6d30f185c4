/** Standard input as text. */

/** Of `process.stdin`; tests put a stream of their own in its place. */
export type TextInput = Pick<NodeJS.ReadStream, 'setEncoding' | 'on' | 'off' | 'pause'>

/**
 * What `input` has up to its end or, when that comes earlier, until `isEnough` is true of it; what was
 * read until then when `signal` aborts. Keeps the process alive no longer than that. Rejects with what
 * the system says when `input` can't be read.
 */
export function readText(
  input: TextInput,
  isEnough: (text: string) => boolean,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const end = (): void => {
      input.off('data', onData).off('end', end).off('error', reject)
      // Without this the process waits for more of a pipe or a terminal.
      input.pause()
      resolve(text)
    }
    const onData = (chunk: string): void => {
      text += chunk
      if (isEnough(text)) end()
    }
    signal.addEventListener('abort', end, { once: true })
    input.setEncoding('utf8').on('data', onData).on('end', end).on('error', reject)
  })
}
