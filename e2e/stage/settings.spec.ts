/** Places, and the pages of the settings: each changed control sends its request immediately. */
import { expect } from '@playwright/test'
import type { ServerCheck } from '#shared/settings/server-check'
import { defaultSettings } from '#shared/settings/settings'
import { openSettings, shareCard, topBar } from '../screens/window'
import { violationsOf } from './reach'
import { scenes } from './scenes/scenes'
import { freshStage, page, stage, test, testInColors } from './stage-app'

test.beforeAll(freshStage)

const lastCall = async () => (await stage.calls()).at(-1)

test('places open by click and key, and the code field stays', async () => {
  await stage.enter('sharing-receivers')
  const bar = topBar(page)
  await expect(bar.place('Transfers')).toHaveAttribute('aria-current', 'page')
  await expect(bar.place('Transfers')).toHaveText('Transfers2')
  await bar.place('Contacts').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
  await expect(page.getByText('Add someone during a transfer.')).toBeVisible()
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('heading', { level: 1, name: 'General' })).toBeVisible()
  await expect(bar.codeField).toBeVisible()
  await page.keyboard.press('Control+1')
  await expect(shareCard(page, '6 items').card).toBeVisible()
})

test('a share started in another place is shown', async () => {
  await stage.enter('sharing-receivers')
  await openSettings(page, 'Network')
  await page.keyboard.press('Control+O')
  await expect.poll(lastCall).toMatchObject({ name: 'pickAndShare' })
  // Nothing was chosen, so the page stays.
  await expect(page.getByRole('heading', { level: 1, name: 'Network' })).toBeVisible()
  await topBar(page).codeField.fill('4821-apple-kayak-onion')
  await topBar(page).codeField.press('Enter')
  await expect(topBar(page).place('Transfers')).toHaveAttribute('aria-current', 'page')
})

test('a switch, a choice, a number and a text are saved immediately', async () => {
  await stage.enter('home')
  await openSettings(page, 'General')
  const name = page.getByRole('textbox', { name: 'Your name' })
  await name.fill('Studio')
  await name.press('Escape')
  await expect(name).toHaveValue('')
  await name.fill('  Studio ')
  await name.press('Enter')
  await expect.poll(lastCall).toEqual({
    ...{ name: 'changeSettings', arg: { general: { name: 'Studio' } } },
  })
  await openSettings(page, 'Sharing')
  await page.getByRole('combobox', { name: 'A code expires after' }).selectOption('1h')
  await expect.poll(lastCall).toMatchObject({ arg: { sharing: { codeLife: '1h' } } })
  await page.getByRole('switch', { name: 'Each code is for one receiver' }).press('Space')
  await expect.poll(lastCall).toMatchObject({ arg: { sharing: { oneReceiver: true } } })
  await expect(page.getByRole('switch', { name: 'Each code is for one receiver' })).toHaveAttribute(
    'aria-checked',
    'true',
  )
  await page.getByRole('textbox', { name: 'Receivers at the same time' }).fill('3')
  await expect.poll(lastCall).toMatchObject({ arg: { sharing: { maxReceivers: 3 } } })
  const exclude = page.getByRole('textbox', { name: 'Always leave out' })
  await exclude.fill('node_modules, *.tmp')
  await exclude.press('Enter')
  await expect.poll(lastCall).toMatchObject({
    arg: { sharing: { exclude: ['node_modules', '*.tmp'] } },
  })
})

test('the folder for receives comes from the dialog, and Downloads is one click away', async () => {
  await stage.enter('home')
  await openSettings(page, 'Receiving')
  await expect(page.getByText('/home/sora/Downloads')).toBeVisible()
  await page.getByRole('button', { name: 'Change' }).click()
  await expect.poll(lastCall).toMatchObject({ name: 'pickReceivingFolder' })
})

