/**
 * Hands a checked package to Squirrel.Mac, which is part of Electron, checks Apple's signature and replaces the
 * app when it quits. It takes packages from a server only: one of this process, under an address nobody else knows.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { diskError } from '#client/update/download'
import { copyHashed } from '#client/update/hash-file'
import type { Ready } from '#client/update/updater'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'
import type { Installer } from './installer'

/** What is used of Electron's `autoUpdater`. */
export type Squirrel = {
  readonly setFeedURL: (options: { readonly url: string }) => void
  readonly checkForUpdates: () => void
  readonly quitAndInstall: () => void
  readonly once: {
    (event: 'update-downloaded', listener: () => void): unknown
    (event: 'error', listener: (reason: Error) => void): unknown
  }
}

export class MacInstaller implements Installer {
  readonly #directory: string
  readonly #squirrel: Squirrel

  /** `directory`: absolute, for this account only. */
  constructor(directory: string, squirrel: Squirrel) {
    this.#directory = directory
    this.#squirrel = squirrel
  }

  async prepare({ path, manifest }: Ready): Promise<Result<null, UpdateError>> {
    const copy = join(this.#directory, 'update.zip')
    try {
      await rm(copy, { force: true })
      if ((await copyHashed(path, copy, 0o600)) !== manifest.sha512) {
        return err(updateError('E_UPDATE_DAMAGED', 'changed since it was downloaded'))
      }
    } catch (reason) {
      return err(diskError(reason))
    }
    const server = await serve(copy, manifest.size)
    const handed = await this.#handOver(server.url)
    server.close()
    await rm(copy, { force: true })
    return handed
  }

  /** It is installed when the app quits, whatever is done here. */
  install(_ready: Ready, restarts: boolean): Promise<Result<null, UpdateError>> {
    if (restarts) this.#squirrel.quitAndInstall()
    return Promise.resolve(ok(null))
  }

  #handOver(url: string): Promise<Result<null, UpdateError>> {
    return new Promise((resolve) => {
      this.#squirrel.once('update-downloaded', () => {
        resolve(ok(null))
      })
      this.#squirrel.once('error', (reason) => {
        resolve(err(updateError('E_UPDATE_INSTALL', String(reason))))
      })
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
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${secret}`
  return { url: address, close: () => server.close() }
}
