/** Replaces a running program, with real processes that are killed, and on small real disks. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { appImage } from '#client/testing/update-feed'
import { replaceAppImage } from '#client/update/replace-appimage'

const [before, after] = [appImage(3_000_000), appImage(3_000_000)]
const sha512 = (bytes: Uint8Array): string => createHash('sha512').update(bytes).digest('base64')

const at = temporaryFolder()
/** The tested code, for processes that are killed. */
let bundle: string

beforeAll(async () => {
  const { output } = (await build({
    ...{ configFile: false, logLevel: 'warn' },
    ssr: { noExternal: true },
    build: {
      ...{ write: false, ssr: join(__dirname, '../../update/replace-appimage.ts') },
      rolldownOptions: { output: { format: 'cjs' } },
    },
  })) as Rolldown.RolldownOutput
  bundle = output[0].code
})
beforeEach(() => {
  for (const name of ['apps', 'state']) mkdirSync(at(name))
  writeFileSync(at('apps', 'Thruflux.AppImage'), before, { mode: 0o755 })
  writeFileSync(at('state', 'package'), after)
})

const target = (): string => at('apps', 'Thruflux.AppImage')
const wanted = () => ({ path: at('state', 'package'), sha512: sha512(after) })
const replace = () => replaceAppImage(target(), wanted())
const is = (path: string, bytes: Uint8Array): boolean => readFileSync(path).equals(bytes)

it('the new version replaces the old one', async () => {
  expect((await replace()).ok).toBe(true)
  expect(is(target(), after)).toBe(true)
  expect(statSync(target()).mode & 0o111).toBe(0o111)
  expect(readdirSync(at('apps'))).toEqual(['Thruflux.AppImage'])
})

it('UPD-04: quotes, backticks, percent signs, spaces and Unicode in names are harmless', async () => {
  const name = `Thru "flux" 'it\`s' $(reboot) %TEMP% 한국어.AppImage`
  const place = at('apps', name)
  writeFileSync(place, before, { mode: 0o755 })
  expect((await replaceAppImage(place, wanted())).ok).toBe(true)
  expect(is(place, after)).toBe(true)
  expect(readdirSync(at('apps')).sort()).toEqual([name, 'Thruflux.AppImage'].sort())
})

it('a link to the AppImage stays, and leads to the new version', async () => {
  symlinkSync(target(), at('link'))
  expect((await replaceAppImage(at('link'), wanted())).ok).toBe(true)
  expect(is(at('link'), after)).toBe(true)
  expect(is(target(), after)).toBe(true)
})

describe('UPD-03: between the check and the replacement', () => {
  it('a package that was replaced is refused', async () => {
    writeFileSync(at('state', 'package'), randomBytes(3_000_000))
    expect(await replace()).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(is(target(), before)).toBe(true)
    expect(readdirSync(at('apps'))).toEqual(['Thruflux.AppImage'])
  })

  it('a package that became a link is refused', async () => {
    rmSync(at('state', 'package'))
    writeFileSync(at('elsewhere'), after)
    symlinkSync(at('elsewhere'), at('state', 'package'))
    expect((await replace()).ok).toBe(false)
    expect(is(target(), before)).toBe(true)
  })
})

it('an AppImage that another program puts there meanwhile stays', async () => {
  const other = appImage(3_000_000)
  let asked = 0
  const isWanted = (): boolean => {
    asked += 1
    if (asked > 1) writeFileSync(target(), other, { mode: 0o755 })
    return asked === 1
  }
  const done = await replaceAppImage(target(), wanted(), isWanted)
  expect(done).toMatchObject({ error: { code: 'E_UPDATE_INSTALL' } })
  expect(is(target(), other)).toBe(true)
  expect(readdirSync(at('state'))).toEqual(['package'])
  expect(readdirSync(at('apps'))).toEqual(['Thruflux.AppImage'])
})

