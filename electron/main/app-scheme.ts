/**
 * The page's own scheme. `file:` would expose the whole disk to it; `app:` serves only the window's built files, each
 * with the content policy.
 */
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { protocol, type Session } from 'electron'

const scheme = 'app'

/** The page's origin; commands are accepted from no other. */
export const appOrigin = `${scheme}://thruflux`

export const appPage = `${appOrigin}/index.html`

/** Restricts the page to its own scripts and files, without connections. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

type Page = {
  readonly status: number
  readonly mimeType: string
  readonly data: Buffer
}

const notFound: Page = { status: 404, mimeType: 'text/plain', data: Buffer.from('not found') }

/** Must be called before the application is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true } }])
}

/** Serves files below `root` in one session. */
export function serveAppScheme(session: Session, root: string): void {
  // Electron before 25 lacks `handle`, but the types assume the current version.
  const offered: { readonly handle?: typeof session.protocol.handle } = session.protocol
  if (offered.handle !== undefined) {
    session.protocol.handle(scheme, async ({ url }) => {
      const { status, mimeType, data } = await readPage(root, url)
      return new globalThis.Response(new Uint8Array(data), {
        status,
        headers: headersFor(mimeType),
      })
    })
    return
  }
  // oxlint-disable-next-line typescript/no-deprecated
  session.protocol.registerBufferProtocol(scheme, ({ url }, reply) => {
    void readPage(root, url).then(({ status, mimeType, data }) =>
      reply({ statusCode: status, mimeType, data, headers: headersFor(mimeType) }),
    )
  })
}

const headersFor = (mimeType: string): Record<string, string> => ({
  'Content-Type': mimeType,
  'Content-Security-Policy': contentPolicy,
  'X-Content-Type-Options': 'nosniff',
})

async function readPage(root: string, url: string): Promise<Page> {
  const file = pageFile(root, url)
  const mimeType = file === null ? undefined : mimeTypes[extname(file)]
  if (file === null || mimeType === undefined) return notFound
  try {
    return { status: 200, mimeType, data: await readFile(file) }
  } catch {
    return notFound
  }
}

/** The file for an address, or `null` if it is not below `root`. */
export function pageFile(root: string, address: string): string | null {
  const { host, pathname } = new URL(address)
  let path: string
  try {
    path = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (`${scheme}://${host}` !== appOrigin || /[\0\\]/.test(path)) return null
  const file = join(root, path)
  return file.startsWith(root + sep) ? file : null
}
