/**
 * Hands a checked package to Squirrel.Mac, which is part of Electron, checks Apple's signature and replaces the
 * app when it quits. It takes packages from a server only: one of this process, under an address nobody else knows.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '#client/clock'
import type { Ready } from '#client/update/updater'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'
import { checkedCopy } from './checked-copy'
import type { Installer } from './installer'

/** What is used of Electron's `autoUpdater`. */
export type Squirrel = {
  readonly setFeedURL: (options: { readonly url: string }) => void
  readonly checkForUpdates: () => void
  readonly quitAndInstall: () => void
  readonly on: {
    (event: 'update-downloaded', listener: () => void): unknown
    (event: 'error', listener: (reason: Error) => void): unknown
  }
}

/** Squirrel copies, unpacks and checks the app in this time, or it never will. */
const patienceMs = 10 * 60_000

/** The installer of an app for macOS. */
export class MacInstaller implements Installer {
  readonly #directory: string
  readonly #squirrel: Squirrel
  readonly #clock: Clock
  /** Takes what Squirrel says, while it is asked. */
  #ended: (done: Result<null, UpdateError>) => void = () => undefined

  /** `directory`: absolute, for this account only. */
  constructor(directory: string, squirrel: Squirrel, clock: Clock) {
    this.#directory = directory
    this.#squirrel = squirrel
    this.#clock = clock
    squirrel.on('update-downloaded', () => {
      this.#ended(ok(null))
    })
    // Always listened to: an error that nobody hears would end the app.
    squirrel.on('error', (reason) => {
      this.#ended(err(updateError('E_UPDATE_INSTALL', String(reason))))
    })
  }

  async prepare(ready: Ready): Promise<Result<null, UpdateError>> {
    const copy = join(this.#directory, 'update.zip')
    const copied = await checkedCopy(ready, copy, 0o600)
    if (!copied.ok) return copied
    const server = await serve(copy, ready.manifest.size)
    const handed = await this.#handOver(server.url)
    server.close()
    await rm(copy, { force: true }).catch(() => undefined)
    return handed
  }

  /** It is installed when the app quits, whatever is done here. */
  install(
    _ready: Ready,
    restarts: boolean,
    mayEnd: () => boolean,
  ): Promise<Result<null, UpdateError>> {
    if (restarts && mayEnd()) this.#squirrel.quitAndInstall()
    return Promise.resolve(ok(null))
  }

  #handOver(url: string): Promise<Result<null, UpdateError>> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(patienceMs, () => {
        this.#ended(err(updateError('E_UPDATE_INSTALL', 'no answer of Squirrel')))
      })
      this.#ended = (done) => {
        cancel()
        this.#ended = () => undefined
        resolve(done)
      }
      this.#squirrel.setFeedURL({ url })
      this.#squirrel.checkForUpdates()
    })
  }
}

/** A server with the file and where that is, until it is closed. */
async function serve(
  file: string,
  size: number,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const secret = `/${randomBytes(32).toString('hex')}`
  let address = ''
  const server: Server = createServer(({ url }, response) => {
    if (url === secret) response.end(JSON.stringify({ url: `${address}.zip` }))
    else if (url === `${secret}.zip`) {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-length': size })
      createReadStream(file)
        .on('error', () => response.destroy())
        .pipe(response)
    } else response.writeHead(404).end()
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${secret}`
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { url: address, close }
}
