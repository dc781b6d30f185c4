import { describe, expect, it } from 'vitest'
import { readVersions, versionsOf } from '../lib/changelog.mjs'

describe('versionsOf', () => {
  it('reads released versions and the one in work, the newest first', () => {
    const changelog = `# Changelog

About this file.

## [Unreleased]

### 0.3.0

Better in
two ways.

#### Added

- a

## [0.2.0] - 2026-01-31

### Fixed

- b

## [0.1.0-beta.1] - 2025-12-24
`
    expect(versionsOf(changelog)).toEqual([
      {
        version: '0.3.0',
        date: undefined,
        summary: 'Better in two ways.',
        text: 'Better in\ntwo ways.\n\n#### Added\n\n- a',
      },
      { version: '0.2.0', date: '2026-01-31', summary: '', text: '### Fixed\n\n- b' },
      { version: '0.1.0-beta.1', date: '2025-12-24', summary: '', text: '' },
    ])
  })

  it('finds the version of this checkout', () => {
    expect(readVersions()[0]?.version).toMatch(/^\d+\.\d+\.\d+/)
  })
})
