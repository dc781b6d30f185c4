/** Tests the archive of `thru` (scripts/package/thru.mjs): its contents, reproducibility, and use on an old system. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandPlaces } from '../../../../build/install-places.mjs'
import { integrityOf, nodeVersion } from '../../../deps/node-runtime.mjs'
import { oldestSuite } from '../../../fresh/base.mjs'
import { freshSystem } from '../../../fresh/system.mjs'
import { checkFolder } from '../../../package/linkage.mjs'
import { commandContents } from '../../../package/stage.mjs'
import { maxBytes, packThru, thruArchive } from '../../../package/thru.mjs'

const target = 'linux-x64'
const archive = thruArchive(target)
const name = basename(archive, '.tar.xz')

/** The program's files that install-places.mjs doesn't list. */
const ours = [
  'bin/thru',
  'lib/thruflux/node',
  'lib/thruflux/package.json',
  'lib/thruflux/out/native/thruflux.node',
  ...commandContents.map((path) => `lib/thruflux/${path}`),
  ...readdirSync('out/web').map((name) => `lib/thruflux/out/web/${name}`),
  'share/doc/thruflux/LICENSE.node',
]
/** GLib and libnice, which users may replace. */
const libraries =
  /^lib\/thruflux\/out\/native\/lib(glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|nice)\.so\.\d+$/

describe('thru alone', () => {
  let dir: string
  beforeAll(() => {
    if (!existsSync(archive)) throw new Error(`There is no ${archive}. Run: npm run test:packages`)
    dir = mkdtempSync(join(tmpdir(), 'thruflux-alone-'))
    execFileSync('tar', ['-xJf', archive, '-C', dir])
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('has only the files that it needs, in at most 45 MB', () => {
    const listed = execFileSync('tar', ['-tJf', archive], { encoding: 'utf8' })
    const files = listed
      .trim()
      .split('\n')
      .filter((path) => !path.endsWith('/'))
      .map((path) => path.replace(`${name}/`, ''))
    const expected = [...ours, ...Object.values(commandPlaces)]
    expect(files.filter((path) => !libraries.test(path)).sort()).toEqual(expected.sort())
    expect(files.filter((path) => libraries.test(path)).length).toBeGreaterThanOrEqual(4)
    expect(statSync(archive).size).toBeLessThanOrEqual(maxBytes)
  })

  it('needs only an old C library, and the C++ library for Node', () => {
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

  it("works in a process that has already loaded the system's GLib, like Electron", () => {
    const libraries = execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' })
    const [, theirs = ''] = /libgio-2\.0\.so\.0 .*x86-64.* => (\S+)/.exec(libraries) ?? []
    const thru = `env LD_PRELOAD=${theirs} ${join(dir, name, 'bin/thru')}`
    const output = execFileSync('sh', ['-c', transfer(thru)], { encoding: 'utf8' })
    const loaded = output.split('\n').filter((line) => line.startsWith('/'))
    expect(loaded.filter((path) => path.startsWith(dir)).map((path) => basename(path))).toEqual([
      'libnice.so.10',
    ])
    expect(loaded.map((path) => dirname(path))).toContain(dirname(realpathSync(theirs)))
    expect(output).toContain('the same')
  })

  it('has the same bytes when it is packed again', async () => {
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

/** A shell script that transfers two files through its own server, compares them and prints the sender's GLib and libnice files. */
const transfer = (thru: string) => `
set -e
ip link set lo up 2>/dev/null || true
cd "$(mktemp -d)"
mkdir sent got
head -c 20000000 /dev/urandom > sent/large
echo small > sent/small
await() { # sed expression, file
  for i in $(seq 200); do
    found=$(sed -n "$1" "$2" | head -1)
    [ -z "$found" ] || return 0
    sleep 0.1
  done
  cat ./*.log; exit 1
}
${thru} serve --port 0 --host 127.0.0.1 > server.log 2>&1 &
server=$!
await 's/.*\\(ws:[^ ]*\\).*/\\1/p' server.log; url=$found
${thru} host sent --server-url "$url" --no-lan --json > host.log 2>&1 &
host=$!
await 's/.*"code":"\\([^"]*\\)".*/\\1/p' host.log
${thru} join "$found" got --yes --server-url "$url" --no-lan --json > join.log 2>&1 || { cat ./*.log; exit 1; }
sed -n 's/.* \\(\\/.*\\/lib\\(g[a-z]*-2\\.0\\|nice\\)\\.so.*\\)/\\1/p' /proc/$host/maps | sort -u
kill $host $server
cmp sent/large got/sent/large && cmp sent/small got/sent/small && echo the same
rm -r "$PWD"`
