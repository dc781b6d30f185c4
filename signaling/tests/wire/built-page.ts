/** A page as `npm run build:web` makes it, with one script, for tests of servers that show it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { WebPage } from '#signaling/pages/web-page'
import type { TestServer } from './test-server.ts'

/** The page, whose folder goes with the test. */
export function builtPage(): WebPage {
  const folder = mkdtempSync(join(tmpdir(), 'thru-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'index.html.gz'), gzipSync('<html>page</html>'))
  writeFileSync(join(folder, 'main-1a2b.js.gz'), gzipSync('script()'))
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  const page = WebPage.in(folder)
  if (page === null) throw new Error('the page is not there')
  return page
}

/** The answer to a GET. */
export async function ask(
  { port }: Pick<TestServer, 'port'>,
  path: string,
  headers: OutgoingHttpHeaders = {},
): Promise<{ readonly response: IncomingMessage; readonly body: Buffer }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject)
  })
  const body: Buffer[] = []
  for await (const piece of response) body.push(piece as Buffer)
  return { response, body: Buffer.concat(body) }
}
