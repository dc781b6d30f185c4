/** `thru` alone (scripts/package/thru.mjs): what is in the archive, that it is made the same again, and that it runs on an old system. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandPlaces } from '../../../../build/install-places.mjs'
import { integrityOf, nodeVersion } from '../../../deps/node-runtime.mjs'
import { oldestSuite } from '../../../fresh/base.mjs'
import { freshSystem } from '../../../fresh/system.mjs'
import { checkFolder } from '../../../package/linkage.mjs'
import { commandContents } from '../../../package/stage.mjs'
import { mostBytes, packThru, thruArchive } from '../../../package/thru.mjs'

const target = 'linux-x64'
const archive = thruArchive(target)
const name = basename(archive, '.tar.xz')

/** What is the program's, beside the files of install-places.mjs. */
const ours = [
  'bin/thru',
  'lib/thruflux/node',
  'lib/thruflux/package.json',
  'lib/thruflux/out/native/thruflux.node',
  ...commandContents.map((path) => `lib/thruflux/${path}`),
  'share/doc/thruflux/LICENSE.node',
]
/** GLib and libnice, which a user may replace. */
const libraries =
  /^lib\/thruflux\/out\/native\/lib(glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|nice)\.so\.\d+$/

describe('thru alone', () => {
  let dir: string
  beforeAll(() => {
    if (!existsSync(archive))
      throw new Error(`There is no ${archive}: "npm run test:packages" makes it.`)
    dir = mkdtempSync(join(tmpdir(), 'thruflux-alone-'))
    execFileSync('tar', ['-xJf', archive, '-C', dir])
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('has what it needs and nothing else, in no more than 45 MB', () => {
    const listed = execFileSync('tar', ['-tJf', archive], { encoding: 'utf8' })
    const files = listed
      .trim()
      .split('\n')
      .filter((path) => !path.endsWith('/'))
      .map((path) => path.replace(`${name}/`, ''))
    const expected = [...ours, ...Object.values(commandPlaces)]
    expect(files.filter((path) => !libraries.test(path)).sort()).toEqual(expected.sort())
    expect(files.filter((path) => libraries.test(path)).length).toBeGreaterThanOrEqual(4)
    expect(statSync(archive).size).toBeLessThanOrEqual(mostBytes)
  })

  it('asks nothing of a system but an old C library, and the C++ library for Node', () => {
    const { checked, trouble } = checkFolder(join(dir, name))
    expect(trouble).toEqual([])
    expect(checked).toBeGreaterThanOrEqual(6)
  })

  it('starts with its own Node, through a link from another folder', () => {
    const link = join(dir, 'thru')
    execFileSync('ln', ['-s', join(dir, name, 'bin/thru'), link])
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const options = { encoding: 'utf8', cwd: '/', env: { PATH: '/usr/bin:/bin' } } as const
    expect(execFileSync(link, ['--version'], options).trim()).toBe(version)
    expect(execFileSync(link, ['licenses'], options)).toContain('OpenSSL: Apache-2.0')
    const node = execFileSync(join(dir, name, 'lib/thruflux/node'), ['--version'], options)
    expect(node.trim()).toBe(`v${nodeVersion}`)
  })

  it('is the same bytes when it is packed again', async () => {
    const before = integrityOf(readFileSync(archive))
    await packThru(target)
    expect(integrityOf(readFileSync(archive))).toBe(before)
  }, 600_000)

  it.skipIf(process.getuid?.() !== 0)(
    `sends and receives on a Debian of 2021 (${oldestSuite}) with nothing but the archive`,
    async () => {
      const system = await freshSystem(oldestSuite)
      try {
        spawnSync('tar', ['-xJf', archive, '-C', system.folder])
        const thru = `/${name}/bin/thru`
        const { status, output } = system.run(transfer(thru))
        expect(output).toContain('the same')
        expect(status).toBe(0)
      } finally {
        system.remove()
      }
    },
    300_000,
  )
})

/** A shell script that sends 20 MB and a small file through a server of its own, and compares what came. */
const transfer = (thru: string) => `
set -e
ip link set lo up 2>/dev/null || true
mkdir -p /tmp/sent /tmp/got
head -c 20000000 /dev/urandom > /tmp/sent/large
echo small > /tmp/sent/small
cd /tmp
${thru} serve --port 18734 > server.log 2>&1 &
server=$!
for i in $(seq 100); do grep -q listening server.log && break; sleep 0.1; done
${thru} host sent --server-url ws://127.0.0.1:18734 --no-lan --json > host.log 2>&1 &
host=$!
code=
for i in $(seq 200); do
  code=$(sed -n 's/.*"code":"\\([^"]*\\)".*/\\1/p' host.log | head -1)
  [ -n "$code" ] && break
  sleep 0.1
done
${thru} join "$code" got --yes --server-url ws://127.0.0.1:18734 --no-lan --json > join.log 2>&1 || { cat server.log host.log join.log; exit 1; }
kill $host $server
cmp sent/large got/sent/large && cmp sent/small got/sent/small && echo the same
`
