import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { acts } from '../main/switches'

const folder = join(import.meta.dirname, '../../resources/desktop/linux')

const entries = readdirSync(folder).filter((name) => !name.endsWith('.py'))

it.each(entries)('%s passes the selection as arguments', (name) => {
  const content = readFileSync(join(folder, name), 'utf8')
  expect(content).toMatch(/^Exec=thruflux %[FU]$/m)
  expect(content.endsWith('\n')).toBe(true)
})

const entry = readFileSync(join(folder, 'thruflux.desktop'), 'utf8')

it('the entry of the app opens join links', () => {
  expect(entry).toContain('MimeType=x-scheme-handler/thruflux;\n')
})

it('the actions of the icon are switches of the app', () => {
  const commands = [...entry.matchAll(/^Exec=thruflux (--.*)$/gm)].map(([, argument]) => argument)
  expect(commands).toEqual(Object.keys(acts))
})

// The program is part of desktop-file-utils, which few build machines have.
const canValidate = spawnSync('desktop-file-validate', ['--version']).error === undefined

it.runIf(canValidate)('entries follow the specification of desktop entries', () => {
  for (const name of ['thruflux.desktop', 'thunar-send-to.desktop']) {
    const { stdout, status } = spawnSync('desktop-file-validate', [join(folder, name)])
    expect([name, stdout.toString(), status]).toEqual([name, '', 0])
  }
})
