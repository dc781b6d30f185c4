import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  clientAddress,
  type HomeFacts,
  homePage,
  homePageHeaders,
} from '#signaling/pages/home-page'
import { pageLanguage } from '#signaling/pages/page-language'
import { pageLanguages } from '#signaling/pages/page-text'

const facts: HomeFacts = {
  sessionTimeout: 24 * 3600,
  maxReceiversPerSender: 1000,
  turnUrls: [],
  installUrl: '',
  serverPasswords: [],
}

describe.each(pageLanguages)('the page at / in %s', (language) => {
  const page = homePage(language, facts, 'wss://meet.example.org')

  it('has every text in its place', () => {
    expect(page).toContain(`<html lang="${language}">`)
    expect(page).not.toMatch(/\{\{|undefined/)
    expect(page).toContain('wss://meet.example.org')
    expect(page).toContain('1,000')
    expect(page).toContain('24')
  })

  it('has no script, loads nothing, and allows only its own style', () => {
    expect(page).not.toMatch(/<script|\son\w+=|\ssrc=|@import|url\(/)
    // The icon contains the name of its format.
    expect(page.replace(/data:image[^"]*/, '')).not.toMatch(/https?:\/\//)
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    const policy = homePageHeaders['Content-Security-Policy']
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'; img-src data:`)
    expect(page).not.toMatch(/\sstyle=/)
    expect(page.length).toBeLessThan(16 * 1024)
  })

  it('mentions a relay, and the download page if it is configured', () => {
    const more = { ...facts, turnUrls: ['turn:a'], installUrl: 'https://example.org/get?a&b' }
    const other = homePage(language, more, null)
    expect(other).toContain('href="https://example.org/get?a&amp;b"')
    expect(page).not.toContain('class="get" rel')
    expect(other).not.toContain('meet.example.org')
  })
})

it('mentions that the server requires a password, but not the password', () => {
  const wants = { ...facts, serverPasswords: ['only-for-the-team'] }
  expect(homePage('en', facts, null)).not.toContain('password')
  const page = homePage('en', wants, null)
  expect(page).toContain('only for people who have its password')
  expect(page).not.toContain('only-for-the-team')
})

it.each([
  ['meet.example.org', 'wss://meet.example.org'],
  ['meet.example.org:8443', 'wss://meet.example.org:8443'],
  ['192.0.2.1:8080', 'wss://192.0.2.1:8080'],
  ['[2001:db8::1]:8080', 'wss://[2001:db8::1]:8080'],
  ['', null],
  ['a b', null],
  ['<b>', null],
  ['a"b', null],
  ['a:b', null],
  ['-a', null],
  ['user@host', null],
  ['a'.repeat(300), null],
])('the address of a request for "%s" is %s', (host, expected) => {
  expect(clientAddress(host, true)).toBe(expected)
})

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['ko', 'ko'],
  ['ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7', 'ko'],
  ['en-US,en;q=0.9,ko;q=0.8', 'en'],
  ['fr;q=0.9, ko;q=0.5, en;q=0.1', 'ko'],
  ['de', 'en'],
  ['en;q=0.2,ko;q=0.8', 'ko'],
  ['ko;q=0,en', 'en'],
  ['ko;q=x', 'en'],
  [';;;,,,*', 'en'],
])('a browser that prefers %s gets it in %s', (header, language) => {
  expect(pageLanguage(header)).toBe(language)
})