test(
  'every switch of the program and its notifications is saved, and shows its state',
  { tag: '@full' },
  async () => {
    await stage.enter('home')
    const flip = async (name: string, to: boolean, arg: object): Promise<void> => {
      const control = page.getByRole('switch', { name })
      await control.click()
      await expect.poll(lastCall).toEqual({ name: 'changeSettings', arg })
      await expect(control).toHaveAttribute('aria-checked', String(to))
    }
    await openSettings(page, 'General')
    await flip('Keep running when the window is closed', false, { general: { closeToTray: false } })
    await flip('Start when you log in', true, { general: { startAtLogin: true } })
    await flip('Share again after a restart', false, { general: { resumeShares: false } })
    await flip('Keep the computer awake during transfers', false, { general: { keepAwake: false } })
    await flip('Remember finished transfers', false, { general: { keepHistory: false } })
    await openSettings(page, 'Notifications')
    await flip('Someone joins a share', false, { notifications: { joined: false } })
    await flip('Someone wants to send you files', false, { notifications: { offers: false } })
    await flip('A transfer is complete', false, { notifications: { finished: false } })
    await flip('A transfer fails or is interrupted', false, { notifications: { failed: false } })
  },
)

testInColors(
  'leaving bandwidth for others takes effect immediately',
  async () => {
    await stage.enter('home')
    await openSettings(page, 'Network')
    const control = page.getByRole('switch', { name: 'Leave room for others' })
    await expect(control).toHaveAttribute('aria-checked', 'false')
    for (const background of [true, false, true]) {
      await control.press('Space')
      await expect.poll(lastCall).toEqual({
        ...{ name: 'changeSettings', arg: { network: { background } } },
      })
      await expect(control).toHaveAttribute('aria-checked', String(background))
    }
    await control.scrollIntoViewIfNeeded()
    expect(await violationsOf(page)).toEqual([])
  },
  { tag: '@full' },
)

test(
  'languages are listed by their own names, and previews are marked',
  { tag: '@full' },
  async () => {
    await stage.enter('home')
    await openSettings(page, 'Appearance')
    const choice = page.getByRole('combobox', { name: 'Language' })
    await expect(choice).toHaveValue('system')
    await expect(choice.getByRole('option')).toContainText([
      ...['Same as system', 'English', '한국어', 'Deutsch (preview)'],
    ])
    await expect(choice.getByRole('option', { name: 'Ƥšéûðö' })).toHaveCount(0)
    await choice.selectOption('ko')
    await expect.poll(lastCall).toEqual({
      ...{ name: 'changeSettings', arg: { appearance: { language: 'ko' } } },
    })
  },
)

test('a preview starts with the settings for receives', async () => {
  await stage.enter('home')
  const receiving = {
    ...defaultSettings.receiving,
    conflicts: 'skip',
    folder: '/media/sora',
  } as const
  const settings = { ...defaultSettings, receiving }
  const atMs = Date.now()
  await stage.play([{ type: 'settings-changed', atMs, settings }, ...scenes.preview(atMs)])
  await expect(page.getByText('/media/sora')).toBeVisible()
  await expect(
    page.getByRole('combobox', { name: 'If a different file already exists' }),
  ).toHaveValue('skip')
})

