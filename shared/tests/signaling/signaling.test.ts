import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { limits } from '#shared/limits'
import {
  type ClientMessage,
  closeCodes,
  decodeClientMessage,
  decodeHealth,
  decodeServerMessage,
  encode,
  type ServerMessage,
} from '#shared/signaling/messages'

type Vector = {
  readonly name: string
  /** Anchor of the rule in docs/signaling.md. */
  readonly spec: string
  readonly from: 'client' | 'server'
  readonly text: string
  readonly expect: { readonly message?: unknown; readonly error?: string }
}

const documentation = (name: string) =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

const page = documentation('signaling.md')
const { vectors } = JSON.parse(documentation('vectors/signaling.json')) as {
  readonly vectors: Vector[]
}

const anchorOf = (title: string) => `#${title.toLowerCase().replace(/ /g, '-')}`

describe('the vectors', () => {
  it.each(vectors)('$from: $name', ({ from, text, expect: expected }) => {
    const decoded = from === 'client' ? decodeClientMessage(text) : decodeServerMessage(text)
    expect(decoded.ok ? { message: decoded.value } : { error: decoded.error.code }).toEqual(
      expected,
    )
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

it('has a section in the documentation for the rule of each vector', () => {
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title))
  for (const { spec } of vectors) expect(anchors).toContain(spec)
})

it('has every close code in the documentation', () => {
  for (const [name, code] of Object.entries(closeCodes)) {
    expect(page).toContain(`| ${code} | ${name} |`)
  }
})

describe('encode', () => {
  const messages: readonly ClientMessage[] = [
    { t: 'host', v: 1, nameplate: '4821' },
    { t: 'join', v: 1, nameplate: '4821' },
    { t: 'relay', to: '0123456789abcdef', body: 'c2VhbGVk' },
    { t: 'leave' },
  ]
  it.each(messages)('makes a $t that the server reads', (message) => {
    expect(decodeClientMessage(encode(message))).toEqual({ ok: true, value: message })
  })

  const answers: readonly ServerMessage[] = [
    { t: 'hosted', nameplate: '4821', ttlS: 60 },
    { t: 'gone', peer: '0123456789abcdef' },
    { t: 'error', code: 'E_PEER_GONE', peer: '0123456789abcdef' },
  ]
  it.each(answers)('makes a $t that clients read', (message) => {
    expect(decodeServerMessage(encode(message))).toEqual({ ok: true, value: message })
  })
})

describe('bounds', () => {
  const relay = (bytes: number) =>
    encode({ t: 'relay', to: '0'.repeat(16), body: 'A'.repeat(bytes) })

  it('accepts a body of 8 KiB and not one byte more', () => {
    expect(decodeClientMessage(relay(limits.relayBodyBytes)).ok).toBe(true)
    expect(decodeClientMessage(relay(limits.relayBodyBytes + 1)).ok).toBe(false)
  })

  it('refuses a text above the frame limit without parsing it', () => {
    const padding = ' '.repeat(limits.signalingFrameBytes)
    expect(decodeClientMessage(`{"t":"leave"}${padding}`)).toMatchObject({
      error: { code: 'E_SERVER_PROTOCOL', detail: 'message too long' },
    })
  })

  it.each([
    ['arrays', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['objects', `{"t":"leave","a":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`],
  ])('survives %s nested 9,000 deep', (_what, text) => {
    expect(() => decodeClientMessage(text)).not.toThrow()
  })
})

describe('decodeHealth', () => {
  it('recognises a signaling server', () => {
    expect(decodeHealth('{"name":"thruflux-signaling","version":1}')).toEqual({
      ok: true,
      value: { name: 'thruflux-signaling', version: 1 },
    })
  })

  it.each([
    ['another program', '{"name":"web","version":1}'],
    ['a page', '<html>'],
  ])('refuses %s', (_what, text) => {
    expect(decodeHealth(text).ok).toBe(false)
  })
})
