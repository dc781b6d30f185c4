/** A page controlled by an attacker: its scripts' attempts through the bridge and the browser. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { dragFiles, homeScreen } from '../screens/window'
import { launchStage, type StageApp, test } from './stage-app'

let stage: StageApp

test.beforeAll(async () => {
  stage = await launchStage()
})

test.afterAll(() => stage.close())

test.beforeEach(() => stage.enter('home'))

/** The only page, in the language of the tests. */
const pageAddress = 'app://thruflux/index.html?lang=en'

/** Everything still works: the window shows home, and main answers. */
async function expectAlive(): Promise<void> {
  await expect(homeScreen(stage.page).invitation).toBeVisible()
  await expect
    .poll(() => stage.page.evaluate(async () => (await window.thru.snapshot(undefined)).ok))
    .toBe(true)
  expect(stage.page.url()).toBe(pageAddress)
}

type Bridge = Readonly<Record<string, (arg?: unknown) => Promise<unknown>>>

const badArgument = { ok: false, error: { code: 'E_BAD_ARGUMENT' } }

test('IPC-01 the bridge offers the table of commands and no other access to main', async () => {
  const found = await stage.page.evaluate(() => ({
    keys: Object.keys(window.thru),
    ipc: ['require', 'process', 'ipcRenderer', 'electron', 'module'].filter(
      (name) => name in window,
    ),
    frozen: Reflect.set(window.thru, 'join', null),
  }))
  expect(found.keys).not.toContain('share')
  expect(found.keys).not.toContain('add')
  expect(found.ipc).toEqual([])
  expect(found.frozen).toBe(false)
})

test(
  'IPC-01 wrong shapes, 100 MiB and a cyclic object are refused, and main survives',
  { tag: '@full' },
  async () => {
    const replies = await stage.page.evaluate(async () => {
      const { join } = window.thru as unknown as Bridge
      const cyclic: Record<string, unknown> = { code: '4821' }
      cyclic['self'] = cyclic
      const attempts: readonly unknown[] = [
        undefined,
        null,
        7,
        'code',
        [],
        {},
        { code: 7 },
        { code: '4821', extra: true },
        { code: 'x'.repeat(100 * 1024 * 1024) },
        cyclic,
        { code: () => 'a function' },
      ]
      const refused = { ok: false, error: { code: 'E_BAD_ARGUMENT' } }
      return Promise.all(
        attempts.map((attempt) => join?.(attempt).catch(() => refused) ?? Promise.resolve(null)),
      )
    })
    for (const reply of replies) expect(reply).toMatchObject(badArgument)
    expect(await stage.calls()).toEqual([])
    await expectAlive()
  },
)

test("IPC-02 the page can't contain frames", async () => {
  const loaded = await stage.page.evaluate(async () => {
    const frame = document.createElement('iframe')
    frame.src = 'app://thruflux/index.html'
    document.body.append(frame)
    await new Promise((resolve) => frame.addEventListener('load', resolve))
    try {
      return frame.contentWindow !== null && 'thru' in frame.contentWindow
    } catch {
      return false
    } finally {
      frame.remove()
    }
  })
  expect(loaded).toBe(false)
  await expectAlive()
})

test('IPC-03 paths from a script are not shared', async () => {
  await stage.page.evaluate(async () => {
    const share = window.thru.shareFiles as unknown as (files: unknown) => Promise<unknown>
    const disguised = new File(['x'], 'passwd')
    Object.defineProperty(disguised, 'path', { value: '/etc/passwd' })
    const attempts: readonly unknown[] = [
      ['/etc/passwd'],
      [{ path: '/etc/passwd', name: 'passwd' }],
      [disguised],
      '/etc/passwd',
      { paths: ['/etc/passwd'] },
      null,
    ]
    const asked = attempts.map(async (files) => share(files))
    await Promise.allSettled(asked)
  })
  expect(await stage.calls()).toEqual([])
  await expectAlive()
})

