/** The page in Debian's Chromium and Firefox, on another computer of a network made of namespaces: no TLS, so no secure page. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Lan } from '../../../cli/tests/programs/net/lan/lan'
import { Thru } from '../../../cli/tests/programs/thru'
import { writeTree } from '../../../cli/tests/programs/tree'
import { check, listed } from '../zip-files'

const program = '/usr/bin/chromium'
const firefox = '/usr/bin/firefox-esr'
const inFirefox = fileURLToPath(new URL('firefox-page.mjs', import.meta.url))

/** Runs in the page: drops files on it, as a person would. */
const drop = (...names: readonly string[]): string => `(() => {
  const dataTransfer = new DataTransfer()
  for (const name of ${JSON.stringify(names)})
    dataTransfer.items.add(new File(['dropped'], name))
  const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
  document.body.dispatchEvent(event)
})()`

/** Replaces what no script can make: what is dropped is an empty folder. */
const dropIsFolder = `DataTransferItem.prototype.webkitGetAsEntry = function () {
  const { name } = this.getAsFile()
  const createReader = () => ({ readEntries: (done) => done([]) })
  return { name, isFile: false, isDirectory: true, createReader }
}`

type Requested = { readonly requester: Thru; readonly address: string; readonly into: string }

describe.skipIf(!existsSync(program))('a browser on the local network', () => {
  let lan: Lan
  let folder: string
  let browser: Browser
  const running: Thru[] = []

  beforeAll(async () => {
    lan = await Lan.make('both')
    folder = mkdtempSync(join(tmpdir(), `thru-browser-`))
    const wrapper = join(folder, 'chromium')
    const words = [...lan.within('join'), program].map((word) => `'${word}'`).join(' ')
    writeFileSync(wrapper, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
    browser = await chromium.launch({ executablePath: wrapper, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all(running.map((each) => each.stop('SIGKILL')))
    await lan.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Shares paths on the other computer; returns the address that it prints for browsers. */
  async function share(...args: readonly string[]): Promise<{ sender: Thru; address: string }> {
    const env = { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: folder }
    const words = ['host', ...args, '--name', 'Mina', '--json']
    const sender = new Thru(words, { within: lan.within('host'), usesNetwork: true, env })
    running.push(sender)
    const { code } = await sender.line('code')
    const { urls } = await sender.lineWhere('local-network', ({ phase }) => phase === 'visible')
    const [url = ''] = urls as readonly string[]
    return { sender, address: `${url.replace(/^ws:/, 'http:')}/join#c=${String(code)}` }
  }

  /** Opens an address; errors of the page, its content policy's among them, fail the test. */
  async function open(address: string): Promise<Page> {
    const page = await browser.newPage()
    // The test's own limit applies.
    page.setDefaultTimeout(0)
    page.on('pageerror', (error) => expect.fail(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') expect.fail(message.text())
    })
    await page.goto(address)
    return page
  }

  /** Requests files on the other computer, for a new folder; returns the address for browsers. */
  async function request(name: string, ...args: readonly string[]): Promise<Requested> {
    const into = join(folder, name)
    mkdirSync(into)
    const env = { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: folder }
    const words = ['request', into, ...args, '--name', 'Mina', '--json']
    const requester = new Thru(words, { within: lan.within('host'), usesNetwork: true, env })
    running.push(requester)
    const { code } = await requester.line('code')
    const { urls } = await requester.lineWhere('local-network', ({ phase }) => phase === 'visible')
    const [url = ''] = urls as readonly string[]
    const address = `${url.replace(/^ws:/, 'http:')}/join#c=${String(code)}`
    return { requester, address, into }
  }

  const pressed = (page: Page, name: RegExp | string): Promise<void> =>
    page.getByRole('button', { name }).first().click()

  async function saved(
    page: Page,
    name: RegExp | string,
  ): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([page.waitForEvent('download'), pressed(page, name)])
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
  }

  const album = {
    'album/cover.txt': 'cover',
    'album/deep/휴가.txt': 'remember',
    'album/none': null,
  }
  const packed = {
    'album/': '',
    'album/deep/': '',
    'album/none/': '',
    'album/cover.txt': 'cover',
    'album/deep/휴가.txt': 'remember',
  }

  it('receives a file, byte for byte, and saves it under its name', async () => {
    const content = randomBytes(30 << 20)
    writeTree(join(folder, 'one'), { 'holiday 🏖.bin': content })
    const { sender, address } = await share(join(folder, 'one', 'holiday 🏖.bin'))
    const page = await open(address)
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await pressed(page, 'Continue in this browser')
    await page.getByRole('heading', { name: 'From Mina' }).waitFor()
    await pressed(page, /^Receive · 1 file · 31.5 MB/)
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    const { name, bytes } = await saved(page, /^Save /)
    expect(name).toBe('holiday 🏖.bin')
    expect(Buffer.compare(bytes, content)).toBe(0)
    expect(await sender.line('done')).toMatchObject({ type: 'done' })
    await page.close()
    await sender.stop()
  })

  it('receives a part of an offer, and saves a folder as one ZIP file', async () => {
    writeTree(join(folder, 'two'), { ...album, 'large.bin': randomBytes(100_000) })
    const { sender, address } = await share(
      join(folder, 'two', 'album'),
      join(folder, 'two', 'large.bin'),
    )
    const page = await open(address)
    await pressed(page, 'Continue in this browser')
    await page.getByRole('checkbox', { name: /large\.bin/ }).uncheck()
    await pressed(page, /^Receive · 2 files/)
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    const { name, bytes } = await saved(page, 'Save all as one ZIP file')
    expect(name).toBe('thruflux.zip')
    const path = join(folder, name)
    writeFileSync(path, bytes)
    check(path)
    expect(listed(path).texts).toEqual(packed)
    await page.close()
    await sender.stop()
  })

  it('saves folders without files as a ZIP file', { tags: ['full'] }, async () => {
    writeTree(join(folder, 'ten'), { 'album/none': null })
    const { sender, address } = await share(join(folder, 'ten', 'album'))
    const page = await open(address)
    await pressed(page, 'Continue in this browser')
    await pressed(page, 'Receive · 2 folders')
    await page.getByText('2 folders without files have arrived').waitFor()
    const { name, bytes } = await saved(page, 'Save all as one ZIP file')
    const path = join(folder, name)
    writeFileSync(path, bytes)
    check(path)
    expect(listed(path).texts).toEqual({ 'album/': '', 'album/none/': '' })
    await page.close()
    await sender.stop()
  })

  it('says what to do after wrong words, and receives with the right ones', async () => {
    writeTree(join(folder, 'three'), { 'a.txt': 'a' })
    const { sender, address } = await share(join(folder, 'three', 'a.txt'))
    const [, code = ''] = address.split('#c=')
    const page = await open(address)
    await page.getByLabel('Code').fill(`${code.split('-')[0]}-aple-kayak-onion`)
    await pressed(page, 'Continue in this browser')
    await page.getByText('"aple" isn\'t a join-code word. Did you mean apple').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('code')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(`${code.split('-')[0]}-apple-kayak-onion`)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    // The keyboard continues at the heading of each step.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.getByLabel('Code').fill(code.replaceAll('-', ' '))
    await pressed(page, 'Try again')
    await pressed(page, /^Receive · 1 file/)
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    await page.close()
    await sender.stop()
  })

  it('says that it is too old if it can not run the module', async () => {
    writeTree(join(folder, 'five'), { 'a.txt': 'a' })
    const { sender, address } = await share(join(folder, 'five', 'a.txt'))
    const page = await browser.newPage()
    page.setDefaultTimeout(0)
    const unknown = { contentType: 'application/wasm', body: 'a later version of WebAssembly' }
    await page.route('**/*.wasm', (route) => route.fulfill(unknown))
    await page.goto(address)
    await pressed(page, 'Continue in this browser')
    await page.getByRole('heading', { name: 'This browser is too old' }).waitFor()
    await page.close()
    await sender.stop()
  })

  it('sends chosen files, a folder and what was dropped', async () => {
    const content = randomBytes(30 << 20)
    writeTree(join(folder, 'seven'), {
      'holiday 🏖.bin': content,
      'album/cover.txt': 'cover',
      'album/deep/note.txt': 'remember',
    })
    const { requester, address, into } = await request('requested', '--yes')
    const page = await open(address)
    await pressed(page, 'Continue in this browser')
    await page.getByRole('heading', { name: 'Mina wants files from you' }).waitFor()
    await page.getByText(/^Safety number/).waitFor()
    const inputs = page.locator('input[type=file]')
    await inputs.first().setInputFiles(join(folder, 'seven', 'holiday 🏖.bin'))
    await inputs.last().setInputFiles(join(folder, 'seven', 'album'))
    await page.evaluate(drop('dropped.txt', 'unwanted.txt'))
    await page.getByRole('button', { name: 'Remove unwanted.txt' }).click()
    await pressed(page, /^Send · 4 files · 31.5 MB/)
    await page.getByRole('heading', { name: 'Everything has been sent' }).waitFor()
    await page.getByText('The other person has 4 files').waitFor()
    await requester.line('done')
    expect(Buffer.compare(readFileSync(join(into, 'holiday 🏖.bin')), content)).toBe(0)
    expect(readFileSync(join(into, 'album', 'deep', 'note.txt'), 'utf8')).toBe('remember')
    expect(readFileSync(join(into, 'dropped.txt'), 'utf8')).toBe('dropped')
    expect(existsSync(join(into, 'unwanted.txt'))).toBe(false)
    await page.close()
  })

  it('says that a chosen file has changed, and sends the others', { tags: ['full'] }, async () => {
    writeTree(join(folder, 'eight'), { 'a.txt': 'a', 'changed.txt': 'before', 'gone.txt': 'gone' })
    const { requester, address, into } = await request('changed', '--yes')
    const page = await open(address)
    await pressed(page, 'Continue in this browser')
    const names = ['a.txt', 'changed.txt', 'gone.txt'].map((name) => join(folder, 'eight', name))
    await page.locator('input[type=file]').first().setInputFiles(names)
    await page.getByText('changed.txt').waitFor()
    writeFileSync(join(folder, 'eight', 'changed.txt'), 'afterwards')
    rmSync(join(folder, 'eight', 'gone.txt'))
    await pressed(page, /^Send · 3 files/)
    await page.getByRole('heading', { name: 'Sent, except for some files' }).waitFor()
    await page.getByText('2 files could not be sent').waitFor()
    await requester.line('done')
    expect(readFileSync(join(into, 'a.txt'), 'utf8')).toBe('a')
    await page.close()
  })

  it('sends a folder without files', { tags: ['full'] }, async () => {
    const { requester, address, into } = await request('empty', '--yes')
    const page = await open(address)
    await pressed(page, 'Continue in this browser')
    await page.getByRole('heading', { name: 'Mina wants files from you' }).waitFor()
    await page.evaluate(dropIsFolder)
    await page.evaluate(drop('album'))
    await pressed(page, 'Send · 1 folder')
    await page.getByText('The other person has the folders that they accepted').waitFor()
    await requester.line('done')
    expect(readdirSync(join(into, 'album'))).toEqual([])
    await page.close()
  })

  it.skipIf(!existsSync(firefox))('sends a file in Firefox, too', async () => {
    const { requester, address, into } = await request('from-firefox', '--yes')
    const [command = '', ...words] = lan.within('join')
    const { stdout } = await promisify(execFile)(command, [
      ...[...words, process.execPath, inFirefox, address, String(20 << 20)],
    ])
    await requester.line('done')
    const content = readFileSync(join(into, 'from-firefox.bin'))
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(JSON.parse(stdout)).toEqual({ size: content.length, sha256 })
  })

  it.skipIf(!existsSync(firefox))('receives a file in Firefox, too', async () => {
    const content = randomBytes(20 << 20)
    writeTree(join(folder, 'six'), { 'a.bin': content })
    const { sender, address } = await share(join(folder, 'six', 'a.bin'))
    const [command = '', ...words] = lan.within('join')
    const { stdout } = await promisify(execFile)(command, [
      ...words,
      process.execPath,
      inFirefox,
      address,
    ])
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(JSON.parse(stdout)).toEqual({ size: content.length, sha256 })
    await sender.stop()
  })

  it.skipIf(!existsSync(firefox))(
    'saves a folder as one ZIP file in Firefox, too',
    { tags: ['full'] },
    async () => {
      writeTree(join(folder, 'nine'), album)
      const { sender, address } = await share(join(folder, 'nine', 'album'))
      const path = join(folder, 'firefox.zip')
      const [command = '', ...words] = lan.within('join')
      await promisify(execFile)(command, [
        ...[...words, process.execPath, inFirefox, address, '0', path],
      ])
      check(path)
      expect(listed(path).texts).toEqual(packed)
      await sender.stop()
    },
  )

  /** Checks what the page shows in both directions of writing. */
  async function isAccessible(page: Page): Promise<void> {
    for (const direction of ['ltr', 'rtl']) {
      await page.evaluate((dir) => (document.documentElement.dir = dir), direction)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations).toEqual([])
      const beyond = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(beyond).toBe(0)
    }
  }

  it('is accessible in light and dark, and speaks Korean', { tags: ['full'] }, async () => {
    writeTree(join(folder, 'four'), { 'a.txt': 'a', [`${'long'.repeat(40)}.txt`]: 'b' })
    const { sender, address } = await share(join(folder, 'four'))
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        ...{ colorScheme, locale: 'ko-KR', viewport: { width: 360, height: 640 } },
      })
      context.setDefaultTimeout(0)
      const page = await context.newPage()
      await page.goto(address)
      await page.getByRole('heading', { name: '받은 코드로 연결합니다' }).waitFor()
      await isAccessible(page)
      await pressed(page, '이 브라우저에서 계속')
      await page.getByRole('heading', { name: 'Mina 님이 보냄' }).waitFor()
      await isAccessible(page)
      await pressed(page, /^받기/)
      await page.getByRole('heading', { name: '모두 받았습니다' }).waitFor()
      await isAccessible(page)
      await context.close()
    }
    await sender.stop()
  })

  it('is accessible while a person chooses files to send', { tags: ['full'] }, async () => {
    const { requester, address } = await request('accessible', '--yes', '--keep-open')
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        ...{ colorScheme, locale: 'ko-KR', viewport: { width: 360, height: 640 } },
      })
      context.setDefaultTimeout(0)
      const page = await context.newPage()
      await page.goto(address)
      await pressed(page, '이 브라우저에서 계속')
      await page.getByRole('heading', { name: 'Mina 님이 파일을 요청했습니다' }).waitFor()
      await isAccessible(page)
      const name = `${'long'.repeat(40)}-${colorScheme}.txt`
      const file = { name, mimeType: 'text/plain', buffer: Buffer.from('a') }
      await page.locator('input[type=file]').first().setInputFiles(file)
      await page.getByText(name).waitFor()
      await isAccessible(page)
      // The keyboard reaches every button in the order in which they are shown.
      await page.getByRole('button', { name: '파일 선택…' }).focus()
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('폴더 선택…')
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('빼기')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '모두 보냈습니다' }).waitFor()
      await isAccessible(page)
      await context.close()
    }
    await requester.stop()
  })
})
