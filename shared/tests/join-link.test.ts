import { describe, expect, it } from 'vitest'
import { isLinkOfOurs, makeJoinLink, parseJoinLink } from '#shared/join-link'
import { ok } from '#shared/result'

const code = '4821-apple-kayak-onion'
const link = 'thruflux:join?v=1&c=4821-apple-kayak-onion'

const refused = { ok: false, error: { code: 'E_BAD_CODE', subject: 'thruflux:' } }

it('LINK-01 a link of a code leads back to the code', () => {
  expect(makeJoinLink(code)).toBe(link)
  expect(parseJoinLink(link)).toEqual(ok(code))
})

it.each([
  ['in the other order', `thruflux:join?c=${code}&v=1`],
  ['with hyphens percent-encoded', 'thruflux:join?v=1&c=4821%2Dapple%2dkayak-onion'],
])('LINK-01 a link is taken %s', (_how, text) => {
  expect(parseJoinLink(text)).toEqual(ok(code))
})

const malformed: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'LINK-02': [
    ['with a host', `thruflux://join/?v=1&c=${code}`],
    ['with a path', `thruflux:join/?v=1&c=${code}`],
    ['in capitals', `THRUFLUX:JOIN?v=1&c=${code}`],
    ['for something else', `thruflux:open?v=1&c=${code}`],
    ['of another scheme', `thruflux2:join?v=1&c=${code}`],
    ['without a version', `thruflux:join?c=${code}`],
    ['of version 2', `thruflux:join?v=2&c=${code}`],
    ['of version 01', `thruflux:join?v=01&c=${code}`],
    ['without a code', 'thruflux:join?v=1'],
    ['with an empty code', 'thruflux:join?v=1&c='],
    ['with an unknown parameter', `${link}&x=1`],
    ['with an empty parameter', `${link}&`],
    ['with two codes', `${link}&c=${code}`],
    ['with two versions', `${link}&v=1`],
    ['with a fragment', `${link}#x`],
    ['with spaces around it', ` ${link}`],
  ],
  'LINK-03': [
    ['with a folder', `${link}&out=/etc`],
    ['that accepts by itself', `${link}&accept=1`],
    ['with a server', `${link}&server=evil.example`],
    ['with an unknown server', `${link}&s=unknown`],
    ['that leads to a server without TLS', `${link}&server=ws://evil.example`],
    ['that names a server in place of the version', `thruflux:join?server=ws://x&c=${code}`],
  ],
  'LINK-04': [
    ['with switches in it', 'thruflux:join?v=1&c=x" --no-sandbox --gpu-launcher=calc'],
    ['with switches behind it', `${link} --inspect --user-data-dir=/tmp/x`],
  ],
  'LINK-05': [
    ['with an encoded newline', `${link}%0a`],
    ['with an encoded NUL', `${link}%00`],
    ['with an encoded quote', `${link}%22`],
    ['with encoded letters', 'thruflux:join?v=1&c=4821-%61pple-kayak-onion'],
    ['with an encoded hyphen twice', 'thruflux:join?v=1&c=4821%252Dapple-kayak-onion'],
    ['with a newline', `${link}\n`],
    ['with letters of another script', 'thruflux:join?v=1&c=4821-аpple-kayak-onion'],
    ['of an international host', `thruflux://jöin.example/?v=1&c=${code}`],
    ['of 1 MiB', `${link}${'a'.repeat(1_048_576)}`],
    ['of 201 bytes', link.padEnd(201, 'a')],
  ],
  'LINK-10': [['with markup', 'thruflux:join?v=1&c=<img src=x onerror=alert(1)>']],
}

describe.each(Object.keys(malformed))('%s a link is refused', (id) => {
  it.each(malformed[id] ?? [])('%s', (_how, text) => {
    expect(parseJoinLink(text)).toMatchObject(refused)
  })
})

it('a foreign link is distinguished from one that is badly written', () => {
  for (const text of [link, 'THRUFLUX:', 'thruflux://evil.example']) {
    expect(isLinkOfOurs(text)).toBe(true)
  }
  for (const text of ['--thruflux:join', 'thruflux', 'https://thruflux:join', '']) {
    expect(isLinkOfOurs(text)).toBe(false)
  }
})
