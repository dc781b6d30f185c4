/** Tests build/linux/AppRun with an app and a command that print their arguments. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { root } from '../lib/cache.mjs'

describe.runIf(process.platform === 'linux')('an AppImage', () => {
  let folder: string
  let home: string
  /** Stands in for a launcher without FUSE: starts AppRun with APPIMAGE, but without ARGV0. */
  let image: string
  let appRun: string
  let command: string

  beforeEach(() => {
    folder = folderOfTest()
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
    appRun = join(folder, 'image/AppRun')
    copyFileSync(join(root, 'build/linux/AppRun'), appRun)
    const start = `exec sh '${appRun}' "$@"`
    program(image, `export APPIMAGE="$0" APPDIR='${join(folder, 'image')}'`, start)
  })

  const run = (program: string, args: readonly string[], more = {}) => {
    const env = { HOME: home, PATH: '/usr/bin:/bin', ...more }
    const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  const start = (...args: readonly string[]) => run(image, args)

  /** Starts the app on a system whose `unshare` exits with `status`. */
  const startWhere = (status: number, ...args: readonly string[]) => {
    const tools = join(folder, 'tools')
    mkdirSync(tools)
    writeFileSync(join(tools, 'unshare'), `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 })
    return run(image, args, { PATH: `${tools}:/usr/bin:/bin` })
  }

  it('opens the app with its arguments, in the sandbox where the system has one', () => {
    expect(startWhere(0, 'a file', '--hidden')).toEqual({
      ...{ status: 0, stderr: '', stdout: '<thruflux><a file><--hidden>' },
    })
  })

  it('prints one line when it opens the app without a sandbox', () => {
    const { stdout, stderr } = startWhere(1, 'a file')
    expect(stdout).toBe('<thruflux><--no-sandbox><a file>')
    expect(stderr).toMatch(/^Thruflux runs without Chromium's sandbox: .*\n$/)
  })

  it('does not mention a sandbox when the command is started', () => {
    expect(startWhere(1, 'thru', 'join')).toMatchObject({ stdout: '<thru><join>', stderr: '' })
  })

  it('is the command when that is its first argument, or the name of a link to it', () => {
    expect(start('thru', 'join', 'a b').stdout).toBe('<thru><join><a b>')
    expect(run(image, ['join'], { ARGV0: '/usr/local/bin/thru' }).stdout).toBe('<thru><join>')
  })

  it('installs the command on the PATH, and removes it again', () => {
    const installed = start('--install-thru')
    expect(installed).toMatchObject({ status: 0, stderr: '' })
    expect(installed.stdout).toContain(`${command} now starts thru from ${image}.`)
    expect(installed.stdout).toContain('add ~/.local/bin to the PATH')
    expect(statSync(command).mode & 0o777).toBe(0o755)
    expect(run(command, ['host', '$HOME', "it's"]).stdout).toBe("<thru><host><$HOME><it's>")
    expect(start('--remove-thru')).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(command)).toBe(false)
  })

  it('does not mention the PATH where it already has the folder', () => {
    const PATH = `/usr/bin:/bin:${join(home, '.local/bin')}`
    expect(run(image, ['--install-thru'], { PATH }).stdout.split('\n')).toHaveLength(2)
  })

  it('refers to its new path after it has been moved', () => {
    start('--install-thru')
    writeFileSync(command, readFileSync(command, 'utf8').replace('Mina', 'Nobody'))
    expect(start('--install-thru').status).toBe(0)
    expect(run(command, ['--version']).stdout).toBe('<thru><--version>')
  })

  it.each([
    ['a program of somebody else', (path: string) => writeFileSync(path, '#!/bin/sh\n')],
    ['a link, even one that leads nowhere', (path: string) => symlinkSync('/nowhere', path)],
  ])('neither replaces nor removes %s', (_, make) => {
    mkdirSync(join(command, '..'), { recursive: true })
    make(command)
    for (const action of ['--install-thru', '--remove-thru']) {
      const { status, stderr } = start(action)
      expect([status, stderr]).toEqual([1, expect.stringContaining("isn't from this app")])
    }
    expect(spawnSync('test', ['-L', command, '-o', '-s', command]).status).toBe(0)
  })

  it('removes nothing if no command is installed, and installs none when it is unpacked', () => {
    expect(start('--remove-thru').status).toBe(0)
    const unpacked = { APPDIR: join(folder, 'image') }
    expect(run('sh', [appRun, '--install-thru'], unpacked)).toMatchObject({ status: 1, stdout: '' })
    expect(existsSync(command)).toBe(false)
  })

  it('ignores variables of another AppImage, such as the terminal that runs it', () => {
    const other = join(folder, 'other')
    mkdirSync(other)
    const said = { APPIMAGE: '/opt/Terminal.AppImage', APPDIR: other, ARGV0: 'thru' }
    for (const env of [said, { APPIMAGE: said.APPIMAGE, ARGV0: said.ARGV0 }]) {
      expect(run('sh', [appRun, 'a file'], env).stdout).toMatch(/^<thruflux>.*<a file>$/)
      expect(run('sh', [appRun, '--install-thru'], env).status).toBe(1)
    }
    expect(existsSync(command)).toBe(false)
  })

  it('does not write through a link next to the command, and leaves no file there', () => {
    const mine = join(home, 'mine')
    mkdirSync(join(command, '..'), { recursive: true })
    writeFileSync(mine, 'mine')
    symlinkSync(mine, `${command}.new`)
    expect(start('--install-thru').status).toBe(0)
    expect(readFileSync(mine, 'utf8')).toBe('mine')
    expect(readdirSync(join(command, '..'))).toEqual(['thru', 'thru.new'])
  })

  it('leaves nothing behind where the command cannot be written', () => {
    const full = join(folder, 'full')
    mkdirSync(full)
    writeFileSync(join(full, 'chmod'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const failed = run(image, ['--install-thru'], { PATH: `${full}:/usr/bin:/bin` })
    expect(failed).toMatchObject({ status: 1, stdout: '' })
    expect(readdirSync(join(command, '..'))).toEqual([])
  })

  it('writes one complete command when several installations run concurrently', () => {
    const twice =
      'for _ in 1 2 3 4 5 6; do "$0" --install-thru & pids="$pids $!"; done; for pid in $pids; do wait $pid || exit 1; done'
    expect(run('sh', ['-c', twice, image])).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(join(command, '..'))).toEqual(['thru'])
    expect(run(command, ['--version']).stdout).toBe('<thru><--version>')
  })

  it('installs no command without HOME', () => {
    const { status, stderr } = run(image, ['--install-thru'], { HOME: undefined })
    expect(status).not.toBe(0)
    expect(stderr).toContain('HOME')
  })
})
