import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { configSettings } from '#signaling/config/invocation'
import { serverPlaces } from '../../build/install-places.mjs'
import { root } from '../lib/cache.mjs'
import { serverManual } from '../package/server.mjs'

const files = join(root, 'build/server')
const unit = readFileSync(join(files, 'thru-server.service'), 'utf8')

describe('the settings of thru-server', () => {
  it('are known to the server, and contain no secret', () => {
    const lines = readFileSync(join(files, 'environment'), 'utf8').split('\n')
    const named = lines.flatMap((line) => /^#?(THRU_\w+)=/.exec(line)?.[1] ?? [])
    const known = [...configSettings().map(({ env }) => env), 'THRU_LOG_LEVEL']
    expect(named.filter((name) => !known.includes(name))).toEqual([])
    expect(lines.filter((line) => /^#?THRU_TURN_SECRET=./.test(line))).toEqual([])
  })

  it('accept only local connections by default', () => {
    expect(readFileSync(join(files, 'environment'), 'utf8')).toMatch(/^THRU_HOST=127\.0\.0\.1$/m)
  })
})

it('every unbuilt file of the package is in the checkout', () => {
  const sources = Object.keys(serverPlaces).filter((path) => !path.startsWith('out/'))
  expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it("the manual escapes the server's help", () => {
  const page = serverManual("  --port  TCP port\n.'tis no request\n")
  expect(page).toContain('  \\-\\-port  TCP port')
  expect(page).toContain("\\&.'tis no request")
})

const canAnalyze = spawnSync('systemd-analyze', ['--version']).error === undefined

describe.runIf(canAnalyze)('the unit', () => {
  const analyze = (...args: readonly string[]) => {
    const folder = folderOfTest()
    const file = join(folder, 'thru-server.service')
    // systemd-analyze requires the program to exist.
    writeFileSync(file, unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file])
    return { status, said: `${stdout.toString()}${stderr.toString()}` }
  }

  it('is valid for systemd', () => {
    expect(analyze('verify', '--man=no')).toEqual({ status: 0, said: '' })
  })

  it('limits the exposure of the server to 1.5 out of 10', () => {
    const { status, said } = analyze('security', '--offline=true', '--threshold=15')
    expect([said.split('\n').slice(-3).join('\n'), status]).toEqual([expect.anything(), 0])
  })
})
