/** The privileges of the services in packages and `signaling/deploy`, as systemd rates them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** In tenths; systemd rates this "OK". */
const maxExposure = 20

const hasSystemd = spawnSync('systemd-analyze', ['security', '--help']).status === 0

const coturn = `[Service]
User=turnserver
Group=turnserver
Type=notify
ExecStart=/usr/bin/turnserver -c /etc/turnserver.conf --pidfile=
`

it.skipIf(!hasSystemd).each(['thru-server.service', 'thru-server@.service', 'coturn.service'])(
  '%s is exposed little',
  (unit) => {
    const folder = mkdtempSync(join(tmpdir(), 'thru-units-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const units = join(folder, 'etc/systemd/system')
    mkdirSync(join(units, 'coturn.service.d'), { recursive: true })
    copyFileSync(join(root, 'build/server/thru-server.service'), join(units, 'thru-server.service'))
    const deploy = join(root, 'signaling/deploy/systemd')
    copyFileSync(join(deploy, 'thru-server@.service'), join(units, 'thru-server@.service'))
    // Debian's unit, with our drop-in.
    writeFileSync(join(units, 'coturn.service'), coturn)
    copyFileSync(join(deploy, 'coturn.conf'), join(units, 'coturn.service.d/thruflux.conf'))
    const options = ['--offline=true', `--root=${folder}`, `--threshold=${maxExposure}`]
    const said = execFileSync(
      'systemd-analyze',
      ['security', ...options, '--no-pager', unit.replace('@', '@8081')],
      { encoding: 'utf8' },
    )
    expect(said).toContain('Overall exposure level')
  },
)
