import { describe, expect, it } from 'vitest'
import {
  isLinkOfOurs,
  isWebLink,
  linkOfShare,
  linkToScan,
  makeJoinLink,
  makePageLink,
  makeWebLink,
  maxLinkLength,
  parseJoinLink,
  parseWebLink,
  webPageOf,
} from '#shared/code/join-link'
import { ok } from '#shared/result'

const code = '4821-apple-kayak-onion'
const link = 'thruflux:join?v=1&c=4821-apple-kayak-onion'

const refused = { ok: false, error: { code: 'E_BAD_CODE', subject: 'thruflux:' } }

it('LINK-01 a link with a code is parsed back to the code', () => {
  expect(makeJoinLink({ code, server: null })).toBe(link)
  expect(parseJoinLink(link)).toEqual(ok({ code, server: null }))
})

it.each([
  ['wss://meet.example.org/v1', `${link}&s=wss://meet.example.org`],
  ['ws://192.168.1.4:8080/v1', `${link}&s=ws://192.168.1.4:8080`],
  ['wss://example.org/thru/v1', `${link}&s=wss://example.org/thru`],
  ['wss://[2001:db8::1]:444/v1', `${link}&s=wss://%5B2001:db8::1%5D:444`],
])('a link of a code at %s leads back to both', (server, text) => {
  expect(makeJoinLink({ code, server })).toBe(text)
  expect(parseJoinLink(text)).toEqual(ok({ code, server }))
})

it('a server that readers would refuse is left out of a link', () => {
  const server = `wss://${'a'.repeat(200)}.example.org/v1`
  expect(makeJoinLink({ code, server })).toBe(link)
  expect(makeWebLink({ code, server })).toBeNull()
})

it.each([
  ['wss://meet.example.org/v1', `https://meet.example.org/join#c=${code}`],
  ['wss://example.org:444/thru/v1', `https://example.org:444/thru/join#c=${code}`],
])('the web link of a code at %s leads back to both', (server, text) => {
  expect(makeWebLink({ code, server })).toBe(text)
  expect(isWebLink(text)).toBe(true)
  expect(parseWebLink(text)).toEqual(ok({ code, server }))
})

it('a web link exists only for a page protected by TLS', () => {
  expect(makeWebLink({ code, server: 'ws://192.168.1.4:8080/v1' })).toBeNull()
  expect(makeWebLink({ code, server: null })).toBeNull()
})

it.each([
  ['in the other order', `thruflux:join?c=${code}&v=1`],
  ['with hyphens percent-encoded', 'thruflux:join?v=1&c=4821%2Dapple%2dkayak-onion'],
])('LINK-01 a link is taken %s', (_how, text) => {
  expect(parseJoinLink(text)).toEqual(ok({ code, server: null }))
})

it('a link may have its server percent-encoded and in another position', () => {
  expect(parseJoinLink(`thruflux:join?s=wss%3A%2F%2Fmeet.example.org&c=${code}&v=1`)).toEqual(
    ok({ code, server: 'wss://meet.example.org/v1' }),
  )
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
    ['with two servers', `${link}&s=wss://a.example&s=wss://b.example`],
    ['with an empty server', `${link}&s=`],
    ['with a server and one thing more', `${link}&s=wss://a.example&x=1`],
    ['with a server of another scheme', `${link}&s=https://evil.example`],
    ['with a file for a server', `${link}&s=file:///etc/passwd`],
    ['with a user', `${link}&s=wss://user@evil.example`],
    ['with a user and a password', `${link}&s=wss://meet.example.org:x@evil.example`],
    ['with a query in the server', `${link}&s=wss://evil.example?a`],
    ['with an encoded query in the server', `${link}&s=wss://evil.example%3Fa`],
    ['with a fragment in the server', `${link}&s=wss://evil.example#a`],
    ['with a backslash', `${link}&s=wss://meet.example.org\\evil.example`],
    ['with a path that climbs', `${link}&s=wss://evil.example/../x`],
    ['with an address that hides', `${link}&s=ws://127.1`],
    ['with an address as one number', `${link}&s=ws://2130706433`],
    ['with an address in hexadecimal', `${link}&s=ws://0x7f000001`],
    ['with an address in a form of its own', `${link}&s=ws://[::ffff:7f00:1:0:0]x`],
    ['with the usual port', `${link}&s=wss://meet.example.org:443`],
    ['with a port that is none', `${link}&s=wss://meet.example.org:65536`],
    ['with the port of a mail server', `${link}&s=ws://mail.example.org:25`],
    ['with the port of SSH on this computer', `${link}&s=ws://127.0.0.1:22`],
    ['with the port of a chat server', `${link}&s=wss://irc.example.org:6667`],
    ['with a server in capitals', `${link}&s=WSS://meet.example.org`],
    ['with a host in capitals', `${link}&s=wss://Meet.example.org`],
    ['with letters of another script in the server', `${link}&s=wss://mееt.example.org`],
    ['with a server twice encoded', `${link}&s=wss%253A//meet.example.org`],
    ['with the path of every server', `${link}&s=wss://meet.example.org/v1`],
    ['with an end of a path', `${link}&s=wss://meet.example.org/`],
    ['with a server of 201 bytes', `${link}&s=wss://${'a'.repeat(195)}`],
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
    ['of one byte too many', link.padEnd(maxLinkLength + 1, 'a')],
  ],
  'LINK-10': [['with markup', 'thruflux:join?v=1&c=<img src=x onerror=alert(1)>']],
}

