import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { versionsOf } from '../lib/changelog.mjs'
import { checkVersion, releaseNotes, writeChecksums } from '../release/documents.mjs'

let folder: string
beforeEach(() => {
  folder = folderOfTest()
})

describe('a version', () => {
  const check = (tag: string, changelog: string) => () =>
    checkVersion({ version: '1.2.0', tag, changelog: versionsOf(changelog) })

  it('is released by its tag and with a dated entry of the changelog', () => {
    expect(check('v1.2.0', '## [1.2.0] - 2026-01-31\n')).not.toThrow()
  })

  it.each([
    ['v1.3.0', '## [1.2.0] - 2026-01-31\n', 'The tag is v1.3.0'],
    ['v1.2.0', '## [1.1.0] - 2026-01-01\n', "doesn't begin with"],
    ['v1.2.0', '## [Unreleased]\n\n### 1.2.0\n', "doesn't begin with"],
    ['v1.2.0', '### 1.3.0\n\n## [1.2.0] - 2026-01-31\n', "doesn't begin with"],
  ])('is not by %s with %j', (tag, changelog, problem) => {
    expect(check(tag, changelog)).toThrow(problem)
  })
})

describe('checksums', () => {
  it('cover every other file, sorted', async () => {
    for (const name of ['b.deb', 'a.rpm', 'SHA256SUMS.asc']) writeFileSync(join(folder, name), name)
    mkdirSync(join(folder, 'feed'))
    await writeChecksums(folder)
    const lines = readFileSync(join(folder, 'SHA512SUMS'), 'utf8')
    expect(lines).toMatch(/^[0-9a-f]{128} {2}a\.rpm\n[0-9a-f]{128} {2}b\.deb\n$/)
    expect(execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder }).toString()).toBe(
      'a.rpm: OK\nb.deb: OK\n',
    )
    await writeChecksums(folder)
    expect(readFileSync(join(folder, 'SHA512SUMS'), 'utf8')).toBe(lines)
  })
})

it('release notes come from the changelog, with their own headings', () => {
  const notes = releaseNotes({ version: '1.2.0', text: '#### Added\n\n- Much.\n' })
  expect(notes).toMatch(/^## Added\n\n- Much\.\n\n## Check what you downloaded\n/)
})
