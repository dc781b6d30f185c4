import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ascii, boxData, openBox, pair, payloadStart } from './pairing.js'

type Side = { readonly scalar: string; readonly fingerprint: string }
type RunVector = {
  readonly name: string
  readonly nameplate: string
  readonly kind: number
  readonly secret: string
  readonly run: string
  readonly session: string
  readonly earlier?: string
  readonly receiver: Side
  readonly sender: Side
  readonly payloads: readonly string[]
  readonly expect: {
    readonly keys: Readonly<Record<string, string>>
    readonly ice: Readonly<Record<string, { readonly ufrag: string; readonly pwd: string }>>
    readonly safety: string
    readonly messages: readonly {
      readonly from: 'receiver' | 'sender'
      readonly counter: number
      readonly message: string
    }[]
  } & Readonly<
    Record<
      | 'channel'
      | 'receiver_share'
      | 'receiver_data'
      | 'sender_share'
      | 'sender_data'
      | 'key'
      | 'receiver_tag'
      | 'sender_tag'
      | 'transcript'
      | 'guess',
      string
    >
  >
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../docs/vectors/pairing.json', import.meta.url), 'utf8'),
) as { readonly vectors: readonly (RunVector | { readonly name: string })[] }
const runs = vectors.filter((vector): vector is RunVector => 'secret' in vector)

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')
const sideOf = ({ scalar, fingerprint }: Side) => ({
  scalar: bytes(scalar),
  fingerprint: bytes(fingerprint),
})
const outcomeOf = (vector: RunVector) =>
  pair({
    nameplate: ascii(vector.nameplate),
    kind: vector.kind,
    secret: ascii(vector.secret),
    run: bytes(vector.run),
    session: bytes(vector.session),
    ...(vector.earlier !== undefined && { earlier: bytes(vector.earlier) }),
    receiver: sideOf(vector.receiver),
    sender: sideOf(vector.sender),
  })

const startBytes = 18
const tagBytes = 64
const counterBytes = 8
const nonceBytes = 24

describe('the vectors of pairing hold for another implementation', () => {
  it.each(runs)('keys and tags of $name', (vector) => {
    const { messages: _, keys, ice, safety, ...fields } = vector.expect
    const outcome = outcomeOf(vector)
    expect({
      channel: hex(outcome.channel),
      receiver_share: hex(outcome.receiver.share),
      receiver_data: hex(outcome.receiver.data),
      sender_share: hex(outcome.sender.share),
      sender_data: hex(outcome.sender.data),
      key: hex(outcome.key),
      receiver_tag: hex(outcome.receiver.tag),
      sender_tag: hex(outcome.sender.tag),
      transcript: hex(outcome.transcript),
      guess: hex(outcome.guess),
    }).toEqual(fields)
    expect(
      Object.fromEntries(Object.entries(outcome.keys).map(([name, key]) => [name, hex(key)])),
    ).toEqual(keys)
    expect(outcome.ice).toEqual(ice)
    expect(outcome.safety).toBe(safety)
  })

  it.each(runs)('shares and proofs of $name', (vector) => {
    const { receiver, sender } = outcomeOf(vector)
    const beginnings = [
      [receiver.share, receiver.data],
      [sender.share, sender.data],
      [receiver.tag],
      [sender.tag],
    ].map((fields, index) => Buffer.concat([payloadStart(index + 1, bytes(vector.run)), ...fields]))
    beginnings.forEach((beginning, index) => {
      const payload = Buffer.from(vector.payloads[index] ?? '', 'base64url')
      const compared = index < 2 ? payload : payload.subarray(0, startBytes + tagBytes)
      expect(hex(compared)).toBe(hex(beginning))
    })
  })

  it.each(runs)('boxes of $name', (vector) => {
    const { keys } = outcomeOf(vector)
    const run = bytes(vector.run)
    const boxes = vector.payloads.slice(2).map((text) => Buffer.from(text, 'base64url'))
    expect(boxes.length).toBe(vector.expect.messages.length)
    vector.expect.messages.forEach(({ from, counter, message }, index) => {
      const payload = boxes[index] ?? Buffer.alloc(0)
      const isFirst = counter === 0
      const box = payload.subarray(startBytes + (isFirst ? tagBytes : counterBytes))
      if (!isFirst) {
        const counterField = payload.subarray(startBytes, startBytes + counterBytes)
        expect(counterField.readBigUInt64BE()).toBe(BigInt(counter))
      }
      const opened = openBox(
        keys[from === 'receiver' ? 'sig r2s' : 'sig s2r'],
        box.subarray(0, nonceBytes),
        boxData(from === 'receiver' ? 2 : 1, run, counter),
        box.subarray(nonceBytes),
      )
      expect(hex(opened)).toBe(message)
    })
  })
})