test('IPC-05 and IPC-08 no attempt opens another address, in the window or outside', async () => {
  const { page, app } = stage
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = (url) => Promise.resolve(void opened.push(url))
  })
  const fetched = await page.evaluate(async () => {
    const addresses = [
      'file:///etc/passwd',
      'smb://evil.example/share',
      'ms-msdt:/id',
      'javascript:document.title="owned"',
      'https://evil.example',
    ]
    for (const address of addresses) {
      window.open(address)
      const anchor = document.createElement('a')
      anchor.href = address
      anchor.target = '_blank'
      document.body.append(anchor)
      anchor.click()
      anchor.target = ''
      anchor.click()
      anchor.remove()
    }
    const view = document.createElement('webview')
    view.setAttribute('src', 'https://evil.example')
    document.body.append(view)
    view.remove()
    return Promise.all(
      ['file:///etc/passwd', 'https://evil.example', 'app://thruflux/../../package.json'].map(
        (address) =>
          fetch(address).then(
            () => 'fetched',
            () => 'refused',
          ),
      ),
    )
  })
  expect(fetched).toEqual(['refused', 'refused', 'refused'])
  // Queries main: Playwright still considers the stopped navigation pending.
  const shown: unknown = await app.evaluate(({ BrowserWindow }) =>
    Promise.all(
      BrowserWindow.getAllWindows().map(({ webContents }) =>
        webContents.executeJavaScript('`${location.href} ${document.title}`'),
      ),
    ),
  )
  expect(shown).toEqual([`${pageAddress} Thruflux`])
  expect(await app.evaluate(() => (globalThis as unknown as { opened: unknown }).opened)).toEqual(
    [],
  )
})

test('IPC-08 a page that is dropped on the window is not shown', async () => {
  const page = join(stage.directory, 'owned.html')
  await writeFile(page, '<title>owned</title>')
  await stage.page.evaluate(() =>
    window.addEventListener('drop', (event) => event.stopImmediatePropagation(), true),
  )
  await dragFiles(stage.page, [page], 'dropped')
  await expectAlive()
  expect(await stage.page.title()).toBe('Thruflux')
})

test('IPC-09 the page gets no permissions', async () => {
  const answers = await stage.page.evaluate(async () => {
    const refused = (): string => 'refused'
    const allowed = (): string => 'allowed'
    return Promise.all([
      navigator.mediaDevices.getUserMedia({ video: true }).then(allowed, refused),
      navigator.mediaDevices.getUserMedia({ audio: true }).then(allowed, refused),
      navigator.clipboard.readText().then(allowed, refused),
      new Promise((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve('allowed'),
          () => resolve('refused'),
        )
      }),
      Notification.requestPermission().then((answer) =>
        answer === 'granted' ? 'allowed' : 'refused',
      ),
    ])
  })
  expect(answers).toEqual(Array(5).fill('refused'))
})

test(
  'IPC-10 ten thousand messages at once are throttled, and the window recovers',
  { tag: '@full' },
  async () => {
    const refused = await stage.page.evaluate(async () => {
      const replies = await Promise.all(
        Array.from({ length: 10_000 }, () => window.thru.copyText({ text: 'spam' })),
      )
      return replies.filter((reply) => !reply.ok && reply.error.code === 'E_RATE_LIMITED').length
    })
    expect(refused).toBeGreaterThan(1000)
    expect((await stage.calls()).length).toBe(10_000 - refused)
    await expectAlive()
  },
)

test("IPC-11 the page can't reach prototypes of main", async () => {
  await stage.page.evaluate(async () => {
    const { join, setLimits } = window.thru as unknown as Bridge
    const evil: unknown = JSON.parse('{"__proto__":{"polluted":true},"code":"4821"}')
    const built: unknown = JSON.parse('{"constructor":{"prototype":{"polluted":true}}}')
    await Promise.all([join?.(evil), join?.(built), setLimits?.(evil), setLimits?.(built)])
  })
  expect(await stage.app.evaluate(() => 'polluted' in {})).toBe(false)
  await expectAlive()
})
