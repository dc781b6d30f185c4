import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { downloadOnce } from '../deps/appimage-launcher.mjs'

const content = 'a launcher'
const sha256 = createHash('sha256').update(content).digest('hex')

let folder = ''
let requests = 0
const server = createServer((request, response) => {
  requests += 1
  response.statusCode = request.url === '/launcher' ? 200 : 404
  response.end(content)
})
const at = (path: string): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'thruflux-launcher-'))
  requests = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('is downloaded once, under its hash', async () => {
  const file = await downloadOnce(at('/launcher'), sha256, folder)
  expect(readFileSync(file, 'utf8')).toBe(content)
  expect(await downloadOnce(at('/launcher'), sha256, folder)).toBe(file)
  expect({ requests, files: readdirSync(folder) }).toEqual({ requests: 1, files: [sha256] })
})

it('is refused with another hash, and leaves nothing behind', async () => {
  const other = sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  await expect(downloadOnce(at('/launcher'), other, folder)).rejects.toThrow(sha256)
  await expect(downloadOnce(at('/missing'), sha256, folder)).rejects.toThrow('answers 404')
  expect(readdirSync(folder)).toEqual([])
})
