import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { WindowsThru } from './windows-thru'

const packageFile = new URL('../../../../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string }

it('says its version', async () => {
  const { exitCode, stdout } = await new WindowsThru(['--version']).ended
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${version}\n` })
})

it("keeps its settings in the account's roaming folder", async () => {
  const account = { THRU_TEST_APPDATA: 'C:\\users\\Mina\\AppData\\Roaming' }
  const { exitCode, stdout } = await new WindowsThru(['config'], { env: account }).ended
  expect(exitCode).toBe(0)
  expect(stdout).toContain('C:\\users\\Mina\\AppData\\Roaming\\Thruflux\\config.toml')
})

it('serves as a signaling server until Ctrl+C', async () => {
  const server = new WindowsThru(['serve', '--port', '0', '--host', '127.0.0.1'])
  await server.match(/ws:\/\/127\.0\.0\.1:\d+/)
  const { exitCode, stdout, stderr } = await server.stop()
  expect(exitCode).toBe(0)
  expect(`${stdout}${stderr}`).toContain('drained')
})

it('says in one line why the engine cannot be loaded', async () => {
  const env = { THRU_ADDON: 'C:\\windows\\win.ini' }
  const { exitCode, stdout } = await new WindowsThru(['doctor'], { env }).ended
  expect(exitCode).toBe(1)
  const [first] = stdout.split('\n')
  expect(first).toMatch(/^FAIL The engine can't be loaded\..*win\.ini: .* THRU_ADDON\.\]$/)
  expect(first).not.toContain('\\u{d}')
})
