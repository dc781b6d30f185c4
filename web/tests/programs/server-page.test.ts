/** The page of a server on the internet, `thru serve --web`, in Debian's Chromium: behind TLS, from the sender's link. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Thru } from '../../../cli/tests/programs/thru'
import { writeTree } from '../../../cli/tests/programs/tree'
import { staysAtServer, type TlsFront, tlsFront } from './tls-front'

const program = '/usr/bin/chromium'
const password = 'only-for-the-team'

/** Words of a code, long enough that random data contain none of them. */
const words = ['riverboat', 'stopwatch', 'aftershave']

describe.skipIf(!existsSync(program))('a browser at a server with a page', () => {
  let folder: string
  let front: TlsFront
  let browser: Browser
  let server: Thru
  const running: Thru[] = []

  /** Starts the server behind the front. */
  async function serve(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const listening = ['--port', '0', '--host', '127.0.0.1', '--trust-loopback']
    server = new Thru(['serve', ...listening, '--web', front.origin], {
      env: { THRU_LOG_LEVEL: 'debug', ...env },
    })
    running.push(server)
    const [url] = await server.match(/ws:\S+/)
    front.leadTo(Number(new URL(url).port))
  }

  /** Runs a command that uses the server. */
  function ofServer(args: readonly string[]): Thru {
    const place = front.origin.replace('https:', 'wss:')
    const env = { NODE_EXTRA_CA_CERTS: front.certificate, THRU_SERVER_PASSWORD: password }
    const named = ['--name', 'Mina', '--words', words.join('-')]
    const thru = new Thru([...args, ...named, '--json', '--server-url', place], { env })
    running.push(thru)
    return thru
  }

  /** Shares paths by the server; returns the web link, which leads to its page. */
  async function share(...paths: readonly string[]): Promise<{ sender: Thru; link: string }> {
    const sender = ofServer(['host', ...paths])
    const { webLink } = await sender.line('code')
    return { sender, link: String(webLink) }
  }

  async function open(link: string): Promise<Page> {
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    // The test's own limit applies.
    page.setDefaultTimeout(0)
    page.on('pageerror', (error) => expect.fail(error.message))
    // A refused password is one error that a browser reports.
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) expect.fail(message.text())
    })
    await page.goto(link)
    return page
  }

  const pressed = (page: Page, name: RegExp | string): Promise<void> =>
    page.getByRole('button', { name }).first().click()

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'thru-server-page-'))
    front = await tlsFront(folder)
    browser = await chromium.launch({ executablePath: program, args: staysAtServer })
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all(running.map((each) => each.stop('SIGKILL')))
    front.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('receives over the server, which learns no word of the code', async () => {
    await serve()
    const content = randomBytes(3 << 20)
    writeTree(join(folder, 'one'), { 'holiday.bin': content })
    const { sender, link } = await share(join(folder, 'one', 'holiday.bin'))
    expect(link.startsWith(`${front.origin}/join#c=`)).toBe(true)
    const page = await open(link)
    const app = page.getByRole('link', { name: 'Open in Thruflux' })
    expect(await app.getAttribute('href')).toContain('&s=wss://localhost:')
    await pressed(page, 'Continue in this browser')
    await pressed(page, /^Receive · 1 file · 3.1 MB/)
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), pressed(page, /^Save/)])
    expect(Buffer.compare(readFileSync(await download.path()), content)).toBe(0)
    await sender.line('done')
    await page.close()
    await sender.stop()
    await server.stop()
    const { stdout, stderr } = await server.ended
    const seen = [...front.requests(), stdout, stderr].join('\n')
    expect(seen).toContain('GET /join HTTP/1.1')
    expect(stderr).toContain('"event":"joined"')
    for (const word of words) expect(seen).not.toContain(word)
  })

  it('sends over the server to a computer that requests files', async () => {
    await serve()
    const content = randomBytes(3 << 20)
    writeTree(join(folder, 'sent'), { 'holiday.bin': content })
    const into = join(folder, 'requested')
    mkdirSync(into)
    const requester = ofServer(['request', into, '--yes'])
    const { webLink } = await requester.line('code')
    const page = await open(String(webLink))
    await pressed(page, 'Continue in this browser')
    await page.getByRole('heading', { name: 'Mina wants files from you' }).waitFor()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(join(folder, 'sent', 'holiday.bin'))
    await pressed(page, /^Send · 1 file · 3.1 MB/)
    await page.getByRole('heading', { name: 'Everything has been sent' }).waitFor()
    await requester.line('done')
    expect(Buffer.compare(readFileSync(join(into, 'holiday.bin')), content)).toBe(0)
    await page.close()
    await requester.stop()
    await server.stop()
  })

  it('continues after the server was restarted', async () => {
    await serve()
    const content = randomBytes(3 << 20)
    writeTree(join(folder, 'again'), { 'holiday.bin': content })
    const { sender, link } = await share(join(folder, 'again', 'holiday.bin'))
    const page = await open(link)
    await pressed(page, 'Continue in this browser')
    front.hold(1 << 20)
    await pressed(page, /^Receive · 1 file/)
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await server.stop('SIGKILL')
    front.cut()
    await serve()
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    await page.close()
    await sender.stop()
    await server.stop()
  })

  it('continues to send after the server was restarted', async () => {
    await serve({ THRU_WEB_BYTES_PER_SEC: String(1 << 20) })
    const content = randomBytes(4 << 20)
    writeTree(join(folder, 'resent'), { 'holiday.bin': content })
    const into = join(folder, 'requested again')
    mkdirSync(into)
    const requester = ofServer(['request', into, '--yes'])
    const { webLink } = await requester.line('code')
    const page = await open(String(webLink))
    await pressed(page, 'Continue in this browser')
    const input = page.locator('input[type=file]').first()
    await input.setInputFiles(join(folder, 'resent', 'holiday.bin'))
    await pressed(page, /^Send · 1 file/)
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await server.stop('SIGKILL')
    await serve()
    await page.getByRole('heading', { name: 'Everything has been sent' }).waitFor()
    expect(Buffer.compare(readFileSync(join(into, 'holiday.bin')), content)).toBe(0)
    await page.close()
    await requester.stop()
    await server.stop()
  })

  it('keeps a typed code when the server asks for its password', async () => {
    await serve({ THRU_SERVER_PASSWORD: password })
    writeTree(join(folder, 'typed'), { 'a.txt': 'a' })
    const { sender, link } = await share(join(folder, 'typed', 'a.txt'))
    const [place = '', code = ''] = link.split('#c=')
    const page = await open(place)
    await page.getByLabel('Code').fill(code)
    await pressed(page, 'Continue in this browser')
    const field = page.getByLabel('Password of this server')
    await field.waitFor()
    expect(await field.evaluate((shown) => shown === document.activeElement)).toBe(true)
    await field.fill(password)
    await pressed(page, 'Continue in this browser')
    await pressed(page, /^Receive · 1 file/)
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    await page.close()
    await sender.stop()
    await server.stop()
  })

  it('says before it begins that an offer is too large, and takes a part of it', async () => {
    await serve({ THRU_WEB_BYTES: String(1 << 20) })
    writeTree(join(folder, 'two'), { 'large.bin': randomBytes(2 << 20), 'small.txt': 'small' })
    const { sender, link } = await share(
      join(folder, 'two', 'large.bin'),
      join(folder, 'two', 'small.txt'),
    )
    const page = await open(link)
    await pressed(page, 'Continue in this browser')
    await page
      .getByRole('alert')
      .filter({ hasText: /at most 1(\.0)? MB to a browser/ })
      .waitFor()
    expect(await page.getByRole('button', { name: /^Receive ·/ }).isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: /large\.bin/ }).uncheck()
    await pressed(page, /^Receive · 1 file/)
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    await page.close()
    await sender.stop()
    await server.stop()
  })

  it("asks for the server's password, which is in no URL", async () => {
    await serve({ THRU_SERVER_PASSWORD: password })
    writeTree(join(folder, 'three'), { 'a.txt': 'a' })
    const { sender, link } = await share(join(folder, 'three', 'a.txt'))
    const page = await open(link)
    await pressed(page, 'Continue in this browser')
    await page.getByLabel('Password of this server').fill('another password')
    await pressed(page, 'Continue in this browser')
    await page.getByRole('alert').filter({ hasText: "doesn't accept this password" }).waitFor()
    await page.getByLabel('Password of this server').fill(password)
    await pressed(page, 'Try again')
    await pressed(page, /^Receive · 1 file/)
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    await page.close()
    await sender.stop()
    await server.stop()
    const shown = Buffer.from(password).toString('base64url')
    const { stdout, stderr } = await server.ended
    const urls = front.requests().map((request) => request.split('\r\n', 1)[0])
    expect(urls).toContain('GET /v1 HTTP/1.1')
    const seen = [...urls, stdout, stderr].join('\n')
    for (const secret of [password, shown]) expect(seen).not.toContain(secret)
  })
})
