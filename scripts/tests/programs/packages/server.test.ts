/** Installs, uses, upgrades, removes and purges the server's package on a Debian that has only Node. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshSystem } from '../../../fresh/system.mjs'
import { root } from '../../../lib/cache.mjs'
import { makeServerDeb } from '../../../package/server.mjs'

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })

// Debian 12 has Node 18, the oldest that the package accepts; Debian 13 has Node 20.
describe.each(['bookworm', 'trixie'])('thru-server on %s', (suite) => {
  let system: Awaited<ReturnType<typeof freshSystem>>
  let folder: string
  const within = (path: string) => join(system.folder, path)
  const settings = '/etc/thru-server/environment'
  const install = async (version: string) => {
    const deb = system.bring(await makeServerDeb({ version }))
    return system.run(
      `DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${deb}`,
    )
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'thru-server-'))
    system = await freshSystem(suite)
  }, 600_000)
  afterAll(() => {
    system.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is installed with its dependencies, and only root can read its settings', async () => {
    const { status, output } = await install('1.0.0')
    expect([output.split('\n').slice(-12).join('\n'), status]).toEqual([expect.anything(), 0])
    expect(statSync(within(settings)).mode & 0o777).toBe(0o600)
    const wanted = 'etc/systemd/system/multi-user.target.wants/thru-server.service'
    expect(spawnSync('test', ['-L', within(wanted)]).status).toBe(0)
    expect(system.run('/usr/bin/node --version').output).toMatch(
      suite === 'bookworm' ? /^v18\./ : /^v20\./,
    )
  }, 300_000)

  it('connects a sender to a receiver when run as in its unit, and stops on SIGTERM', async () => {
    const port = await freePort()
    // Imitates systemd: settings in the environment, an unprivileged user, the log on standard output.
    const server = system.start(
      `set -a; . ${settings}; THRU_PORT=${port}; set +a
       setpriv --reuid 65000 --regid 65000 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \\
         $(sed -n s/^ExecStart=//p /usr/lib/systemd/system/thru-server.service) &
       read -r line; kill -TERM $!; wait $!; echo "ended with $?"`,
    )
    let said = ''
    server.stdout.on('data', (data: Buffer) => (said += data.toString()))
    server.stderr.on('data', (data: Buffer) => (said += data.toString()))
    await expect.poll(() => said, { timeout: 20_000 }).toContain('"listening"')
    expect(said).not.toMatch(/secret/i)
    writeFileSync(join(folder, 'notes.txt'), 'over the server of the package')
    const thru = (...args: readonly string[]) =>
      `"${process.execPath}" "${join(root, 'cli/bin/thru.cjs')}" ${args.join(' ')} --no-lan --server-url ws://127.0.0.1:${port}`
    const line = `
      cd "${folder}"; export XDG_STATE_HOME="${folder}/state" XDG_CONFIG_HOME="${folder}/config"
      ${thru('host', 'notes.txt', '--json', '--once')} >host.json 2>host.log & host=$!
      for _ in $(seq 200); do grep -q '"code"' host.json && break; sleep 0.1; done
      code=$(sed -n 's/.*"type":"code".*"code":"\\([^"]*\\)".*/\\1/p' host.json | head -n 1)
      ${thru('join', '"$code"', 'in', '--yes')}; joined=$?
      kill $host; exit $joined`
    const transfer = spawnSync('bash', ['-c', line], { encoding: 'utf8', timeout: 60_000 })
    expect([`${transfer.stdout}${transfer.stderr}`, transfer.status]).toEqual([
      expect.anything(),
      0,
    ])
    expect(readFileSync(join(folder, 'in/notes.txt'), 'utf8')).toBe(
      'over the server of the package',
    )
    const ended = new Promise((resolve) => server.once('close', resolve))
    server.stdin.end('stop\n')
    await ended
    expect(said).toContain('ended with 0')
    rmSync(join(folder, 'in'), { recursive: true })
  }, 120_000)

  it('keeps changed settings when it is upgraded or removed', async () => {
    writeFileSync(within(settings), 'THRU_PORT=8443\n')
    expect((await install('1.1.0')).status).toBe(0)
    expect(readFileSync(within(settings), 'utf8')).toBe('THRU_PORT=8443\n')
    expect(system.run("dpkg-query -W -f '${Version}' thru-server").output).toBe('1.1.0')
    expect(system.run('apt-get remove -y thru-server').status).toBe(0)
    expect(existsSync(within('/usr/lib/thru-server'))).toBe(false)
    expect(readFileSync(within(settings), 'utf8')).toBe('THRU_PORT=8443\n')
  }, 120_000)

  it('leaves nothing behind when it is purged', () => {
    expect(system.run('apt-get purge -y thru-server').status).toBe(0)
    const left = system.run(
      "find / -xdev -path /proc -prune -o -path /sys -prune -o -name '*thru-server*' -print",
    )
    expect(left.output.split('\n').filter((path) => !path.endsWith('.deb'))).toEqual([''])
  }, 60_000)
})
