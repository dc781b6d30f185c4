import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cautionsOf } from '#client/session/target-caution'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'thru-home-')))
afterAll(() => rmSync(home, { recursive: true }))

describe('what to know of a folder before receiving', () => {
  it('is nothing about a folder of its own', () => {
    expect(cautionsOf(join(home, 'Downloads'), false, home)).toEqual([])
    expect(cautionsOf(join(home, 'not there', 'yet'), false, home)).toEqual([])
    expect(cautionsOf(join(dirname(home), 'elsewhere'), false, home)).toEqual([])
  })

  it('is that it is the home folder, or above it', () => {
    for (const directory of [home, `${home}/`, dirname(home), '/']) {
      expect(cautionsOf(directory, false, home)).toEqual(['home'])
    }
  })

  it('is that its programs are run at log-in', () => {
    expect(cautionsOf(join(home, '.config', 'autostart'), false, home)).toEqual(['start-up'])
    expect(cautionsOf(join(home, '.config', 'systemd', 'user'), false, home)).toEqual(['start-up'])
    expect(cautionsOf(join(home, 'Library', 'LaunchAgents'), false, home)).toEqual(['start-up'])
  })

  it('is that programs read their settings there', () => {
    expect(cautionsOf(join(home, '.ssh'), false, home)).toEqual(['settings'])
    expect(cautionsOf(join(home, 'work', '.git', 'hooks'), false, home)).toEqual(['settings'])
  })

  it('is that names are hidden', () => {
    expect(cautionsOf(join(home, 'in'), true, home)).toEqual(['hidden-names'])
    expect(cautionsOf(home, true, home)).toEqual(['home', 'hidden-names'])
  })

  it('counts a link as what it leads to', () => {
    mkdirSync(join(home, '.ssh'))
    symlinkSync(home, join(home, 'to-home'))
    symlinkSync(join(home, '.ssh'), join(home, 'harmless'))
    expect(cautionsOf(join(home, 'to-home'), false, home)).toEqual(['home'])
    expect(cautionsOf(join(home, 'harmless', 'new'), false, home)).toEqual(['settings'])
  })
})
