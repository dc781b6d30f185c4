import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  attributes,
  decodeStun,
  encodeStun,
  endpointIn,
  errorOf,
  longTermKey,
  maskedEndpoint,
  methods,
  type StunMessage,
} from '#client/network-check/stun-message'

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replace(/\s/g, ''), 'hex')

const decoded = (hex: string): StunMessage => {
  const message = decodeStun(bytesOf(hex))
  if (message === null) throw new Error('no message')
  return message
}

describe('messages of STUN', () => {
  it('are read as in the examples of RFC 5769', () => {
    const four = decoded(
      `0101003c 2112a442 b7e7a701bc34d686fa87dfae
       8022000b 7465737420766563746f7220
       00200008 0001a147e112a643
       00080014 2b91f599fd9e90c38c7489f92af9ba53f06be7d7
       80280004 c07d4c96`,
    )
    expect([four.kind, four.method]).toEqual(['success', methods.binding])
    expect(endpointIn(four, attributes.mappedAddress)).toEqual({ host: '192.0.2.1', port: 32853 })
    const six = decoded(
      `01010048 2112a442 b7e7a701bc34d686fa87dfae
       8022000b 7465737420766563746f7220
       00200014 0002a1470113a9faa5d3f179bc25f4b5bed2b9d9
       00080014 a382954e4be67bf11784c97c8292c275bfe3ed41
       80280004 c8fb0b4c`,
    )
    expect(endpointIn(six, attributes.mappedAddress)).toEqual({
      ...{ host: '2001:db8:1234:5678:11:2233:4455:6677', port: 32853 },
    })
  })

  it('are signed as in the example of RFC 5769', () => {
    const user = 'マトリックス'
    const signed = encodeStun(
      'request',
      methods.binding,
      bytesOf('78ad3433c6ad72c029da412e'),
      [
        [attributes.username, Buffer.from(user)],
        [attributes.nonce, Buffer.from('f//499k954d6OL34oL9FSTvy64sA')],
        [attributes.realm, Buffer.from('example.org')],
      ],
      longTermKey(user, 'example.org', 'TheMatrIX'),
    )
    expect(signed.subarray(-20).toString('hex')).toBe('f67024656dd64a3e02b8e0712e85c9a28ca89666')
    expect(signed.readUInt16BE(2)).toBe(0x60)
  })

  it('encode an error code and a place', () => {
    const transaction = Buffer.alloc(12, 7)
    const refusal = encodeStun('error', methods.allocate, transaction, [
      [attributes.errorCode, Buffer.from([0, 0, 4, 1])],
    ])
    expect(errorOf(decoded(refusal.toString('hex')))).toBe(401)
    const endpoint = { host: '198.51.100.7', port: 40_000 }
    const request = encodeStun('request', methods.createPermission, transaction, [
      [attributes.peerAddress, maskedEndpoint(endpoint)],
    ])
    expect(endpointIn(decoded(request.toString('hex')), attributes.peerAddress)).toEqual(endpoint)
  })

  it('are rejected unless complete', () => {
    const whole = bytesOf('0101000c 2112a442 b7e7a701bc34d686fa87dfae 00200008 0001a147e112a643')
    expect(decodeStun(whole)).not.toBeNull()
    for (let length = 0; length < whole.length; length += 1) {
      expect(decodeStun(whole.subarray(0, length))).toBeNull()
    }
    expect(decodeStun(Buffer.concat([whole, Buffer.alloc(4)]))).toBeNull()
    const long = Buffer.from(whole)
    long.writeUInt16BE(9, 22)
    expect(decodeStun(long)).toBeNull()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (noise, isFramed) => {
        const bytes = Buffer.concat([whole.subarray(0, 20), noise])
        if (isFramed) bytes.writeUInt16BE(noise.length, 2)
        const message = decodeStun(bytes)
        if (message === null) return
        errorOf(message)
        for (const type of Object.values(attributes)) endpointIn(message, type)
      }),
    )
  })
})
