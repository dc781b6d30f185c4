/** Settings > Network: the proxy for servers, and its effects. */
import { expect } from '@playwright/test'
import { appError } from '#shared/errors'
import type { ServerCheck } from '#shared/settings/server-check'
import { defaultSettings } from '#shared/settings/settings'
import { openSettings } from '../screens/window'
import { cutTexts, violationsOf } from './reach'
import { shareId } from './scenes/scene-parts'
import { freshStage, page, stage, test, testInColors } from './stage-app'

test.beforeAll(freshStage)

const lastCall = async () => (await stage.calls()).at(-1)
const saved = (proxy: string | null) => ({
  ...{ name: 'changeSettings', arg: { network: { proxy } } },
})

/** The settings come from a file with this proxy in it. */
async function enterWith(proxy: string): Promise<void> {
  await stage.enter('home')
  const network = { ...defaultSettings.network, proxy }
  const settings = { ...defaultSettings, network }
  await stage.play([{ type: 'settings-changed', atMs: Date.now(), settings }])
  await openSettings(page, 'Network')
}

const fields = () => {
  return {
    choice: page.getByRole('combobox', { name: 'Proxy' }),
    address: page.getByRole('textbox', { name: 'Address' }),
    user: page.getByRole('textbox', { name: 'User name' }),
    password: page.getByLabel('Password'),
    use: page.getByRole('button', { name: 'Use this proxy' }),
    refusal: page.getByRole('alert'),
  }
}

testInColors('a proxy is typed, its password is masked, and errors are shown', async () => {
  await stage.enter('home')
  await openSettings(page, 'Network')
  const { choice, address, user, password, use, refusal } = fields()
  await expect(choice).toHaveValue('system')
  await choice.selectOption('This proxy')
  await expect(address).toBeFocused()
  await address.fill('ftp://proxy.example')
  await address.press('Enter')
  await expect(refusal).toHaveText(/^This isn't the address of a proxy/)
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  expect(await violationsOf(page)).toEqual([])
  await address.fill('proxy.example:3128')
  await expect(refusal).toHaveCount(0)
  await password.fill('p@ss')
  await use.click()
  await expect(refusal).toHaveText('A password needs a user name.')
  expect(await stage.calls()).toEqual([])
  await user.fill('dana')
  await expect(password).toHaveAttribute('type', 'password')
  await use.click()
  await expect.poll(lastCall).toEqual(saved('http://dana:p%40ss@proxy.example:3128'))
  await expect(page.getByText('http://proxy.example:3128', { exact: true })).toBeVisible()
  await expect(page.getByText('Signs in as dana.')).toBeVisible()
  await expect(page.getByText('p@ss')).toHaveCount(0)
  expect(await violationsOf(page)).toEqual([])
})

test(
  "a proxy is changed, kept, and replaced by none and by the system's",
  { tag: '@full' },
  async () => {
    await enterWith('socks5://dana:…@proxy.example:1080')
    const { choice, address, user, password, use } = fields()
    await expect(choice).toHaveValue('own')
    await page.getByRole('button', { name: 'Change' }).click()
    await expect(address).toHaveValue('socks5://proxy.example:1080')
    await expect(user).toHaveValue('dana')
    await expect(password).toHaveValue('')
    await expect(password).toHaveAttribute('placeholder', 'Unchanged')
    await user.fill('')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await stage.calls()).toEqual([])
    await page.getByRole('button', { name: 'Change' }).click()
    await use.click()
    await expect.poll(lastCall).toEqual(saved('socks5://dana:%E2%80%A6@proxy.example:1080'))
    await page.getByRole('button', { name: 'Change' }).click()
    await address.fill('socks5://other.example')
    await expect(password).toHaveAttribute('placeholder', 'If required')
    await password.fill('word')
    await use.click()
    await expect.poll(lastCall).toEqual(saved('socks5://dana:word@other.example:1080'))
    await choice.selectOption('No proxy')
    await expect.poll(lastCall).toEqual(saved('none'))
    await expect(page.getByText('other.example')).toHaveCount(0)
    await choice.selectOption("System's proxy")
    await expect.poll(lastCall).toEqual(saved(null))
    await expect(choice).toHaveValue('system')
  },
)

test('the test of a proxy uses the server in use', { tag: '@full' }, async () => {
  const { app } = stage
  await app.evaluate(() => {
    globalThis.stage.builtIn = [
      { name: 'Home', url: 'wss://home.example', fallbacks: [], stun: [], turn: [] },
    ]
  })
  try {
    await enterWith('http://dana:word@proxy.example:3128')
    const answer = (check: ServerCheck) =>
      app.evaluate((_electron, found) => {
        globalThis.stage.check = found
      }, check)
    const name = 'http://proxy.example:3128'
    for (const [check, words] of [
      [{ server: 'ready', proxy: { name, failure: null } }, 'The proxy answers, and so does'],
      [{ server: 'ready', proxy: null }, 'It is reached without the proxy.'],
      [
        { server: 'unreachable', proxy: { name, failure: 'E_PROXY_UNREACHABLE' } },
        `There's no answer from the proxy at "${name}".`,
      ],
      [
        { server: 'unreachable', proxy: { name, failure: null } },
        'The proxy answers, but home.example',
      ],
    ] as const) {
      await answer({ detail: '', stun: [], ...check })
      await page.getByRole('button', { name: 'Test' }).click()
      await expect(page.getByText(words)).toBeVisible()
    }
    await expect.poll(lastCall).toMatchObject({
      ...{ name: 'checkServer', arg: { url: 'wss://home.example/v1' } },
    })
    await page.getByRole('button', { name: 'Change' }).click()
    await expect(page.getByText('The proxy answers')).toHaveCount(0)
  } finally {
    await app.evaluate(() => {
      globalThis.stage.builtIn = []
    })
  }
})

test('an invalid proxy in the file is reported, and no other is used instead', async () => {
  // The value in use is then an invalid proxy.
  await enterWith('')
  const { choice, address } = fields()
  await expect(choice).toHaveValue('own')
  await expect(page.getByText('so no server is reached')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  await address.fill('http://proxy.example')
  await address.press('Enter')
  await expect.poll(lastCall).toEqual(saved('http://proxy.example:80'))
  await expect(page.getByText('so no server is reached')).toHaveCount(0)
})

testInColors(
  "the button of a proxy's error leads to its setting, which shows the error",
  async () => {
    await enterWith('http://dana:word@proxy.example:3128')
    await stage.play([
      {
        type: 'server-changed',
        atMs: Date.now(),
        server: {
          phase: 'unreachable',
          url: 'wss://meet.example.org',
          error: appError('E_PROXY_AUTH', 'HTTP status 407', 'http://proxy.example:3128'),
        },
      },
    ])
    const error = page.getByRole('status').filter({ hasText: 'rejected the user name' })
    await expect(error).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await stage.resize(820, 560)
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await cutTexts(page)).toEqual([])
    await stage.resize(1180, 760)
  },
  { tag: '@full' },
)

test('an error of the proxy has a button that leads to its setting', { tag: '@full' }, async () => {
  await stage.enter('sharing-started')
  const error = appError('E_PROXY_UNREACHABLE', 'ECONNREFUSED', 'http://proxy.example:3128')
  await stage.play([{ type: 'share-failed', atMs: Date.now(), share: shareId('s1'), error }])
  await page.getByRole('button', { name: 'Network settings' }).click()
  await expect(fields().choice).toBeVisible()
})
