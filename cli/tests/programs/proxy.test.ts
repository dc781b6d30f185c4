import { describe, expect, it } from 'vitest'
import { behindProxy, httpProxy, socksProxy, type TestProxy } from '#client/tests/test-proxies'
import { proxyUrl } from '#shared/settings/proxy-url'
import { codeOf, programRig } from './program-rig'
import { hashTree, writeTree } from './tree'

const { at, serverUrl, start } = programRig('proxy')

const known = { user: 'dana', password: 'w0rd:@' }

/** Options with a server name that only proxies can resolve. */
const overServer = (): readonly string[] => ['--server-url', behindProxy(serverUrl()), '--json']

const urlOf = ({ address }: TestProxy, said: Partial<typeof known> = known): string =>
  proxyUrl({ ...address, ...said })

describe('thru behind a proxy', () => {
  it('shares and receives through the proxy of the environment or of an option', async () => {
    const [http, socks] = [await httpProxy(known), await socksProxy(known)]
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const env = { HTTPS_PROXY: urlOf(http), NO_PROXY: 'example.org' }
    const sender = start(['host', at('src', 'notes.txt'), ...overServer()], { env })
    const code = await codeOf(sender)
    const joined = ['join', code, '--out', at('dst'), '--yes', '--proxy', urlOf(socks)]
    expect(await start([...joined, ...overServer()]).ended).toMatchObject({ exitCode: 0 })
    expect(hashTree(at('dst'))).toEqual(hashTree(at('src')))
    const { host } = new URL(behindProxy(serverUrl()))
    expect([await http.places.next(), await socks.places.next()]).toEqual([host, host])
    await sender.stop()
  })

  it('neither uses nor bypasses an invalid proxy', async () => {
    const env = { ALL_PROXY: 'ftp://dana:guess@proxy.test' }
    const run = start(['join', '4821-apple-kayak-onion', '--yes', ...overServer()], { env })
    const { exitCode, stdout, stderr } = await run.ended
    expect(exitCode).toBe(2)
    expect(stdout).toContain('The variable ALL_PROXY')
    expect(stdout + stderr).not.toMatch(/guess|dana/)
  })
})
