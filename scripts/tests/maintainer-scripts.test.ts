/** Runs the maintainer scripts of packages in a folder in place of the system's root. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { root } from '../lib/cache.mjs'

let system: string
const at = (path: string): string => join(system, path)
const put = (path: string, content: string, mode = 0o644): void => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), content)
  chmodSync(at(path), mode)
}

beforeEach(() => {
  system = folderOfTest()
})

/** Runs a script with its absolute paths below the folder, and with `tools` first on the PATH. */
function run(script: string, ...args: readonly string[]) {
  const text = readFileSync(join(root, 'build', script), 'utf8')
  put('script', text.replace(/(?<=[\s="'])\/(?=(?:etc|usr|var|sys|run)\/)/g, `${system}/`))
  const { status, stderr } = spawnSync('sh', [at('script'), ...args], {
    env: { PATH: `${at('tools')}:/usr/bin:/bin` },
    encoding: 'utf8',
  })
  return { status, stderr }
}

describe.runIf(process.platform === 'linux')('the profile for AppArmor', () => {
  const profile = 'etc/apparmor.d/thruflux'
  const cached = 'var/cache/apparmor/26b63962.0/thruflux'

  beforeEach(() => {
    put('usr/lib/thruflux/apparmor', 'ours')
    put('tools/apparmor_parser', `#!/bin/sh\necho "$@" >>${at('parsed')}\n`, 0o755)
    mkdirSync(at('sys/kernel/security/apparmor'), { recursive: true })
  })

  it('is installed where AppArmor supports it, and removed with the app, including its cache', () => {
    put('etc/apparmor.d/abi/4.0', '')
    expect(run('linux/after-install.sh', 'configure')).toEqual({ status: 0, stderr: '' })
    expect(readFileSync(at(profile), 'utf8')).toBe('ours')
    put(cached, 'made of it')
    put('var/cache/apparmor/26b63962.0/firefox', 'of another')
    expect(run('linux/after-remove.sh', 'upgrade')).toEqual({ status: 0, stderr: '' })
    expect([profile, cached].map((path) => existsSync(at(path)))).toEqual([true, true])
    expect(run('linux/after-remove.sh', 'remove')).toEqual({ status: 0, stderr: '' })
    expect([profile, cached].map((path) => existsSync(at(path)))).toEqual([false, false])
    expect(existsSync(at('var/cache/apparmor/26b63962.0/firefox'))).toBe(true)
    expect(readFileSync(at('parsed'), 'utf8').match(/--(replace|remove)/g)).toEqual([
      ...['--replace', '--remove'],
    ])
  })

  it('is not installed for an AppArmor that is too old for it', () => {
    expect(run('linux/after-install.sh', '1')).toEqual({ status: 0, stderr: '' })
    expect(existsSync(at(profile))).toBe(false)
    expect(run('linux/after-remove.sh', '0')).toEqual({ status: 0, stderr: '' })
  })
})

describe.runIf(process.platform === 'linux')('the settings of the server', () => {
  const settings = 'etc/thru-server/environment'
  const configure = () => run('server/postinst', 'configure', '1.0.0')

  // Replaces the programs that notify systemd.
  beforeEach(() => {
    for (const name of ['deb-systemd-helper', 'deb-systemd-invoke', 'systemctl'])
      put(`tools/${name}`, '#!/bin/sh\n', 0o755)
  })

  it('are for root only', () => {
    put(settings, 'THRU_TURN_SECRET=s')
    expect(configure()).toEqual({ status: 0, stderr: '' })
    expect(statSync(at(settings)).mode & 0o777).toBe(0o600)
  })

  it('may be missing in an upgrade', () => {
    expect(configure()).toEqual({ status: 0, stderr: '' })
  })

  it('may be a link to a file that others read, too', () => {
    put('etc/shared', 'THRU_PORT=1')
    mkdirSync(at('etc/thru-server'))
    symlinkSync(at('etc/shared'), at(settings))
    expect(configure()).toEqual({ status: 0, stderr: '' })
    expect(statSync(at('etc/shared')).mode & 0o777).toBe(0o644)
  })
})
