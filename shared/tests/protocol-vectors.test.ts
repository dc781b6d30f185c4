import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nameplateOf, parseJoinCode } from '#shared/code/join-code'
import { errorCodes } from '#shared/errors'
import { decodeClientMessage, encode } from '#shared/signaling/messages'

type Vector = {
  readonly name: string
  readonly spec: string
  readonly text?: string
  readonly payloads?: readonly string[]
  readonly expect: { readonly code?: string; readonly error?: string }
}

const docs = new URL('../../docs/', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8')
const vectorsOf = (name: string): readonly Vector[] =>
  (JSON.parse(read(`vectors/${name}.json`)) as { readonly vectors: readonly Vector[] }).vectors

describe('join codes', () => {
  it.each(vectorsOf('join-code'))('$name', ({ text = '', expect: expected }) => {
    const parsed = parseJoinCode(text)
    expect(parsed.ok ? { code: parsed.value } : { error: parsed.error.code }).toEqual(
      expected.error === undefined ? { code: expected.code } : { error: expected.error },
    )
    if (parsed.ok) expect(parsed.value.startsWith(`${nameplateOf(parsed.value)}-`)).toBe(true)
  })
})

describe('pairing payloads', () => {
  const accepted = vectorsOf('pairing').filter(({ expect: expected }) => !expected.error)

  it.each(accepted)('pass through the signaling server: $name', ({ payloads = [] }) => {
    for (const body of payloads) {
      const relay = { t: 'relay', to: '0123456789abcdef', body } as const
      expect(decodeClientMessage(encode(relay))).toEqual({ ok: true, value: relay })
    }
  })
})

const files = ['varint', 'control', 'manifest', 'segment', 'chunks', 'join-code', 'pairing']

describe.each(files)('the vectors of %s', (file) => {
  const vectors = vectorsOf(file)

  it('have names of their own and known errors', () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
    for (const { expect: expected } of vectors) {
      if (expected.error !== undefined) expect(errorCodes).toContain(expected.error)
    }
  })

  it('point to sections of the protocol', () => {
    const anchors = [...read('protocol.md').matchAll(/^#+ (.+)$/gm)].map(
      ([, heading = '']) => `#${heading.toLowerCase().replaceAll(' ', '-')}`,
    )
    for (const { spec } of vectors) expect(anchors).toContain(spec)
  })
})
