import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { joinPage } from '#signaling/join-page'

const partOf = (name: string): string =>
  new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(joinPage)?.[1] ?? ''

it.each(['style', 'script'])("the page's policy allows its own %s and nothing else", (name) => {
  const hash = createHash('sha256').update(partOf(name)).digest('base64')
  expect(joinPage).toContain(`${name}-src 'sha256-${hash}'`)
  expect(joinPage.match(new RegExp(`<${name}`, 'g'))).toHaveLength(1)
})

it('the page loads nothing from anywhere', () => {
  expect(joinPage).toContain("default-src 'none'")
  expect(joinPage).not.toMatch(/https?:\/\//)
  expect(joinPage).not.toMatch(/\ssrc=|@import|url\(/)
  expect(joinPage.length).toBeLessThan(16 * 1024)
})
