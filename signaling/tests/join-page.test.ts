import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { joinPages } from '#signaling/pages/join-page'
import { joinPageKorean } from '#signaling/pages/page-text'

describe.each(Object.keys(joinPages) as (keyof typeof joinPages)[])('in %s', (language) => {
  const page = joinPages[language]
  const partOf = (name: string): string =>
    new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(page)?.[1] ?? ''

  it.each(['style', 'script'])("the page's policy allows only its own %s", (name) => {
    const hash = createHash('sha256').update(partOf(name)).digest('base64')
    expect(page).toContain(`${name}-src 'sha256-${hash}'`)
    expect(page.match(new RegExp(`<${name}`, 'g'))).toHaveLength(1)
  })

  it('the page loads nothing from anywhere', () => {
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/https?:\/\//)
    expect(page).not.toMatch(/\ssrc=|@import|url\(/)
    expect(page.length).toBeLessThan(16 * 1024)
  })
})

it('the page suits codes that share files, and codes that request them', () => {
  expect(joinPages.en).not.toMatch(/\b(shar|send|receiv)/i)
  expect(joinPages.ko).not.toMatch(/공유|보낸 사람에게 (?!코드)|받기/)
})

it('every text of the page has a Korean version', () => {
  for (const [english] of joinPageKorean) {
    expect(joinPages.en.split(english), english).toHaveLength(2)
  }
  const body = joinPages.ko.replace(/<(style|script)>.*?<\/\1>/gs, '')
  const words = body.replace(/<code>.*?<\/code>|<[^>]*>/gs, ' ').match(/[A-Za-z]+/g) ?? []
  expect(new Set(words)).toEqual(new Set(['Thruflux', 'JavaScript']))
})
