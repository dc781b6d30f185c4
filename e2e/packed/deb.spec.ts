/** The deb on a Debian that has nothing else: installed, opened, used both ways, upgraded, removed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { codeOf } from '../../cli/tests/programs/program-rig'
import { Thru } from '../../cli/tests/programs/thru'
import { freshSystem } from '../../scripts/fresh/system.mjs'
import { product } from '../../scripts/package/product.mjs'
import { repository } from '../build-stage'
import { homeScreen, openSettings, previewSheet, receiveCard, shareCard } from '../screens/window'
import { account, type InstalledApp, openInstalled } from './installed-app'

/** Made by the step `packed` of scripts/test.mjs. */
const packages = join(repository, 'out/test-packages')
/** The deb of the app: one version, and the one before it. */
const debOf = (which: 'previous' | 'current'): string => {
  const folder = join(packages, which)
  const [deb = 'missing.deb'] = readdirSync(folder).filter((name) =>
    /^thruflux-\d.*\.deb$/.test(name),
  )
  return join(folder, deb)
}
const versionOf = (deb: string) =>
  execFileSync('dpkg-deb', ['-f', deb, 'Version'], { encoding: 'utf8' }).trim()

test.describe.configure({ mode: 'serial', timeout: 180_000 })

let system: Awaited<ReturnType<typeof freshSystem>>
let server: Thru
let serverUrl: string
let app: InstalledApp | undefined

const home = `/home/${account}`
const within = (...path: readonly string[]) => join(system.folder, ...path)
const install = (...wanted: readonly string[]) =>
  system.run(
    `DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${wanted.join(' ')}`,
  )
const open = async (...args: readonly string[]) => {
  app = await openInstalled(system, [
    ...[`--server-url=${serverUrl}`, `--downloads=${home}/received`, '--no-lan'],
    ...args,
  ])
  return app.page
}

test.beforeAll(async () => {
  test.setTimeout(900_000)
  server = new Thru(['serve', '--port', '0', '--host', '127.0.0.1', '--trust-loopback'])
  serverUrl = (await server.match(/ws:\S+/))[0]
  system = await freshSystem('bookworm')
  expect(system.run(`useradd -m ${account}`).status).toBe(0)
})

test.afterEach(async () => {
  await app?.quit()
  app = undefined
})

test.afterAll(async () => {
  await server.stop()
  system.remove()
})

test('the previous version is installed, with all that it needs', () => {
  test.setTimeout(900_000)
  const { status, output } = install(system.bring(debOf('previous')), 'xvfb')
  expect([status, status === 0 ? '' : output]).toEqual([0, ''])
  const { output: version } = system.run(`su ${account} -c 'thru --version'`)
  expect(version.trim()).toBe(versionOf(debOf('previous')))
})

test('a file of a file manager is shared, and arrives elsewhere', async () => {
  const file = within(home, 'notes.txt')
  writeFileSync(file, 'from the installed app')
  const page = await open(`${home}/notes.txt`)
  const code = await shareCard(page, 'notes.txt').readCode()
  const folder = test.info().outputPath('in')
  const receiver = new Thru(['join', code, folder, '--yes', '--server-url', serverUrl])
  expect((await receiver.ended).exitCode).toBe(0)
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('from the installed app')
  await expect(shareCard(page, 'notes.txt').receivers.first()).toContainText(
    'Received and verified',
  )
})

test('a code that is entered receives what thru offers elsewhere', async () => {
  mkdirSync(within(home, 'received'))
  system.run(`chown ${account}: ${home}/received`)
  const file = test.info().outputPath('plan.txt')
  writeFileSync(file, 'for the installed app')
  const sender = new Thru(['host', file, '--json', '--server-url', serverUrl])
  const page = await open()
  await homeScreen(page).enterCode(await codeOf(sender))
  await previewSheet(page).receive.click()
  await expect(receiveCard(page, 'plan.txt').headline).toHaveText(/^Received and verified/)
  expect(readFileSync(within(home, 'received/plan.txt'), 'utf8')).toBe('for the installed app')
  await sender.stop()
})

test('what is set stays through an upgrade, and the new version opens', async () => {
  const before = await open()
  await openSettings(before, 'General')
  await before.getByRole('textbox', { name: 'Your name' }).fill('Mina Park')
  await before.keyboard.press('Enter')
  await expect
    .poll(() => spawnSync('grep', ['-r', 'Mina Park', within(home, '.config')]).status)
    .toBe(0)
  await app?.quit()
  expect(install(system.bring(debOf('current'))).status).toBe(0)
  const { output: version } = system.run(`su ${account} -c 'thru --version'`)
  expect(version.trim()).toBe(versionOf(debOf('current')))

  const page = await open()
  await openSettings(page, 'General')
  await expect(page.getByRole('textbox', { name: 'Your name' })).toHaveValue('Mina Park')
  await openSettings(page, 'About')
  await page.getByRole('button', { name: 'Show licenses' }).click()
  await expect(page.getByRole('dialog', { name: 'Licenses' })).toContainText('libnice: LGPL-2.1')
})

test('menus and software centers understand what it says about itself', () => {
  const entry = within('/usr/share/applications/thruflux.desktop')
  const metainfo = within('/usr/share/metainfo', `${product.id}.metainfo.xml`)
  for (const [program, ...args] of [
    ['desktop-file-validate', entry],
    ['appstreamcli', 'validate', '--no-net', metainfo],
  ] as const) {
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
    expect([program, status, status === 0 ? '' : stdout]).toEqual([program, 0, ''])
  }
})

test('thru says whose work is inside', () => {
  const { status, output } = system.run(`su ${account} -c 'thru licenses'`)
  expect([status, output.includes('OpenSSL: Apache-2.0')]).toEqual([0, true])
})

test('it is removed without a trace but what people own', () => {
  expect(system.run('apt-get purge -y thruflux').status).toBe(0)
  const { output } = system.run(
    `find / -xdev \\( -path /proc -o -path /sys -o -path /home -o -path '*.deb' \\) -prune -o -iname '*thruflux*' -print -o -name thru -print`,
  )
  expect(output).toBe('')
  expect(existsSync(within(home, 'received/plan.txt'))).toBe(true)
})
