import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { sendSequence, untilOneOf, writeAbove } from '../../terminal/terminal'

/** A person who types these lines, then nothing. */
function typist(lines: readonly (string | null)[]) {
  const asked: string[] = []
  const rest = [...lines]
  return {
    asked,
    ask: (question: string) => {
      asked.push(question)
      return Promise.resolve(rest.shift() ?? null)
    },
  }
}

const { signal } = new AbortController()

const note = (): void => undefined
const about = (ask: string) => ({ ask, help: ['k keeps', 's skips'] })

it.skipIf(process.stderr.isTTY)("can't ask without a terminal", () => {
  expect(sendSequence('\u0007')).toBe(false)
})

describe('a question', () => {
  it('follows again after a note, with the text typed so far', () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const lines = createInterface({ input, output, terminal: true })
    lines.question('Receive? ', () => undefined)
    lines.write('ye')
    output.read()
    writeAbove(lines, output, 'Mina is a contact.\n')
    const shown = String(output.read())
    expect(shown).toContain('Mina is a contact.\n')
    expect(shown.slice(shown.indexOf('\n'))).toContain('Receive? ye')
    lines.close()
  })

  it('is asked again after an invalid answer', async () => {
    const { ask, asked } = typist(['keep', '', 's'])
    expect(await untilOneOf(['k', 's'], about('Which? '), signal, ask, note)).toBe('s')
    const again = 'Choose one of these, or ? for help. Which? '
    expect(asked).toEqual(['Which? ', again, again])
  })

  it('is explained after a question mark', async () => {
    const { ask, asked } = typist(['?', 's'])
    const notes: string[] = []
    const noting = (line: string): void => void notes.push(line)
    expect(await untilOneOf(['k', 's'], about('Which? '), signal, ask, noting)).toBe('s')
    expect(notes).toEqual(['k keeps', 's skips'])
    expect(asked).toEqual(['Which? ', 'Which? '])
  })

  it('ends if nobody answers', async () => {
    const { ask } = typist(['?', null])
    expect(await untilOneOf(['y', ''], about('Receive? '), signal, ask, note)).toBeNull()
  })

  it('is not asked when its time is over', async () => {
    const { ask, asked } = typist(['y'])
    const over = AbortSignal.abort()
    expect(await untilOneOf(['y', ''], about('Receive? '), over, ask, note)).toBeNull()
    expect(asked).toEqual([])
  })

  it('accepts an empty answer if that is allowed', async () => {
    const { ask } = typist([''])
    expect(await untilOneOf(['y', ''], about('Receive? '), signal, ask, note)).toBe('')
  })
})
