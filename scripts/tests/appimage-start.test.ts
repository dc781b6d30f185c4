/** How an AppImage starts (build/linux/AppRun), with programs in place of the app and the command that say how they were called. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../lib/cache.mjs'

describe.runIf(process.platform === 'linux')('an AppImage', () => {
  let folder: string
  let home: string
  /** In place of a launcher without FUSE: it starts AppRun, and says where the AppImage is but not by which name it was called. */
  let image: string
  let command: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'appimage-start-'))
    home = join(folder, 'home')
    image = join(folder, "Mina's apps", 'Thruflux $1.AppImage')
    command = join(home, '.local/bin/thru')
    const program = (path: string, ...lines: readonly string[]) => {
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
    }
    mkdirSync(home)
    for (const name of ['thru', 'thruflux'])
      program(join(folder, 'image/usr/lib/thruflux', name), `printf '<%s>' ${name} "$@"`)
    const start = `exec sh '${join(root, 'build/linux/AppRun')}' "$@"`
    program(image, `export APPIMAGE="$0" APPDIR='${join(folder, 'image')}'`, start)
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  const run = (program: string, args: readonly string[], more = {}) => {
    const env = { HOME: home, PATH: '/usr/bin:/bin', ...more }
    const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  const start = (...args: readonly string[]) => run(image, args)

  it('opens the app with what it was given', () => {
    const { stdout } = start('a file', '--hidden')
    expect(stdout.replace('<--no-sandbox>', '')).toBe('<thruflux><a file><--hidden>')
  })

  it('is the command when that is its first argument, or the name of a link to it', () => {
    expect(start('thru', 'join', 'a b').stdout).toBe('<thru><join><a b>')
    expect(run(image, ['join'], { ARGV0: '/usr/local/bin/thru' }).stdout).toBe('<thru><join>')
  })

  it('puts the command where terminals look, and takes it away again', () => {
    const installed = start('--install-thru')
    expect(installed).toMatchObject({ status: 0, stderr: '' })
    expect(installed.stdout).toContain(`${command} starts thru of ${image}.`)
    expect(installed.stdout).toContain('add ~/.local/bin to the PATH')
    expect(statSync(command).mode & 0o777).toBe(0o755)
    expect(run(command, ['host', '$HOME', "it's"]).stdout).toBe("<thru><host><$HOME><it's>")
    expect(start('--remove-thru')).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(command)).toBe(false)
  })

  it('says nothing of the PATH where terminals already look there', () => {
    const PATH = `/usr/bin:/bin:${join(home, '.local/bin')}`
    expect(run(image, ['--install-thru'], { PATH }).stdout.split('\n')).toHaveLength(2)
  })

  it('names its new place when it has been moved', () => {
    start('--install-thru')
    writeFileSync(command, readFileSync(command, 'utf8').replace('Mina', 'Nobody'))
    expect(start('--install-thru').status).toBe(0)
    expect(run(command, ['--version']).stdout).toBe('<thru><--version>')
  })

  it.each([
    [
      'a program of somebody else',
      (path: string) => {
        writeFileSync(path, '#!/bin/sh\n')
      },
    ],
    [
      'a link, even one that leads nowhere',
      (path: string) => {
        symlinkSync('/nowhere', path)
      },
    ],
  ])('neither replaces nor removes %s', (_, make) => {
    mkdirSync(join(command, '..'), { recursive: true })
    make(command)
    for (const action of ['--install-thru', '--remove-thru']) {
      const { status, stderr } = start(action)
      expect([status, stderr]).toEqual([1, expect.stringContaining('not from this app')])
    }
    expect(spawnSync('test', ['-L', command, '-o', '-s', command]).status).toBe(0)
  })

  it('removes nothing where nothing is, and offers nothing when it was unpacked', () => {
    expect(start('--remove-thru').status).toBe(0)
    const unpacked = { APPDIR: join(folder, 'image') }
    const appRun = join(root, 'build/linux/AppRun')
    expect(run('sh', [appRun, '--install-thru'], unpacked)).toMatchObject({ status: 1, stdout: '' })
    expect(existsSync(command)).toBe(false)
  })
})
