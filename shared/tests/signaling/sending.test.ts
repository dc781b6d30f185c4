import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  decodeSending,
  encodeSending,
  failureFor,
  isReceiving,
  refusal,
} from '#shared/signaling/sending'

type Vector = {
  readonly name: string
  readonly first?: string
  readonly body: string
  readonly expect: { readonly id?: string | null; readonly refusal?: string | null }
}

const file = new URL('../../../docs/vectors/requests.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly vectors: readonly Vector[]
}

it.each(vectors)('$name', ({ first, body, expect: expected }) => {
  if (first === undefined) expect(decodeSending(body)?.id ?? null).toBe(expected.id)
  else expect(failureFor(first, body)).toBe(expected.refusal)
})

it('encodes what it decodes', () => {
  const id = '00ff10'.padEnd(32, '7')
  const first = encodeSending(id, new Uint8Array(16).fill(9))
  expect(decodeSending(first)).toEqual({ id })
  expect(isReceiving(first)).toBe(false)
  const answer = refusal('0123456789abcdef', first, 'E_RATE_LIMITED')
  expect(answer).toMatchObject({ t: 'relay', to: '0123456789abcdef' })
  expect(failureFor(first, 'body' in answer ? (answer.body ?? '') : '')).toBe('E_RATE_LIMITED')
})
