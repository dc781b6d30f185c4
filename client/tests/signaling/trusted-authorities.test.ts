import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { createSecureContext, rootCertificates } from 'node:tls'
import { beforeAll, expect, it } from 'vitest'
import { serverTrust, trustedAuthorities } from '#client/signaling/trusted-authorities'
import { folderOfFile } from '#client/testing/temporary-folder'
import { SIGNALING_VERSION } from '#shared/signaling/messages'
import { bareServer, connect, said } from '../bare-server.ts'

/** A runtime that can't query the system. */
const older = { rootCertificates }

const nowhere = { bundles: [], extra: '' }

const folder = folderOfFile()
const file = (name: string): string => join(folder, name)

/** Makes a key with a certificate; `more` holds further options of `openssl req`. */
function certify(name: string, more: readonly string[]): void {
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const files = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)]
  const subject = ['-subj', `/CN=${name}`]
  execFileSync('openssl', ['req', '-x509', ...made, ...files, ...subject, ...more], {
    stdio: 'pipe',
  })
}

beforeAll(() => {
  certify('company', ['-addext', 'basicConstraints=critical,CA:TRUE'])
  const signer = ['-CA', file('company.pem'), '-CAkey', file('company.key')]
  certify('server', [...signer, '-addext', 'subjectAltName=IP:127.0.0.1'])
})

const company = (): string => readFileSync(file('company.pem'), 'latin1').trim()

async function companyServer() {
  const [key, cert] = [readFileSync(file('server.key')), readFileSync(file('server.pem'))]
  const server = await bareServer(createServer({ key, cert }))
  return { ...server, url: server.url.replace('ws:', 'wss:') }
}

it('NET-21: wss:// refuses a server of an unknown authority', async () => {
  const server = await companyServer()
  const early = () => ({ t: 'join', v: SIGNALING_VERSION, nameplate: '4821' }) as const
  const { downs } = connect(server.url, { trust: serverTrust, early })
  expect(await downs.next()).toMatchObject({
    code: 'E_SERVER_IDENTITY',
    subject: new URL(server.url).host,
  })
  expect(server.texts.isEmpty).toBe(true)
  expect(server.joins.isEmpty).toBe(true)
})

it('NET-21: wss:// refuses a server without TLS, and sends it nothing', async () => {
  const server = await bareServer()
  const { downs } = connect(server.url.replace('ws:', 'wss:'), { trust: serverTrust })
  expect(await downs.next()).toMatchObject({ code: 'E_SERVER_IDENTITY' })
  expect(server.texts.isEmpty).toBe(true)
})

it.each(['bundle', 'extra'])(
  'wss:// accepts a server of an authority in the %s of this computer',
  async (where) => {
    const server = await companyServer()
    writeFileSync(file('bundle.crt'), `# Company\n${company()}\n`)
    const places =
      where === 'bundle'
        ? { bundles: [file('missing.crt'), file('bundle.crt')], extra: '' }
        : { bundles: [], extra: file('bundle.crt') }
    const trust = createSecureContext({ ca: trustedAuthorities(places, older) })
    connect(server.url, { trust: () => trust })
    expect(await said(server)).toMatchObject({ t: 'host' })
  },
)

it('adds to the authorities of Node, and uses the first bundle that has any', () => {
  writeFileSync(file('empty.crt'), 'nothing\n')
  writeFileSync(file('first.crt'), company())
  const bundles = [file('empty.crt'), file('first.crt'), file('server.pem')]
  const found = trustedAuthorities({ bundles, extra: '' }, older)
  expect(found).toEqual([...new Set([...rootCertificates, company()])])
})

it('ignores a file far larger than bundles are', () => {
  writeFileSync(file('large.crt'), company().padEnd(4 * 1024 * 1024 + 1, '\n'))
  const bundles = [file('large.crt')]
  expect(trustedAuthorities({ bundles, extra: '' }, older)).not.toContain(company())
})

it('queries the system if the runtime can', () => {
  const getCACertificates = (from: 'default' | 'system') => (from === 'system' ? ['s', 'd'] : ['d'])
  expect(trustedAuthorities(nowhere, { rootCertificates, getCACertificates })).toEqual(['d', 's'])
})
