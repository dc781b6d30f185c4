/** A page with TLS in Debian's Chromium: folders, killed tabs, restarted senders and full disks. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Thru } from '../../../cli/tests/programs/thru'
import { writeTree } from '../../../cli/tests/programs/tree'
import { check, listed } from '../zip-files'
import { staysAtServer, type TlsFront, tlsFront } from './tls-front'

const chromiumProgram = '/usr/bin/chromium'

const largeBytes = 100 << 20
/** Bytes of a connection after which the test holds it: the page records what it has every 64 MiB. */
const heldAt = 84 << 20

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Replaces the dialog that no test can use: the chosen folder is a private one, which the page can list. */
const chooseInTest = `globalThis.showDirectoryPicker = async () =>
  (await navigator.storage.getDirectory()).getDirectoryHandle('chosen', { create: true })`

/** True once the page's database says that parts of a file are kept. */
const hasRecord = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('thruflux')
  opening.onerror = () => reject(opening.error)
  opening.onsuccess = () => {
    const reading = opening.result.transaction('records').objectStore('records').getAll()
    reading.onsuccess = () => {
      opening.result.close()
      resolve(reading.result.some(({ numbers }) => numbers.length > 0))
    }
  }
})`

/** Lists the chosen folder: the SHA-256 of each file, and null for each folder. */
const listChosen = `(async () => {
  const found = {}
  const list = async (folder, path) => {
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind === 'directory') {
        found[path + name] = null
        await list(handle, path + name + '/')
      } else {
        const bytes = await (await handle.getFile()).arrayBuffer()
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
        found[path + name] = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
      }
    }
  }
  const root = await navigator.storage.getDirectory()
  await list(await root.getDirectoryHandle('chosen'), '')
  return found
})()`

describe.skipIf(!existsSync(chromiumProgram))('a page that keeps files', { tags: ['full'] }, () => {
  let folder: string
  let front: TlsFront
  let browser: Browser
  let context: BrowserContext
  const running: Thru[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'thru-kept-'))
    front = await tlsFront(folder)
    browser = await chromium.launch({ executablePath: chromiumProgram, args: staysAtServer })
    const listening = ['--port', '0', '--host', '127.0.0.1', '--trust-loopback']
    const server = new Thru(['serve', ...listening, '--web', front.origin], {
      env: { THRU_WEB_BYTES_PER_SEC: '1000000000', THRU_WEB_BYTES: '10000000000' },
    })
    running.push(server)
    const [url] = await server.match(/ws:\S+/)
    front.leadTo(Number(new URL(url).port))
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all(running.map((each) => each.stop('SIGKILL')))
    front.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true })
    await context.addInitScript(chooseInTest)
  })
  afterEach(() => context.close())

  /** Starts `thru host` or `thru request`, which prints a link for browsers. */
  async function start(...words: readonly string[]): Promise<{ program: Thru; link: string }> {
    const place = front.origin.replace('https:', 'wss:')
    const env = {
      NODE_EXTRA_CA_CERTS: front.certificate,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: folder,
    }
    const args = [...words, '--name', 'Mina', '--json', '--server-url', place]
    const program = new Thru(args, { env })
    running.push(program)
    const { webLink } = await program.line('code')
    return { program, link: String(webLink) }
  }

  async function share(...paths: readonly string[]): Promise<{ sender: Thru; link: string }> {
    const { program: sender, link } = await start('host', ...paths)
    return { sender, link }
  }

  async function open(link: string): Promise<Page> {
    const page = await context.newPage()
    // The test's own limit applies.
    page.setDefaultTimeout(0)
    page.on('pageerror', (error) => expect.fail(error.message))
    await page.goto(link)
    return page
  }

  const pressed = (page: Page, name: RegExp | string): Promise<void> =>
    page.getByRole('button', { name }).first().click()
  const finished = (page: Page): Promise<void> =>
    page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
  /** Begins to receive, and waits until a part is recorded; the rest is held back. */
  async function receivePart(page: Page, amount: RegExp): Promise<void> {
    front.hold(heldAt)
    await pressed(page, 'Continue in this browser')
    await pressed(page, amount)
    await expect.poll(() => page.evaluate(hasRecord), { timeout: 100_000 }).toBe(true)
  }
  async function saved(page: Page): Promise<Buffer> {
    const [download] = await Promise.all([page.waitForEvent('download'), pressed(page, /^Save /)])
    return readFileSync(await download.path())
  }

  it('receives into a folder, with empty ones, and overwrites nothing', async () => {
    const content = randomBytes(9 << 20)
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`album/deep/${at}.txt`, `file ${at}`]),
    )
    writeTree(join(folder, 'one'), { ...files, 'album/large.bin': content, 'album/empty': null })
    const { sender, link } = await share(join(folder, 'one', 'album'))
    for (const name of ['large.bin', 'large (2).bin']) {
      const page = await open(link)
      await pressed(page, 'Continue in this browser')
      await page.getByText('The browser keeps the files until you save them').waitFor()
      await pressed(page, 'Receive into a folder…')
      await finished(page)
      await page.getByText('is in the folder chosen').waitFor()
      const found = await page.evaluate<Record<string, string | null>>(listChosen)
      expect(found[`album/${name}`]).toBe(sha256(content))
      expect(found['album/deep/7.txt']).toBe(sha256(Buffer.from('file 7')))
      expect(found['album/empty']).toBeNull()
      await page.close()
    }
    await sender.stop()
  })

  it('creates folders without files', async () => {
    writeTree(join(folder, 'eight'), { 'album/empty': null })
    const { sender, link } = await share(join(folder, 'eight', 'album'))
    const page = await open(link)
    await pressed(page, 'Continue in this browser')
    await pressed(page, 'Receive into a folder…')
    await page.getByText('2 folders without files are in the folder chosen').waitFor()
    expect(await page.getByRole('button', { name: /ZIP/ }).count()).toBe(0)
    const found = await page.evaluate<Record<string, string | null>>(listChosen)
    expect(found).toEqual({ album: null, 'album/empty': null })
    await page.close()
    await sender.stop()
  })

  it('receives from two senders into one folder at the same time', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `${at}.txt`)
    const contents: string[] = []
    const pages: Page[] = []
    for (const sender of ['first', 'second']) {
      const files = names.map((name) => [`album/${name}`, `${name} of the ${sender}`] as const)
      contents.push(...files.map(([, content]) => content))
      writeTree(join(folder, sender), Object.fromEntries(files))
      const { link } = await share(join(folder, sender, 'album'))
      const page = await open(link)
      pages.push(page)
      await pressed(page, 'Continue in this browser')
      await page.getByRole('button', { name: 'Receive into a folder…' }).waitFor()
    }
    await Promise.all(pages.map((page) => pressed(page, 'Receive into a folder…')))
    await Promise.all(pages.map(finished))
    const found = await pages[0]?.evaluate<Record<string, string | null>>(listChosen)
    const hashes = Object.values(found ?? {})
    for (const content of contents) expect(hashes).toContain(sha256(Buffer.from(content)))
  })

  it('resumes after its tab was closed, and receives only what is missing', async () => {
    const content = randomBytes(largeBytes)
    writeTree(join(folder, 'two'), { 'large.bin': content })
    const { sender, link } = await share(join(folder, 'two', 'large.bin'))
    const first = await open(link)
    await receivePart(first, /^Receive · 1 file/)
    await first.close()
    front.hold(Infinity)
    front.takePassed()
    const second = await open(link)
    await pressed(second, 'Resume receiving')
    await finished(second)
    expect(front.takePassed()).toBeLessThan(largeBytes)
    expect(sha256(await saved(second))).toBe(sha256(content))
    await sender.stop()
  })

  it('recognizes the files of a sender that was started again', async () => {
    const content = randomBytes(largeBytes)
    writeTree(join(folder, 'three'), { 'large.bin': content, 'small.txt': 'small' })
    const before = await share(join(folder, 'three'))
    const first = await open(before.link)
    await receivePart(first, /^Receive · 2 files/)
    await before.sender.stop('SIGKILL')
    front.cut()
    await first.getByText('Looking for the sender').waitFor()
    await first.close()
    const { sender, link } = await share(join(folder, 'three'))
    const page = await open(link)
    await pressed(page, 'Continue in this browser')
    await page.getByText('is already here').waitFor()
    await pressed(page, /^Receive · 2 files/)
    await finished(page)
    await page.close()
    await sender.stop()
  })

  it('lists an interrupted receive until a person deletes it', async () => {
    writeTree(join(folder, 'four'), { 'large.bin': randomBytes(largeBytes) })
    const { sender, link } = await share(join(folder, 'four', 'large.bin'))
    const first = await open(link)
    await receivePart(first, /^Receive · 1 file/)
    await first.close()
    front.hold(Infinity)
    const second = await open(link)
    await second.getByRole('heading', { name: 'Interrupted' }).waitFor()
    await pressed(second, 'Delete')
    await second.getByRole('heading', { name: 'Interrupted' }).waitFor({ state: 'detached' })
    await pressed(second, 'Continue in this browser')
    await second.getByRole('button', { name: /^Receive · 1 file/ }).waitFor()
    expect(await second.getByText('is already here').count()).toBe(0)
    await second.close()
    await sender.stop()
  })

  it('lists a receive as soon as it is interrupted', async () => {
    const content = randomBytes(largeBytes)
    writeTree(join(folder, 'nine'), { 'large.bin': content })
    const { sender, link } = await share(join(folder, 'nine', 'large.bin'))
    const page = await open(link)
    await receivePart(page, /^Receive · 1 file/)
    await pressed(page, 'Cancel')
    await page.getByRole('heading', { name: 'Interrupted' }).waitFor()
    await pressed(page, 'Delete')
    await page.getByRole('heading', { name: 'Interrupted' }).waitFor({ state: 'detached' })
    await pressed(page, 'Try again')
    await page.getByRole('button', { name: /^Receive · 1 file/ }).waitFor()
    expect(await page.getByText('is already here').count()).toBe(0)
    await pressed(page, /^Receive · 1 file/)
    await expect.poll(() => page.evaluate(hasRecord), { timeout: 100_000 }).toBe(true)
    await pressed(page, 'Cancel')
    front.hold(Infinity)
    front.takePassed()
    await pressed(page, 'Resume receiving')
    await finished(page)
    expect(front.takePassed()).toBeLessThan(largeBytes)
    expect(sha256(await saved(page))).toBe(sha256(content))
    await page.close()
    await sender.stop()
  })

  it(
    'receives in two tabs with one code, and each has everything',
    { timeout: 300_000 },
    async () => {
      const content = randomBytes(largeBytes)
      writeTree(join(folder, 'six'), { 'large.bin': content })
      const { sender, link } = await share(join(folder, 'six', 'large.bin'))
      const first = await open(link)
      await receivePart(first, /^Receive · 1 file/)
      front.hold(Infinity)
      const second = await open(link)
      await pressed(second, 'Continue in this browser')
      await second.getByText('Another tab of this browser').waitFor()
      await pressed(second, /^Receive · 1 file/)
      await finished(second)
      expect(sha256(await saved(second))).toBe(sha256(content))
      // The first one continues with its own part.
      front.cut()
      await finished(first)
      expect(sha256(await saved(first))).toBe(sha256(content))
      await sender.stop()
    },
  )

  it('sends from two tabs with one code without disturbing either', async () => {
    const into = join(folder, 'requested')
    mkdirSync(into)
    const { program: requester, link } = await start('request', into, '--yes', '--keep-open')
    const tabs: Page[] = []
    for (const name of ['first.txt', 'second.txt']) {
      const page = await open(link)
      tabs.push(page)
      await pressed(page, 'Continue in this browser')
      await page.getByRole('heading', { name: 'Mina wants files from you' }).waitFor()
      expect(await page.getByText('Another tab of this browser').count()).toBe(tabs.length - 1)
      const file = { name, mimeType: 'text/plain', buffer: Buffer.from(name) }
      await page.locator('input[type=file]').first().setInputFiles(file)
    }
    for (const page of tabs.reverse()) {
      await pressed(page, /^Send · 1 file/)
      await page.getByRole('heading', { name: 'Everything has been sent' }).waitFor()
    }
    for (const name of ['first.txt', 'second.txt'])
      expect(readFileSync(join(into, name), 'utf8')).toBe(name)
    await requester.stop()
  })

  it('sends files that were chosen while the connection was lost', async () => {
    const into = join(folder, 'chosen')
    mkdirSync(into)
    const { program: requester, link } = await start('request', into, '--yes')
    const page = await open(link)
    await pressed(page, 'Continue in this browser')
    await page.getByRole('heading', { name: 'Mina wants files from you' }).waitFor()
    front.cut()
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
    await page.locator('input[type=file]').first().setInputFiles(file)
    await pressed(page, /^Send · 1 file/)
    await page.getByRole('heading', { name: 'Everything has been sent' }).waitFor()
    expect(readFileSync(join(into, 'a.txt'), 'utf8')).toBe('a')
    await requester.stop()
  })

  it('saves more than 4 GiB as one ZIP file', { timeout: 600_000 }, async () => {
    const small = randomBytes(5 << 20)
    writeTree(join(folder, 'seven'), {
      'first.bin': small,
      'sparse.bin': 'begin',
      'tail.txt': 'tail',
    })
    const bytes = 2 ** 32 + 5
    truncateSync(join(folder, 'seven', 'sparse.bin'), bytes)
    const { sender, link } = await share(join(folder, 'seven'))
    const page = await open(link)
    await pressed(page, 'Continue in this browser')
    await pressed(page, /^Receive · 3 files/)
    await finished(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      pressed(page, /^Save all/),
    ])
    const path = await download.path()
    check(path, 'seven/first.bin', 'seven/tail.txt')
    const { bad, sizes, texts } = listed(path)
    expect(bad).toBeNull()
    expect(sizes).toMatchObject({ 'seven/first.bin': small.length, 'seven/sparse.bin': bytes })
    expect(texts['seven/tail.txt']).toBe('tail')
    await download.delete()
    await page.close()
    await sender.stop()
  })

  // The smaller one has no room for a record of the receive either.
  it.each([20 << 20, 1])('says that a disk of %i bytes is full', async (quotaSize) => {
    const name = `${quotaSize}.bin`
    writeTree(join(folder, 'five'), { [name]: randomBytes(60 << 20) })
    const { sender, link } = await share(join(folder, 'five', name))
    const page = await open(link)
    await pressed(page, 'Continue in this browser')
    await page.getByRole('button', { name: /^Receive · 1 file/ }).waitFor()
    const devTools = await context.newCDPSession(page)
    await devTools.send('Storage.overrideQuotaForOrigin', { origin: front.origin, quotaSize })
    await pressed(page, /^Receive · 1 file/)
    await page.getByRole('heading', { name: 'There is not enough disk space.' }).waitFor()
    await page.close()
    await sender.stop()
  })
})
