import { describe, expect, it } from 'vitest'
import { untilOneOf } from '../terminal'

/** Somebody who types these lines, then nothing more. */
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

describe('a question', () => {
  it('is asked again after a slip', async () => {
    const { ask, asked } = typist(['?', 'keep', '', 's'])
    expect(await untilOneOf(['k', 's'], 'one of k, s', 'Which? ', signal, ask)).toBe('s')
    expect(asked).toEqual([
      'Which? ',
      ...Array.from({ length: 3 }, () => 'Please answer one of k, s. Which? '),
    ])
  })

  it('ends when nobody is there', async () => {
    const { ask } = typist(['?', null])
    expect(await untilOneOf(['y', ''], 'y or n', 'Receive? ', signal, ask)).toBeNull()
  })

  it('is not asked when its time is over', async () => {
    const { ask, asked } = typist(['y'])
    const over = AbortSignal.abort()
    expect(await untilOneOf(['y', ''], 'y or n', 'Receive? ', over, ask)).toBeNull()
    expect(asked).toEqual([])
  })

  it('takes nothing for an answer where that is one', async () => {
    const { ask } = typist([''])
    expect(await untilOneOf(['y', ''], 'y or n', 'Receive? ', signal, ask)).toBe('')
  })
})
