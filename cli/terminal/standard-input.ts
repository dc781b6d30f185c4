/** Standard input as text. */

/** The part of `process.stdin` in use; tests replace it. */
export type TextInput = Pick<NodeJS.ReadStream, 'on' | 'off' | 'pause'>

/**
 * Reads UTF-8 from `input` until its end or until `isEnough` is true; when `signal` aborts, resolves with the
 * text read so far. Keeps the process alive only while reading. Resolves with `null` if it isn't UTF-8. Rejects
 * with the system's error if `input` can't be read.
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
      // Otherwise the process waits for more from a pipe or a terminal.
      input.pause()
      resolve(found)
    }
    /** Returns false if the chunk isn't UTF-8, which ends reading. */
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