test('a server is added, used and removed, and an invalid one is refused', async () => {
  await stage.enter('home')
  await topBar(page).status.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Network' })).toBeVisible()
  await expect(page.getByText('No server is set')).toBeVisible()
  const add = async (url: string, name: string) => {
    await page.getByRole('button', { name: 'Add a server' }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill(url)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
  }
  await add('example', 'Home')
  await expect(page.getByRole('alert')).toHaveText(/^This isn't a server address/)
  expect(await stage.calls()).toEqual([])
  await page.getByRole('textbox', { name: 'Address' }).fill('wss://home.example')
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('textbox', { name: 'STUN servers' }).fill('stun:stun.example')
  await page.getByRole('textbox', { name: 'Fallback servers' }).fill('ws://b.example:8080')
  await page.getByRole('textbox', { name: 'Address' }).press('Enter')
  const home = {
    ...{ name: 'Home', url: 'wss://home.example', fallbacks: ['ws://b.example:8080'] },
    ...{ stun: ['stun:stun.example'], turn: [] },
  }
  await expect.poll(lastCall).toEqual({
    ...{ name: 'changeSettings', arg: { network: { servers: [home], defaultServer: 'Home' } } },
  })
  await add('ws://192.0.2.10:8080', 'Work')
  const server = (name: string) => page.getByRole('group', { name, exact: true })
  await expect(server('Home')).toContainText('home.example, then b.example:8080')
  await expect(server('Home')).toContainText('Used')
  await server('Work').getByRole('button', { name: 'Use' }).click()
  await expect.poll(lastCall).toMatchObject({ arg: { network: { defaultServer: 'Work' } } })
  await expect(server('Work')).toContainText('Used')
  await server('Work').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(lastCall).toMatchObject({
    arg: { network: { servers: [home], defaultServer: null } },
  })
  await expect(server('Work')).toHaveCount(0)
})

test(
  'a server is tested before it is added, and the result is shown',
  { tag: '@full' },
  async () => {
    await stage.enter('home')
    const { app } = stage
    await topBar(page).status.click()
    await page.getByRole('button', { name: 'Add a server' }).click()
    const press = () => page.getByRole('button', { name: 'Test', exact: true }).click()
    await press()
    await expect(page.getByRole('alert')).toHaveText(/^This isn't a server address/)
    await page.getByRole('textbox', { name: 'Address' }).fill('wss://home.example')
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('textbox', { name: 'STUN servers' }).fill('stun:a.example stun:b.example')
    const answer = (check: ServerCheck) =>
      app.evaluate((_electron, found) => {
        globalThis.stage.check = found
      }, check)
    const stun = [
      { line: 'stun:a.example', answers: true },
      { line: 'stun:b.example', answers: false },
    ]
    await answer({ server: 'ready', detail: '', proxy: null, stun })
    await press()
    const result = page.getByRole('status').filter({ hasText: 'a.example' })
    await expect(result).toHaveText(/ready\..*a\.example answers\..*b\.example doesn't answer\./)
    await expect.poll(lastCall).toMatchObject({
      ...{
        name: 'checkServer',
        arg: { url: 'wss://home.example', stun: stun.map(({ line }) => line) },
      },
    })
    await page.getByRole('textbox', { name: 'Address' }).fill('ws://home.example')
    await expect(result).toHaveCount(0)
    for (const [server, words] of [
      ['insecure', 'without encryption'],
      ['unreachable', 'Nothing answers at this address'],
      ['untrusted', "A secure connection to it isn't possible"],
      ['password', 'requires a password, or a different one'],
      ['other', "isn't a Thruflux server"],
    ] as const) {
      await answer({ server, detail: 'details', proxy: null, stun: [] })
      await press()
      await expect(page.getByText(words)).toBeVisible()
    }
    const proxy = { name: 'http://proxy.example:3128', failure: 'E_PROXY_REFUSED' } as const
    await answer({ server: 'unreachable', detail: 'HTTP status 403', proxy, stun: [] })
    await press()
    await expect(
      page.getByText('The proxy at "http://proxy.example:3128" won\'t connect you'),
    ).toBeVisible()
  },
)

test('the password of a server is entered in its row, and never shown', async () => {
  await stage.enter('home')
  await topBar(page).status.click()
  await page.getByRole('button', { name: 'Add a server' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill('wss://team.example')
  await page.getByLabel('Password').fill('of-before')
  await page.getByRole('textbox', { name: 'Address' }).press('Enter')
  const team = {
    name: 'team.example',
    url: 'wss://team.example',
    fallbacks: [],
    stun: [],
    turn: [],
  }
  const changes = (servers: readonly object[]) => ({
    ...{ name: 'changeSettings', arg: { network: { servers, defaultServer: team.name } } },
  })
  await expect.poll(lastCall).toEqual(changes([{ ...team, password: 'of-before' }]))
  const server = page.getByRole('group', { name: team.name, exact: true })
  await server.getByRole('button', { name: 'Change password…' }).click()
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password')
  await expect(page.getByLabel('Password')).toHaveValue('')
  await page.getByLabel('Password').fill('of-now')
  await page.getByLabel('Password').press('Enter')
  await expect.poll(lastCall).toEqual(changes([{ ...team, password: 'of-now' }]))
  await server.getByRole('button', { name: 'Change password…' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(lastCall).toEqual(changes([team]))
  await expect(server.getByRole('button', { name: 'Password…' })).toBeVisible()
})

test(
  "built-in servers are listed, can be chosen, and can't be removed",
  { tag: '@full' },
  async () => {
    const { app } = stage
    await app.evaluate(() => {
      const servers = ['Europe', 'Asia']
      globalThis.stage.builtIn = servers.map((name) => ({
        ...{ name, url: `wss://${name.toLowerCase()}.example`, fallbacks: [], stun: [], turn: [] },
      }))
    })
    try {
      await stage.enter('home')
      await topBar(page).status.click()
      const server = (name: string) => page.getByRole('group', { name, exact: true })
      await expect(server('Europe')).toContainText('europe.example · comes with Thruflux')
      await expect(server('Europe')).toContainText('Used')
      await expect(page.getByRole('button', { name: 'Remove' })).toHaveCount(0)
      await server('Asia').getByRole('button', { name: 'Use' }).click()
      await expect.poll(lastCall).toMatchObject({ arg: { network: { defaultServer: 'Asia' } } })
      await expect(server('Asia')).toContainText('Used')
      const atMs = Date.now()
      await stage.play(scenes['sharing-receivers'](atMs))
      await expect(page.getByText('keep the server they started with')).toBeVisible()
    } finally {
      await app.evaluate(() => {
        globalThis.stage.builtIn = []
      })
    }
  },
)

test('all settings are reset after a question', { tag: '@full' }, async () => {
  await stage.enter('home')
  await openSettings(page, 'Appearance')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await openSettings(page, 'Advanced')
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText('Reset all settings?')).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(lastCall).toMatchObject({
    arg: { appearance: { theme: null }, network: { relay: null } },
  })
  const call = await lastCall()
  expect(JSON.stringify(call)).not.toContain('servers')
  await openSettings(page, 'Appearance')
  await expect(page.getByRole('combobox', { name: 'Theme' })).toHaveValue('system')
})

test('a refused change shows an error, and nothing changes', async () => {
  await stage.enter('home')
  await openSettings(page, 'Appearance')
  await stage.refuseNext({
    ...{ code: 'E_BAD_ARGUMENT', subject: '/c/config.toml' },
    detail:
      'The settings in /c/config.toml make no sense (line 3). Correct the file, or move it away.',
  })
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('light')
  await expect(page.getByText('Correct the file, or move it away.')).toBeVisible()
})

testInColors('settings are exported to a file, and imported after a preview', async () => {
  await stage.enter('home')
  await openSettings(page, 'Advanced')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByText('without 1 relay that has a password')).toBeVisible()
  await page.getByRole('button', { name: 'Import' }).click()
  const preview = page.getByRole('region', { name: 'Changes in studio.toml' })
  await expect(preview).toContainText('receiving.conflicts')
  await expect(preview).toContainText("1 setting isn't valid and stays unchanged")
  expect(await violationsOf(page)).toEqual([])
  await preview.getByRole('button', { name: 'Change 2 settings' }).click()
  await expect.poll(lastCall).toMatchObject({ name: 'importSettings' })
  await expect(page.getByText('studio.toml was imported.')).toBeVisible()
  await expect(preview).toBeHidden()
})
