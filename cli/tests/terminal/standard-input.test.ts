import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readText, type TextInput } from '../../terminal/standard-input'

/** A pipe for a test, and the text read from it. */
function rig(isEnough: (text: string) => boolean = () => false) {
  const pipe = new PassThrough()
  const stop = new AbortController()
  const text = readText(pipe as unknown as TextInput, isEnough, stop.signal)
  return { pipe, stop, text }
}

describe('standard input', () => {
  it('is read to its end without splitting characters', async () => {
    const { pipe, text } = rig()
    const [first, ...rest] = Buffer.from('é\n')
    pipe.write(Buffer.from([first ?? 0]))
    pipe.end(Buffer.from(rest))
    expect(await text).toBe('é\n')
  })

  it('is read no further than needed', async () => {
    const { pipe, text } = rig((read) => read.includes('\n'))
    pipe.write('4821\n')
    expect(await text).toBe('4821\n')
    expect(pipe.isPaused()).toBe(true)
  })

  it.each([
    ['a byte of another encoding', [0x63, 0xe9, 0x63]],
    ['a character that breaks off', [0x63, 0xc3]],
  ])('that has %s is no text', async (_what, bytes) => {
    const { pipe, text } = rig()
    pipe.end(Buffer.from(bytes))
    expect(await text).toBeNull()
  })

  it('is released when its reader is aborted', async () => {
    const { pipe, stop, text } = rig()
    pipe.write('half')
    stop.abort()
    await text
    expect(pipe.isPaused()).toBe(true)
  })

  it('that can not be read is reported', async () => {
    const { pipe, text } = rig()
    pipe.destroy(new Error('EISDIR'))
    await expect(text).rejects.toThrow('EISDIR')
  })
})
