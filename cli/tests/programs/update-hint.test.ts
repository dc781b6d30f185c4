import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'

const at = temporaryFolder()
const root = join(__dirname, '../../..')

/** The output of a packaged command on a terminal when a newer version is known; `type` is the kind of package. */
function saidIn(type: string): string {
  for (const path of ['out/cli/thru.cjs', 'out/cli/program.cjs', 'package.json'])
    cpSync(join(root, path), at('app', path))
  if (type !== '') writeFileSync(at('package-type'), type)
  mkdirSync(at('state/thruflux'), { recursive: true, mode: 0o700 })
  const note = { found: '99.0.0', published: { stable: '', beta: '' } }
  const nothing = { checkedMs: null, hintedMs: null, newsOf: null }
  const file = at('state/thruflux/updates.json')
  writeFileSync(file, JSON.stringify({ version: 1, ...note, ...nothing }), { mode: 0o600 })
  const command = `${process.execPath} ${at('app/out/cli/thru.cjs')} config path`
  const { PATH } = process.env
  const env = { PATH, XDG_STATE_HOME: at('state'), XDG_CONFIG_HOME: at('config') }
  const args = ['--quiet', '--return', '--command', command, '/dev/null']
  return execFileSync('script', args, { env, encoding: 'utf8' })
}

describe.runIf(process.platform === 'linux')('on a terminal, the command', () => {
  it('reports a newer version if a person installed it', () => {
    expect(saidIn('')).toContain('99.0.0')
  })

  it.each(['deb', 'rpm', 'flatpak'])('of a %s reports nothing: the system updates it', (type) => {
    const said = saidIn(type)
    expect(said).toContain('config.toml')
    expect(said).not.toContain('99.0.0')
  })
})
