import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { makeJoinLink } from '#shared/code/join-link'
import { qrLines } from '../../report/qr-text'

const link = makeJoinLink({ code: '4821-apple-kayak-onion', server: null })

describe('qrLines', () => {
  const lines = qrLines(link)

  it('has every module of the code, two in one character', () => {
    const { data } = encode(link, { ecc: 'M', border: 2 })
    const drawn = lines.flatMap((line) => [
      [...line].map((block) => block !== '█' && block !== '▀'),
      [...line].map((block) => block !== '█' && block !== '▄'),
    ])
    expect(drawn.slice(0, data.length)).toEqual(data)
  })

  it('fits a small terminal and has a light border', () => {
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40)
    expect(lines.length).toBeLessThanOrEqual(20)
    expect(new Set(lines[0])).toEqual(new Set(['█']))
  })
})
