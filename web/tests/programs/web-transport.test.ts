/**
 * The page of a server with TLS, in Debian's Chromium and Firefox on another computer than Mina's: it receives from her
 * computer and sends to it by WebTransport, or over the server where UDP is blocked.
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authority } from '../../../cli/tests/programs/net/authority'
import { addressOn, Lan, serverPort } from '../../../cli/tests/programs/net/lan/lan'
import { type Line, Thru } from '../../../cli/tests/programs/thru'
import { writeTree } from '../../../cli/tests/programs/tree'

const program = '/usr/bin/chromium'
const firefox = '/usr/bin/firefox-esr'
const inFirefox = fileURLToPath(new URL('firefox-page.mjs', import.meta.url))
const front = fileURLToPath(
  new URL('../../../cli/tests/programs/net/tls-front.mjs', import.meta.url),
)

/** The least that a server may allow a page in all: a receive of more goes another way. */
const serverBytes = 1 << 20

/** Resolves in the page once it says that data goes directly. */
const saysDirectly = `new Promise((resolve) => {
  const look = () => document.querySelector('.figures')?.innerText.endsWith('directly') && resolve()
  new MutationObserver(look).observe(document, { subtree: true, childList: true })
})`

/** Time for a browser's handshake before it is tried again, ms. */
const patienceMs = 20_000

