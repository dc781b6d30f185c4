/** The addon has its own OpenSSL; the program that loads it has another one. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { folderOfFile } from '#client/testing/temporary-folder'
import { addonFile } from './addon.js'

const program = resolve(import.meta.dirname, 'tls-program.cjs')
const folder = folderOfFile()
let key: string
let cert: string

beforeAll(() => {
  key = join(folder, 'key.pem')
  cert = join(folder, 'cert.pem')
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', cert, ...subject], {
    stdio: 'pipe',
  })
})

const result = z.object({
  handshakes: z.array(z.string()),
  addon: z.string(),
})

/** The OpenSSL sources from which the addon may be built. */
const pinned = Object.keys(
  z
    .object({
      dependencies: z.object({ openssl: z.object({ sha256: z.record(z.string(), z.string()) }) }),
    })
    .parse(JSON.parse(readFileSync(resolve(import.meta.dirname, '../deps.json'), 'utf8')))
    .dependencies.openssl.sha256,
)

/** The path of Electron, from the script that finds it. */
const electron = async () => {
  const script = resolve(import.meta.dirname, '../../scripts/electron-runtime.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  return z.object({ executable: z.string() }).parse(JSON.parse(stdout)).executable
}

/** `signal` ends the program with a test that takes too long. */
const handshakes = async (executable: string, signal: AbortSignal) => {
  const received = mkdtempSync(join(folder, 'received-'))
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const given = [program, addonFile, key, cert, received]
  const { stdout } = await promisify(execFile)(executable, given, {
    env,
    signal,
    killSignal: 'SIGKILL',
  })
  expect(readFileSync(join(received, 'cert.pem'))).toEqual(readFileSync(cert))
  return result.parse(JSON.parse(stdout))
}

describe('two TLS libraries in one process', () => {
  it.for([
    ['Node', () => Promise.resolve(process.execPath)],
    ['Electron', electron],
  ] as const)('both connect in %s, in turn', async ([, executable], { signal }) => {
    const made = await handshakes(await executable(), signal)
    expect(made.handshakes).toEqual(['TLSv1.3', 'TLSv1.3', 'TLSv1.3'])
    // The program's own library may have the same version by chance.
    expect(pinned).toContain(`openssl_${made.addon}.orig.tar.gz`)
  })

  it.runIf(process.platform === 'linux')('never meet: the addon exports no symbol of TLS', () => {
    const symbols = (which: string) =>
      execFileSync('nm', ['--dynamic', which, addonFile], { encoding: 'utf8' })
    const exported = symbols('--defined-only')
    expect(exported).toContain('napi_register_module_v1')
    expect(exported).not.toMatch(/SSL_|EVP_|CRYPTO_|ngtcp2|sodium|blake3|zstd/i)
    expect(symbols('--undefined-only')).not.toMatch(/ (SSL|EVP|X509|CRYPTO|BIO)_/)
  })
})
