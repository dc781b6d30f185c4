import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cautionsOf as cautionsFor } from '#client/session/receive/target-caution'
import { folderOfFile, folderOfTest } from '#client/testing/temporary-folder'

const home = realpathSync(folderOfFile())

const cautionsOf = (
  directory: string,
  dotNames: boolean,
  home: string,
  env: Readonly<Record<string, string>> = {},
) => cautionsFor(directory, dotNames, { home, env })

describe('the caution about a folder', () => {
  it('is none for an ordinary folder', () => {
    expect(cautionsOf(join(home, 'Downloads'), false, home)).toEqual([])
    expect(cautionsOf(join(home, 'not there', 'yet'), false, home)).toEqual([])
    expect(cautionsOf(join(dirname(home), 'elsewhere'), false, home)).toEqual([])
  })

  it('says that it is the home folder, or above it', () => {
    for (const directory of [home, `${home}/`, dirname(home), '/']) {
      expect(cautionsOf(directory, false, home)).toEqual(['home'])
    }
  })

  it('says that its programs run at login', () => {
    expect(cautionsOf(join(home, '.config', 'autostart'), false, home)).toEqual(['start-up'])
    expect(cautionsOf(join(home, '.config', 'systemd', 'user'), false, home)).toEqual(['start-up'])
    expect(cautionsOf(join(home, 'Library', 'LaunchAgents'), false, home)).toEqual(['start-up'])
  })

  it('says that it contains such a folder, which a received one would be merged with', () => {
    for (const parts of [
      ['.config'],
      ['Library'],
      ['AppData', 'Roaming'],
      ['AppData', 'Roaming', 'Microsoft', 'Windows'],
    ]) {
      expect(cautionsOf(join(home, ...parts), false, home)).toEqual(['start-up'])
    }
  })

  it('says that programs are started from there', () => {
    for (const parts of [['bin'], ['.local', 'bin'], ['AppData', 'Local', 'Programs', 'Tool']]) {
      expect(cautionsOf(join(home, ...parts), false, home)).toEqual(['programs'])
    }
    const tools = join(home, 'go', 'bin')
    expect(cautionsOf(tools, false, home)).toEqual([])
    expect(cautionsOf(tools, false, home, { PATH: tools })).toEqual(['programs'])
  })

  it('says that it belongs to the programs or the settings of the computer', () => {
    const elsewhere = realpathSync(folderOfTest())
    const env = { ProgramFiles: join(elsewhere, 'Programs'), ProgramData: join(elsewhere, 'Data') }
    expect(cautionsOf(join(elsewhere, 'Programs', 'Tool'), false, home, env)).toEqual(['programs'])
    expect(cautionsOf(join(elsewhere, 'Data'), false, home, env)).toEqual(['settings'])
    expect(cautionsOf(elsewhere, false, home, env)).toEqual([])
  })

  it.runIf(sep === '/')('covers folders of every Unix', () => {
    expect(cautionsOf('/usr/local/bin', false, home)).toEqual(['programs'])
    expect(cautionsOf('/bin', false, home)).toEqual(['programs'])
    expect(cautionsOf('/opt/tool', false, home)).toEqual(['programs'])
    expect(cautionsOf('/etc', false, home)).toEqual(['start-up'])
    expect(cautionsOf('/etc/ssl', false, home)).toEqual(['settings'])
    expect(cautionsOf('/var/spool', false, home)).toEqual(['start-up'])
    expect(cautionsOf('/var/www', false, home)).toEqual([])
    expect(cautionsOf('/srv/project/.git/hooks', false, home)).toEqual(['settings'])
  })

  it('is none for folders among settings in which people keep files', () => {
    for (const parts of [
      ['Library', 'Mobile Documents', 'Work'],
      ['Library', 'CloudStorage', 'Drive'],
      ['AppData', 'Local', 'Temp', 'x'],
      ['projects', 'library'],
    ]) {
      expect(cautionsOf(join(home, ...parts), false, home)).toEqual([])
    }
  })

  it('says that programs read their settings there', () => {
    for (const parts of [
      ['Library', 'Application Support'],
      ['AppData', 'Local', 'Vendor'],
    ]) {
      expect(cautionsOf(join(home, ...parts), false, home)).toEqual(['settings'])
    }
    expect(cautionsOf(join(home, '.ssh'), false, home)).toEqual(['settings'])
    expect(cautionsOf(join(home, 'work', '.git', 'hooks'), false, home)).toEqual(['settings'])
  })

  it('says that names are hidden', () => {
    expect(cautionsOf(join(home, 'in'), true, home)).toEqual(['hidden-names'])
    expect(cautionsOf(home, true, home)).toEqual(['home', 'hidden-names'])
  })

  it('resolves links', () => {
    mkdirSync(join(home, '.ssh'))
    symlinkSync(home, join(home, 'to-home'))
    symlinkSync(join(home, '.ssh'), join(home, 'harmless'))
    expect(cautionsOf(join(home, 'to-home'), false, home)).toEqual(['home'])
    expect(cautionsOf(join(home, 'harmless', 'new'), false, home)).toEqual(['settings'])
  })
})