describe.skipIf(!existsSync(program))('a page of a server with TLS', () => {
  let lan: Lan
  let folder: string
  let browser: Browser
  let authority: Authority
  const origin = `https://${addressOn('third')}:${serverPort}`
  const running: Thru[] = []

  const start = (args: readonly string[], options: ConstructorParameters<typeof Thru>[1]): Thru => {
    const thru = new Thru(args, { usesNetwork: true, ...options })
    running.push(thru)
    return thru
  }

  beforeAll(async () => {
    lan = await Lan.make('both')
    folder = mkdtempSync(join(tmpdir(), 'thru-web-transport-'))
    const wrapper = join(folder, 'chromium')
    const words = [...lan.within('join'), program].map((word) => `'${word}'`).join(' ')
    writeFileSync(wrapper, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
    browser = await chromium.launch({ executablePath: wrapper, args: ['--no-sandbox'] })
    authority = new Authority(join(folder, 'authority'))
    const { certificate, key } = authority.issue(`IP:${addressOn('third')}`)
    const within = lan.within('third')
    const listening = ['--port', '0', '--host', '127.0.0.1', '--trust-loopback', '--web', origin]
    const env = { THRU_WEB_BYTES: String(serverBytes) }
    const [url] = await start(['serve', ...listening], { within, env }).match(/ws:\S+/)
    const place = [addressOn('third'), String(serverPort), certificate, key, new URL(url).port]
    const words2 = [process.execPath, front]
    await start(place, { within, program: words2 }).match(/wss:\S+/)
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all(running.map((each) => each.stop('SIGKILL')))
    await lan.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs `thru` on Mina's computer, which prints a link for browsers. */
  async function run(...words: readonly string[]): Promise<{ mina: Thru; link: string }> {
    const all = [...words, '--name', 'Mina', '--json']
    const mina = start([...all, '--server-url', origin.replace('https:', 'wss:')], {
      within: lan.within('host'),
      env: {
        NODE_EXTRA_CA_CERTS: authority.file,
        THRU_NO_LAN: '1',
        XDG_STATE_HOME: join(folder, 'state'),
        XDG_CONFIG_HOME: folder,
      },
    })
    const { webLink } = await mina.line('code')
    return { mina, link: String(webLink) }
  }

  /** The same, with the link opened in Chromium. */
  async function open(...words: readonly string[]): Promise<{ mina: Thru; page: Page }> {
    const { mina, link } = await run(...words)
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    // The test's own limit applies.
    page.setDefaultTimeout(0)
    page.on('pageerror', (error) => expect.fail(error.message))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) expect.fail(message.text())
    })
    await page.goto(link)
    await page.getByRole('button', { name: 'Continue in this browser' }).click()
    return { mina, page }
  }

  /** Writes one file on Mina's computer; returns its path. */
  function write(name: string, content: Buffer): string {
    writeTree(join(folder, name), { 'holiday.bin': content })
    return join(folder, name, 'holiday.bin')
  }

  /** Receives what is offered, byte for byte. */
  async function received(page: Page, content: Buffer): Promise<void> {
    await page.getByRole('button', { name: /^Receive · 1 file/ }).click()
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    const saving = page.getByRole('button', { name: /^Save/ }).first()
    const [download] = await Promise.all([page.waitForEvent('download'), saving.click()])
    expect(Buffer.compare(readFileSync(await download.path()), content)).toBe(0)
    await page.close()
  }

  /** Sends one file from the page, directly. */
  async function send(page: Page, content: Buffer): Promise<void> {
    const [name, mimeType] = ['holiday.bin', 'application/octet-stream']
    const input = page.locator('input[type=file]').first()
    await input.setInputFiles({ name, mimeType, buffer: content })
    const said = page.evaluate(saysDirectly)
    await page.getByRole('button', { name: /^Send · 1 file/ }).click()
    await said
    await page.getByRole('heading', { name: 'Everything has been sent' }).waitFor()
    await page.close()
  }

  /**
   * False if a page stays at the server in its attempt of this number. A browser gives up a handshake that takes seconds, as
   * on a busy machine; the page is then opened again.
   */
  async function isDirect(mina: Thru, attempt: number): Promise<boolean> {
    const isLocal = ({ route }: Line): boolean => (route as { kind: string }).kind === 'local'
    if ((await mina.lines('connected', attempt)).some(isLocal)) return true
    const moved = mina.lineWhere('route-changed', isLocal).then(
      () => true,
      () => false,
    )
    return Promise.race([moved, delay(patienceMs, false)])
  }

  async function untilDirect(mina: Thru, page: Page): Promise<void> {
    for (let attempt = 1; !(await isDirect(mina, attempt)); attempt += 1) {
      await page.reload()
      await page.getByRole('button', { name: 'Continue in this browser' }).click()
    }
  }

  /** Receives in Firefox, or sends as many bytes; returns the size and the SHA-256 of the file. */
  async function useFirefox(mina: Thru, link: string, bytes = 0): Promise<unknown> {
    const [command = '', ...words] = lan.within('join')
    for (let attempt = 1; ; attempt += 1) {
      const child = spawn(command, [...words, process.execPath, inFirefox, link, String(bytes)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const said = text(child.stdout)
      if (await isDirect(mina, attempt)) return JSON.parse(await said)
      child.kill()
      await said
    }
  }

  it('receives from the sender itself, more than the server would carry', async () => {
    const content = randomBytes(8 * serverBytes)
    const { mina, page } = await open('host', write('direct', content))
    await untilDirect(mina, page)
    await received(page, content)
    await mina.line('done')
    await mina.stop()
  }, 600_000)

  it('sends to the computer that requests files, more than the server would carry', async () => {
    const content = randomBytes(8 * serverBytes)
    const into = join(folder, 'requested')
    mkdirSync(into)
    const { mina, page } = await open('request', into, '--yes', '--keep-open')
    await untilDirect(mina, page)
    await send(page, content)
    await mina.line('done')
    expect(Buffer.compare(readFileSync(join(into, 'holiday.bin')), content)).toBe(0)
    await mina.stop()
  }, 600_000)

  it.skipIf(!existsSync(firefox))(
    'receives in Firefox from the sender itself',
    { tags: ['full'], timeout: 600_000 },
    async () => {
      const content = randomBytes(8 * serverBytes)
      const { mina, link } = await run('host', write('firefox', content))
      const sha256 = createHash('sha256').update(content).digest('hex')
      expect(await useFirefox(mina, link)).toEqual({ size: content.length, sha256 })
      await mina.stop()
    },
  )

  it.skipIf(!existsSync(firefox))(
    'sends in Firefox to the computer that requests files',
    { tags: ['full'], timeout: 600_000 },
    async () => {
      const into = join(folder, 'requested-of-firefox')
      mkdirSync(into)
      const { mina, link } = await run('request', into, '--yes', '--keep-open')
      const sent = await useFirefox(mina, link, 8 * serverBytes)
      await mina.line('done')
      const content = readFileSync(join(into, 'from-firefox.bin'))
      const sha256 = createHash('sha256').update(content).digest('hex')
      expect(sent).toEqual({ size: content.length, sha256 })
      await mina.stop()
    },
  )

  it('receives over the server where UDP is blocked', async () => {
    lan.refuse('host', 'udp')
    const content = randomBytes(serverBytes / 4)
    const { mina, page } = await open('host', write('relayed', content))
    const { route } = await mina.line('connected')
    expect(route).toMatchObject({ kind: 'relay', serverRelay: true })
    await received(page, content)
    await mina.line('done')
    lan.admit('host', 'udp')
    await mina.stop()
  }, 600_000)
})
