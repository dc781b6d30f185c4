import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { manifestOf } from '#client/testing/update-feed'
import { MacInstaller, type Squirrel } from '../main/update/mac-installer'
import { type Run, WindowsInstaller } from '../main/update/windows-installer'

const content = Buffer.from('a package')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installers-'))
  writeFileSync(join(folder, 'package'), content)
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const ready = () => ({
  path: join(folder, 'package'),
  isAsked: true,
  manifest: manifestOf(content, Date.now(), { file: 'Setup.exe' }),
})
const sha512 = (bytes: Uint8Array): string => createHash('sha512').update(bytes).digest('hex')

describe('on Windows', () => {
  it('UPD-04: runs a copy under a name of its own, by a list of arguments', async () => {
    const run = vi.fn<Run>(() => Promise.resolve())
    const installer = new WindowsInstaller(folder, run)
    expect((await installer.install(ready(), true)).ok).toBe(true)
    const program = join(folder, 'setup.exe')
    expect(run).toHaveBeenCalledExactlyOnceWith(program, ['/S', '--updated', '--force-run'])
    expect(sha512(readFileSync(program))).toBe(sha512(content))
    await installer.install(ready(), false)
    expect(run).toHaveBeenLastCalledWith(program, ['/S', '--updated'])
  })

  it('UPD-06: decides by our signature and hash alone: without PowerShell nothing else is started', async () => {
    const run = vi.fn<Run>(() => Promise.resolve())
    writeFileSync(join(folder, 'package'), 'another one')
    const refused = new WindowsInstaller(folder, run).install(
      { ...ready(), manifest: manifestOf(content, Date.now()) },
      true,
    )
    expect(await refused).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(run).not.toHaveBeenCalled()
  })

  it('says when the installer does not run', async () => {
    const run: Run = () => Promise.reject(new Error('EACCES'))
    const done = await new WindowsInstaller(folder, run).install(ready(), true)
    expect(done).toMatchObject({ error: { code: 'E_UPDATE_INSTALL', detail: 'Error: EACCES' } })
  })
})

describe('on a Mac', () => {
  type Listener = (reason: Error) => void
  const squirrelOf = (fetchIt: (url: string) => Promise<unknown>) => {
    const listeners = new Map<string, Listener>()
    let address = ''
    const quitAndInstall = vi.fn()
    const squirrel: Squirrel = {
      setFeedURL: ({ url }) => {
        address = url
      },
      checkForUpdates: () => {
        void fetchIt(address).then(
          () => listeners.get('update-downloaded')?.(new Error()),
          (reason: unknown) => listeners.get('error')?.(reason as Error),
        )
      },
      quitAndInstall,
      once: (event: string, listener: Listener) => listeners.set(event, listener),
    }
    return { squirrel, quitAndInstall }
  }

  it('Squirrel gets the checked package, under an address nobody else knows', async () => {
    let got = ''
    const { squirrel, quitAndInstall } = squirrelOf(async (address) => {
      const { url } = (await (await fetch(address)).json()) as { url: string }
      got = await (await fetch(url)).text()
      const other = await fetch(new URL('/update.zip', url))
      if (other.status !== 404) throw new Error('anybody may ask')
    })
    const installer = new MacInstaller(folder, squirrel)
    expect(await installer.prepare(ready())).toEqual({ ok: true, value: null })
    expect(got).toBe('a package')
    await installer.install(ready(), false)
    expect(quitAndInstall).not.toHaveBeenCalled()
    await installer.install(ready(), true)
    expect(quitAndInstall).toHaveBeenCalledOnce()
  })

  it('what Squirrel refuses is said', async () => {
    const { squirrel } = squirrelOf(() => Promise.reject(new Error('code signature')))
    expect(await new MacInstaller(folder, squirrel).prepare(ready())).toMatchObject({
      error: { code: 'E_UPDATE_INSTALL' },
    })
  })

  it('UPD-03: a package that was changed never gets to Squirrel', async () => {
    const fetchIt = vi.fn(() => Promise.resolve())
    const { squirrel } = squirrelOf(fetchIt)
    const wanted = ready()
    writeFileSync(join(folder, 'package'), 'another one')
    const done = await new MacInstaller(folder, squirrel).prepare(wanted)
    expect(done).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(fetchIt).not.toHaveBeenCalled()
  })
})
