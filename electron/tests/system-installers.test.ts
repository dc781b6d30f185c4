import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BaseUpdater } from 'electron-updater'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { feedOf, signedFeed } from '#client/testing/update-feed'
import type { Result } from '#shared/result'
import type { UpdateError } from '#shared/update/update-error'
import { installOnMac, installOnWindows } from '../main/update/installer'
import type { Ready, Updater } from '../main/update/updater'
import { clock, feed, folder, key, nameOf, path, updaterOf, useUpdaters } from './updater-rig'

useUpdaters()

const always = (): boolean => true

describe.runIf(process.platform === 'linux')('on Windows', () => {
  const name = 'thruflux-1.1.0-win-x64-setup.exe'
  let made: ReturnType<typeof updaterOf>
  const installing = (restarts: boolean, mayEnd = always): Promise<Result<null, UpdateError>> => {
    const { updater } = made
    return installOnWindows(updater.library as BaseUpdater)(readyOf(updater), restarts, mayEnd)
  }
  const readyOf = ({ ready }: Updater): Ready => {
    if (ready === null) throw new Error('nothing is ready')
    return ready
  }
  /** The installer's arguments, recorded by a substitute program. */
  const said = async (): Promise<string> => {
    const file = join(folder, 'said')
    await vi.waitUntil(() => existsSync(file), { timeout: 60_000 })
    return readFileSync(file, 'utf8').trim()
  }

  beforeEach(async () => {
    const said = join(folder, 'said')
    const program = Buffer.from(
      `#!/bin/sh\necho "$@" > '${said}.part' && mv '${said}.part' '${said}'\n`,
    )
    const offered = feedOf(program, clock.now())
    const [file] = offered.files
    const files = [{ ...file, url: name }]
    feed.bytes(path, signedFeed(nameOf('stable'), { ...offered, files }, key))
    feed.bytes(`/${name}`, program)
    made = updaterOf({ kind: 'nsis' })
    expect(await made.check()).toMatchObject({ kind: 'ready' })
    chmodSync(readyOf(made.updater).path, 0o700)
  })

  it('UPD-04: runs the download under its signed name, by a list of arguments', async () => {
    expect(readyOf(made.updater).path).toBe(join(folder, 'updates/pending', name))
    expect((await installing(true)).ok).toBe(true)
    expect(await said()).toBe('--updated /S --force-run')
  })

  it('does not restart when the app only quits', async () => {
    await installing(false)
    expect(await said()).toBe('--updated /S')
  })

  it('UPD-06: decides by our signature and hash alone: PowerShell is not used', async () => {
    vi.stubEnv('PATH', '')
    const again = updaterOf({ kind: 'nsis' })
    expect(await again.check()).toMatchObject({ kind: 'ready' })
  })

  it('UPD-03: does not run a package that was changed since its download', async () => {
    writeFileSync(readyOf(made.updater).path, '#!/bin/sh\nexit 0\n')
    const install = vi.fn()
    const done = installOnWindows({ install })(readyOf(made.updater), true, always)
    expect(await done).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(install).not.toHaveBeenCalled()
  })

  it('is started by the next call if a transfer began during the check', async () => {
    expect((await installing(true, () => false)).ok).toBe(true)
    await installing(false)
    expect(await said()).toBe('--updated /S')
  })

  it('reports that the installer does not run', async () => {
    // The library then tries a helper of electron-builder's installers, which ours lacks.
    Object.assign(process, { resourcesPath: folder })
    chmodSync(readyOf(made.updater).path, 0o600)
    await installing(true)
    const failed = (): boolean => made.phases.at(-1)?.kind === 'failed'
    await vi.waitUntil(failed, { timeout: 60_000 })
    expect(made.phases.at(-1)).toMatchObject({ error: { code: 'E_UPDATE_INSTALL' } })
    expect(made.updater.ready).toBeNull()
  })
})

it('on a Mac, Squirrel installs at the end of the app, and restarts it on request', async () => {
  const quitAndInstall = vi.fn()
  const install = installOnMac({ quitAndInstall })
  const ready = {
    path: '',
    feed: feedOf(Buffer.from('x'), 0),
    channel: 'stable',
    isAsked: true,
  } as const
  await install(ready, false, always)
  await install(ready, true, () => false)
  expect(quitAndInstall).not.toHaveBeenCalled()
  await install(ready, true, always)
  expect(quitAndInstall).toHaveBeenCalledOnce()
})
