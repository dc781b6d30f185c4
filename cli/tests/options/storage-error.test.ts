import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { host } from '../../commands/host'
import { resume } from '../../commands/resume'
import { JsonReporter } from '../../report/json-reporter'
import { PlainReporter } from '../../report/plain-reporter'
import type { Reporter } from '../../report/reporter'
import { Paper } from '../paper'

let folder: string
beforeEach(() => {
  folder = folderOfTest()
  vi.stubEnv('XDG_STATE_HOME', folder)
  vi.stubEnv('LOCALAPPDATA', folder)
  vi.stubEnv('HOME', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

function place(name: string, text: string): void {
  const state = process.platform === 'win32' ? 'Thruflux' : 'thruflux'
  mkdirSync(join(folder, state), { mode: 0o700 })
  writeFileSync(join(folder, state, name), text)
}

const contextOf = (reporter: Reporter, terminal: Paper) => ({
  ...{ reporter, terminal, stopped: new Promise<never>(() => undefined) },
})

// On macOS the folder is inside the account's own, which no variable changes.
describe.skipIf(process.platform === 'darwin')('an unusable file', () => {
  it('of shares is reported by thru host --resume, which lists none', async () => {
    place('shares.json', '{"version":1,"shares":[')
    const paper = new Paper()
    const exitCode = await host([], { resume: true }, contextOf(new PlainReporter(paper), paper))
    expect(exitCode).toBe(2)
    expect(paper.notes[0]).toContain('shares.json')
  })

  it('of contacts is reported by thru host --to, which finds no contact', async () => {
    place('contacts.json', '{')
    const paper = new Paper()
    const to = { to: ['Mina'], text: ['hello'] }
    await host([], to, contextOf(new PlainReporter(paper), paper))
    expect(paper.notes[0]).toContain('contacts.json')
  })

  it('of receives is reported by thru resume, which lists none', async () => {
    place('transfers.json', '{"version":99}')
    const paper = new Paper()
    const code = { isGiven: false, take: () => Promise.reject(new Error('not asked for')) }
    await resume(undefined, code, { json: true }, contextOf(new JsonReporter(paper), paper))
    expect(JSON.parse(paper.printed[0] ?? '')).toMatchObject({ type: 'storage', kind: 'newer' })
  })
})
