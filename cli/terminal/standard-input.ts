/** Standard input as text. */

/** Of `process.stdin`; tests put a stream of their own in its place. */
export type TextInput = Pick<NodeJS.ReadStream, 'on' | 'off' | 'pause'>

/**
 * What `input` has, which is UTF-8, up to its end or, when that comes earlier, until `isEnough` is true of it; what was
 * read until then when `signal` aborts. Keeps the process alive no longer than that. `null`: it isn't UTF-8. Rejects with what
 * the system says when `input` can't be read.
 */
export function readText(
  input: TextInput,
  isEnough: (text: string) => boolean,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let text = ''
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const end = (found: string | null): void => {
      input.off('data', onData).off('end', onEnd).off('error', reject)
      // Without this the process waits for more of a pipe or a terminal.
      input.pause()
      resolve(found)
    }
    /** False: it isn't UTF-8, and reading has ended. */
    const take = (chunk?: Buffer): boolean => {
      try {
        text += chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
        return true
      } catch {
        end(null)
        return false
      }
    }
    const onData = (chunk: Buffer): void => {
      if (take(chunk) && isEnough(text)) end(text)
    }
    const onEnd = (): void => {
      if (take()) end(text)
    }
    signal.addEventListener('abort', () => end(text), { once: true })
    input.on('data', onData).on('end', onEnd).on('error', reject)
  })
}