describe.each(Object.keys(malformed))('%s a link is refused', (id) => {
  it.each(malformed[id] ?? [])('%s', (_how, text) => {
    expect(parseJoinLink(text)).toMatchObject(refused)
  })
})

it.each([
  ['without TLS', `http://meet.example.org/join#c=${code}`],
  ['with the code where servers see it', `https://meet.example.org/join?c=${code}`],
  ['with both', `https://meet.example.org/join?x=1#c=${code}`],
  ['of another page', `https://meet.example.org/joint#c=${code}`],
  ['with a user', `https://user@meet.example.org/join#c=${code}`],
  ['with another host in front', `https://meet.example.org@evil.example/join#c=${code}`],
  ['with the usual port', `https://meet.example.org:443/join#c=${code}`],
  ['with more', `https://meet.example.org/join#c=${code}&out=/etc`],
  ['with a server of its own', `https://meet.example.org/join#c=${code}&s=wss://evil.example`],
  ['without a code', 'https://meet.example.org/join#c='],
  ['without a host', `https:///join#c=${code}`],
  ['that is too long', `https://${'a'.repeat(300)}/join#c=${code}`],
])('a web link is refused %s', (_how, text) => {
  expect(parseWebLink(text)).toMatchObject(refused)
})

it('a foreign link is distinguished from a malformed one', () => {
  for (const text of [link, 'THRUFLUX:', 'thruflux://evil.example']) {
    expect(isLinkOfOurs(text)).toBe(true)
  }
  for (const text of ['--thruflux:join', 'thruflux', 'https://thruflux:join', '']) {
    expect(isLinkOfOurs(text)).toBe(false)
  }
})

it("the link of a share names this computer only if the code can't find it", () => {
  const urls = ['ws://192.168.7.1:41480']
  const blocked = { phase: 'blocked', reason: 'multicast', urls } as const
  const share = { code, server: null }
  expect(linkOfShare(share, { phase: 'visible', urls })).toBe(link)
  expect(linkOfShare(share, { ...blocked, reason: 'port' })).toBe(link)
  expect(linkOfShare(share, blocked)).toBe(`${link}&s=ws://192.168.7.1:41480`)
  expect(linkOfShare(share, { ...blocked, urls: [] })).toBe(link)
  const server = 'wss://meet.example.org/v1'
  expect(linkOfShare({ code, server }, blocked)).toBe(`${link}&s=wss://meet.example.org`)
  expect(linkOfShare({ code: null, server: null }, blocked)).toBeNull()
})

it('names the page for browsers at the first address of a program that has one', () => {
  const visible = {
    phase: 'visible',
    urls: ['ws://192.168.7.1:41480', 'ws://[fd00::1]:41480'],
  } as const
  expect(makePageLink({ code }, { ...visible, hasPage: true })).toBe(
    `http://192.168.7.1:41480/join#c=${code}`,
  )
  expect(makePageLink({ code }, visible)).toBeNull()
  expect(makePageLink({ code: null }, { ...visible, hasPage: true })).toBeNull()
  expect(makePageLink({ code }, { ...visible, urls: [], hasPage: true })).toBeNull()
  expect(makePageLink({ code }, { phase: 'idle' })).toBeNull()
  expect(makePageLink({ code, noBrowsers: true }, { ...visible, hasPage: true })).toBeNull()
})

it('the QR code leads browsers to the page of the server, else to this network, else to the app', () => {
  const nearby = { phase: 'visible', urls: ['ws://192.168.7.1:41480'], hasPage: true } as const
  const server = 'wss://meet.example.org/v1'
  const web = { code, server, web: true } as const
  expect(linkToScan(web, nearby)).toBe(`https://meet.example.org/join#c=${code}`)
  expect(linkToScan({ code, server }, nearby)).toBe(`http://192.168.7.1:41480/join#c=${code}`)
  expect(linkToScan({ code, server }, { phase: 'idle' })).toBe(`${link}&s=wss://meet.example.org`)
  expect(linkToScan({ ...web, code: null }, nearby)).toBeNull()
  expect(webPageOf({ code, server })).toBeNull()
})
