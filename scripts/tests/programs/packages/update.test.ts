/** Packs two versions of an AppImage, starts the older one and updates it from a local feed signed with a test key. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { root } from '../../../lib/cache.mjs'
import { publicKeyOf, signFeeds } from '../../../release/sign-feeds.mjs'

const sha512 = (path: string): string =>
  createHash('sha512').update(readFileSync(path)).digest('hex')

/** Serves static files. */
class Feed {
  folder = ''
  readonly #server: Server = createServer(({ url = '' }, response) => {
    let bytes: Buffer
    try {
      bytes = readFileSync(join(this.folder, url))
    } catch {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-length': bytes.length })
    response.end(bytes)
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket()
  await new Promise<void>((resolve) => {
    socket.listen(0, '127.0.0.1', resolve)
  })
  const { port } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return port
}

describe.runIf(process.platform === 'linux')('an AppImage', () => {
  const feed = new Feed()
  let folder: string
  let home: string
  let screen: ChildProcess
  let display: string
  let port: number
  const known = generateKeyPairSync('ed25519').privateKey
  const at = (...names: readonly string[]): string => join(folder, ...names)
  const image = (): string => join(home, 'Apps with spaces', 'Thruflux.AppImage')
  const built = (version: string): string => {
    const [name = ''] = readdirSync(at(version)).filter((file) => file.endsWith('.AppImage'))
    return at(version, name)
  }
  const pack = (version: string): void => {
    execFileSync(
      process.execPath,
      [
        join(root, 'scripts/package/package.mjs'),
        ...['--linux', 'AppImage', '--substitute-runtime', '--quick', '--no-build'],
        ...['--package-version', version, '--output', at(version), '--resources', at('resources')],
      ],
      { stdio: 'ignore', cwd: root },
    )
  }
  /** Publishes the packed 1.1.0. */
  const publish = () => {
    writeFileSync(at('1.1.0/release-notes.md'), 'New.')
    return signFeeds({ folder: at('1.1.0'), out: feed.folder, key: known, version: '1.1.0' })
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'appimage-'))
    mkdirSync(at('resources'))
    const address = await feed.listen()
    writeFileSync(at('resources/update-feed.json'), JSON.stringify({ address }))
    const keys = { keys: [publicKeyOf(known)] }
    writeFileSync(at('resources/update-keys.json'), JSON.stringify(keys))
    for (const version of ['1.0.0', '1.1.0']) pack(version)
    screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    display = await new Promise<string>((resolve) => {
      screen.stdio[3]?.once('data', (data: Buffer) => resolve(`:${data.toString().trim()}`))
    })
  }, 600_000)
  afterAll(() => {
    screen.kill()
    feed.close()
    rmSync(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    home = mkdtempSync(join(folder, 'home-'))
    mkdirSync(join(image(), '..'))
    copyFileSync(built('1.0.0'), image())
    feed.folder = mkdtempSync(join(folder, 'feed-'))
    port = await freePort()
  })
  afterEach(async () => {
    await end('SIGKILL')
  })

  const start = (): void => {
    const { PATH, TMPDIR } = process.env
    spawn(image(), ['--no-lan', '--no-sandbox', `--remote-debugging-port=${port}`], {
      detached: true,
      stdio: 'ignore',
      env: { PATH, TMPDIR, HOME: home, DISPLAY: display, APPIMAGE_EXTRACT_AND_RUN: '1' },
    })
  }
  /** Signals every process of the app once: a second signal would end it immediately. */
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    for (const pid of processes()) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has already ended.
      }
    }
    await delay(500)
  }
  /** The IDs of the processes that have the test's HOME in their environment. */
  const processes = (): readonly number[] =>
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${home}\0`)
        } catch {
          return false
        }
      })
      .map(Number)

  /** Evaluates an expression in the window's page; undefined while there is no page. */
  async function inPage(expression: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}/json`).catch(() => null)
    const pages = (await answer?.json()) as { type: string; webSocketDebuggerUrl: string }[] | null
    const address = pages?.find(({ type }) => type === 'page')?.webSocketDebuggerUrl
    if (address === undefined) return undefined
    const socket = new WebSocket(address)
    try {
      return await new Promise((resolve) => {
        socket.on('error', () => resolve(undefined))
        socket.on('close', () => resolve(undefined))
        socket.on('open', () => {
          const params = { expression, returnByValue: true }
          socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }))
        })
        socket.on('message', (message: Buffer) => {
          const { result } = JSON.parse(message.toString()) as {
            result?: { result?: { value?: unknown } }
          }
          resolve(result?.result?.value)
        })
      })
    } finally {
      socket.close()
    }
  }

  async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
    for (const end = Date.now() + 60_000; Date.now() < end;) {
      if (await isSo()) return
      await delay(200)
    }
    throw new Error(`${what} never appeared. The window shows: ${await words()}`)
  }

  const words = async (): Promise<string> => String(await inPage('document.body.innerText'))
  const shows = (text: string): Promise<void> =>
    until(text, async () => (await words()).includes(text))
  const click = (label: string): Promise<void> =>
    until(label, async () => {
      const button = `[...document.querySelectorAll('button')].find((one) => one.innerText.trim() === ${JSON.stringify(label)} && !one.disabled)`
      return (await inPage(`{ const found = ${button}; found?.click(); Boolean(found) }`)) === true
    })

  /** Waits for the window of this version and opens its About page. */
  async function aboutPage(version: string): Promise<void> {
    await until(`the window of ${version}`, async () =>
      String(await inPage('navigator.userAgent')).includes(`hruflux/${version} `),
    )
    await click('Settings')
    await click('About')
    await shows(`Thruflux ${version}`)
  }

  it('of 1.0.0 downloads 1.1.0, restarts into it and keeps its settings', async () => {
    await publish()
    mkdirSync(join(home, '.config/thruflux'), { recursive: true })
    const settings = 'version = 1\n\n[appearance]\ntheme = "dark"\n'
    writeFileSync(join(home, '.config/thruflux/config.toml'), settings)
    start()
    await aboutPage('1.0.0')
    await click('Check now')
    await shows('Version 1.1.0 is installed when you quit Thruflux.')
    expect(sha512(image())).toBe(sha512(built('1.0.0')))
    await click('Restart to update')
    await until('the window of 1.1.0', async () =>
      String(await inPage('navigator.userAgent')).includes('hruflux/1.1.0 '),
    )
    await shows('Thruflux is now version 1.1.0.')
    expect(sha512(image())).toBe(sha512(built('1.1.0')))
    expect(await inPage("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true)
    expect(readFileSync(join(home, '.config/thruflux/config.toml'), 'utf8')).toBe(settings)
    await aboutPage('1.1.0')
    await click('Check now')
    await shows('You have the newest version.')
  }, 180_000)
})