it('a file that is not an AppImage is never replaced, whatever the environment says', async () => {
  const place = at('apps', 'other-program')
  writeFileSync(place, 'a program')
  const error = { code: 'E_UPDATE_NOT_WRITABLE' }
  for (const wrong of [place, at('apps'), at('apps', 'missing'), at('apps', 'x\0')]) {
    const done = await replaceAppImage(wrong, wanted())
    expect(done).toMatchObject({ error })
  }
  expect(readFileSync(place, 'utf8')).toBe('a program')
  expect(readdirSync(at('apps'))).toHaveLength(2)
})

/** Makes the process hang before modifying call number `stop`, after announcing it. */
const patch = `
const fs = require('node:fs/promises')
const [, , bundle, target, path, sha512, stop] = process.argv
let calls = 0
const hang = () => { process.stdout.write('here\\n'); return new Promise(() => setInterval(() => {}, 1000)) }
const counted = (run) => (...args) => (calls++ === Number(stop) ? hang() : run(...args))
const open = fs.open
for (const name of ['rename', 'rm']) fs[name] = counted(fs[name])
fs.open = counted(async (...args) => {
  const file = await open(...args)
  for (const name of ['writeFile', 'sync']) file[name] = counted(file[name].bind(file))
  return file
})
require(bundle).replaceAppImage(target, { path, sha512 }).then((done) => {
  process.stdout.write(done.ok ? 'done\\n' : JSON.stringify(done) + '\\n')
})
`

/** Resolves when the process hangs before that call, or is done. */
function runUntil(stop: number): Promise<{ child: ChildProcess; word: string }> {
  const { path, sha512: hash } = wanted()
  const script = at('patch.cjs')
  writeFileSync(script, patch)
  writeFileSync(at('bundle.cjs'), bundle)
  const child = spawn(
    process.execPath,
    [script, at('bundle.cjs'), target(), path, hash, String(stop)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return new Promise((resolve) => {
    child.stdout.once('data', (data: Buffer) => resolve({ child, word: data.toString().trim() }))
  })
}

it(
  'UPD-08: killed before any of its steps, it leaves a whole version, and the next attempt succeeds',
  { tags: ['full'] },
  async () => {
    let stop = 0
    const seen = new Set<string>()
    for (; ; stop += 1) {
      writeFileSync(target(), before, { mode: 0o755 })
      const { child, word } = await runUntil(stop)
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      if (word === 'done') break
      expect(word).toBe('here')
      const found = readFileSync(target())
      expect(found.equals(before) || found.equals(after)).toBe(true)
      seen.add(found.equals(before) ? 'old' : 'new')
      expect((await replace()).ok).toBe(true)
      expect(is(target(), after)).toBe(true)
      expect(readdirSync(at('apps'))).toEqual(['Thruflux.AppImage'])
    }
    expect(stop).toBeGreaterThan(9)
    expect([...seen].sort()).toEqual(['new', 'old'])
  },
)

const mayMount = process.platform === 'linux' && process.getuid?.() === 0

describe.skipIf(!mayMount)('UPD-08: on a disk that is full', () => {
  const mount = (size: string): string => {
    const disk = at('disk')
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
    return disk
  }
  afterEach(() => {
    if (existsSync(at('disk'))) execFileSync('umount', [at('disk')])
  })

  it('the old version stays, and nothing else is left', async () => {
    const place = join(mount('4m'), 'Thruflux.AppImage')
    writeFileSync(place, before, { mode: 0o755 })
    const done = await replaceAppImage(place, wanted())
    expect(done).toMatchObject({ error: { code: 'E_UPDATE_DISK_FULL' } })
    expect(is(place, before)).toBe(true)
    expect(readdirSync(at('disk'))).toEqual(['Thruflux.AppImage'])
  })

  it('the old version stays on a read-only disk, too, with an error', async () => {
    const disk = mount('16m')
    const place = join(disk, 'Thruflux.AppImage')
    writeFileSync(place, before, { mode: 0o755 })
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const done = await replaceAppImage(place, wanted())
    expect(done).toMatchObject({ error: { code: 'E_UPDATE_NOT_WRITABLE' } })
    expect(is(place, before)).toBe(true)
  })
})
