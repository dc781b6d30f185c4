import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#client/testing/manual-clock'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { manifestOf } from '#client/testing/update-feed'
import { MacInstaller, type Squirrel } from '../main/update/mac-installer'
import { type Run, run, WindowsInstaller } from '../main/update/windows-installer'

const content = Buffer.from('a package')
const at = temporaryFolder()
let folder: string
beforeEach(() => {
  folder = at()
  writeFileSync(join(folder, 'package'), content)
})

const ready = () => ({
  path: join(folder, 'package'),
  isAsked: true,
  signed: null,
  manifest: manifestOf(content, Date.now(), { file: 'Setup.exe' }),
})
const always = (): boolean => true
const sha512 = (bytes: Uint8Array): string => createHash('sha512').update(bytes).digest('hex')

describe('on Windows', () => {
  it('UPD-04: runs a copy under a name of its own, by a list of arguments', async () => {
    const run = vi.fn<Run>(() => Promise.resolve())
    const installer = new WindowsInstaller(folder, run)
    expect((await installer.install(ready(), true, always)).ok).toBe(true)
    const [program = '', args] = run.mock.calls[0] ?? []
    expect(args).toEqual(['/S', '--updated', '--force-run'])
    expect(program).toMatch(/[/\\]setup-\w{6}[/\\]thruflux-setup\.exe$/)
    expect(sha512(readFileSync(program))).toBe(sha512(content))
    await installer.install(ready(), false, always)
    const [next = '', others] = run.mock.calls[1] ?? []
    expect(others).toEqual(['/S', '--updated'])
    expect(next).not.toBe(program)
    // What was run before is removed.
    expect(readdirSync(folder).filter((name) => name !== 'package')).toHaveLength(1)
  })

  it('UPD-06: decides by our signature and hash alone: without PowerShell nothing else is started', async () => {
    const run = vi.fn<Run>(() => Promise.resolve())
    writeFileSync(join(folder, 'package'), 'another one')
    const refused = new WindowsInstaller(folder, run).install(
      { ...ready(), manifest: manifestOf(content, Date.now()) },
      true,
      always,
    )
    expect(await refused).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(run).not.toHaveBeenCalled()
    expect(readdirSync(folder, { recursive: true })).not.toContainEqual(
      expect.stringContaining('setup.exe'),
    )
  })

  it('is started by the next call when a transfer has begun while it was copied', async () => {
    const run = vi.fn<Run>(() => Promise.resolve())
    const installer = new WindowsInstaller(folder, run)
    expect((await installer.install(ready(), true, () => false)).ok).toBe(true)
    expect(run).not.toHaveBeenCalled()
    await installer.install(ready(), false, always)
    expect(run).toHaveBeenCalledOnce()
  })

  it.runIf(process.platform === 'linux')('starts it in its own folder', async () => {
    const program = join(folder, 'setup.exe')
    writeFileSync(program, '#!/bin/sh\npwd > out.part && mv out.part out\n', { mode: 0o700 })
    await run(program, [])
    const said = await vi.waitUntil(() => existsSync(join(folder, 'out')))
    expect(said).toBe(true)
    expect(readFileSync(join(folder, 'out'), 'utf8').trim()).toBe(realpathSync(folder))
  })

  it('says when the installer does not run', async () => {
    const run: Run = () => Promise.reject(new Error('EACCES'))
    const done = await new WindowsInstaller(folder, run).install(ready(), true, always)
    expect(done).toMatchObject({ error: { code: 'E_UPDATE_INSTALL', detail: 'Error: EACCES' } })
  })
})

describe('on a Mac', () => {
  const clock = new ManualClock()
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
      on: (event: string, listener: Listener) => listeners.set(event, listener),
    }
    return { squirrel, quitAndInstall, listeners }
  }

  it('Squirrel gets the checked package, under an address nobody else knows', async () => {
    let got = ''
    const { squirrel, quitAndInstall } = squirrelOf(async (address) => {
      const { url } = (await (await fetch(address)).json()) as { url: string }
      got = await (await fetch(url)).text()
      const other = await fetch(new URL('/update.zip', url))
      if (other.status !== 404) throw new Error('anybody may ask')
    })
    const installer = new MacInstaller(folder, squirrel, clock)
    expect(await installer.prepare(ready())).toEqual({ ok: true, value: null })
    expect(got).toBe('a package')
    await installer.install(ready(), false, always)
    expect(quitAndInstall).not.toHaveBeenCalled()
    await installer.install(ready(), true, always)
    expect(quitAndInstall).toHaveBeenCalledOnce()
  })

  it('Squirrel has ten minutes, and nothing of it is left open after that', async () => {
    let address = ''
    const { squirrel, listeners } = squirrelOf(async (url) => {
      address = url
      await new Promise(() => undefined)
    })
    const installer = new MacInstaller(folder, squirrel, clock)
    const prepared = installer.prepare(ready())
    await clock.untilDelay(10 * 60_000)
    clock.advance(10 * 60_000)
    expect(await prepared).toMatchObject({ error: { code: 'E_UPDATE_INSTALL' } })
    await expect(fetch(address)).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(['package'])
    // What it says late is heard, and means nothing.
    for (const listener of listeners.values()) listener(new Error('late'))
    expect(clock.delays).toEqual([])
  })

  it('each package has an answer of its own from Squirrel', async () => {
    let asked = 0
    const { squirrel } = squirrelOf(async () => {
      asked += 1
      if (asked === 1) await Promise.reject(new Error('code signature'))
    })
    const on = vi.spyOn(squirrel, 'on')
    const installer = new MacInstaller(folder, squirrel, clock)
    expect((await installer.prepare(ready())).ok).toBe(false)
    expect((await installer.prepare(ready())).ok).toBe(true)
    expect(on).toHaveBeenCalledTimes(2)
  })

  it('what Squirrel refuses is said', async () => {
    const { squirrel } = squirrelOf(() => Promise.reject(new Error('code signature')))
    expect(await new MacInstaller(folder, squirrel, clock).prepare(ready())).toMatchObject({
      error: { code: 'E_UPDATE_INSTALL' },
    })
  })

  it('UPD-03: a package that was changed never gets to Squirrel', async () => {
    const fetchIt = vi.fn(() => Promise.resolve())
    const { squirrel } = squirrelOf(fetchIt)
    const wanted = ready()
    writeFileSync(join(folder, 'package'), 'another one')
    const done = await new MacInstaller(folder, squirrel, clock).prepare(wanted)
    expect(done).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(fetchIt).not.toHaveBeenCalled()
  })
})
