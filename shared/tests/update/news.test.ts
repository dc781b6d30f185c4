import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { newsOf } from '#shared/update/news'

const changelog = `# Changelog

## [Unreleased]

### 0.2.0

#### Added

- First
  over two lines.
- Second.

Elsewhere

- Third.

#### Empty

### 0.1.0

- Old.

## [0.0.9] - 2026-01-01

Words alone.

- Older.
`

it('the points of a version keep their headings', () => {
  expect(newsOf(changelog, '0.2.0')).toEqual({
    version: '0.2.0',
    sections: [
      { title: 'Added', points: ['First over two lines.', 'Second.'] },
      { title: 'Elsewhere', points: ['Third.'] },
    ],
  })
  expect(newsOf(changelog, '0.1.0').sections).toEqual([{ title: '', points: ['Old.'] }])
  expect(newsOf(changelog, '0.0.9').sections).toEqual([
    { title: 'Words alone.', points: ['Older.'] },
  ])
})

it('a version that the changelog does not name has none', () => {
  for (const version of ['0.3.0', '0.2', '']) {
    expect(newsOf(changelog, version).sections).toEqual([])
  }
})

it('the changelog has notes for this version', () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const { sections } = newsOf(read('CHANGELOG.md'), version)
  expect(sections.flatMap(({ points }) => points).length).toBeGreaterThan(10)
})
