/** Settings > Network: the network check, part by part, and its report. */
import { expect } from '@playwright/test'
import { type CheckPart, checkParts, type Finding, finding } from '#shared/state/network-check'
import { openSettings } from '../screens/window'
import { cutTexts, violationsOf } from './reach'
import { freshStage, page, stage, test, testInColors } from './stage-app'

test.beforeAll(freshStage)

const found: { readonly [P in CheckPart]: readonly Finding[] } = {
  computer: [
    finding('engine', 'works', {}),
    finding('settings', 'fine', {}),
    finding('addresses', 'four', {}),
    finding('buffers', 'small', { receive: 212_992, send: 212_992, wanted: 2 ** 23 }),
    finding('firewall', 'seen', { names: ['ufw'], allow: 'sudo ufw allow 5353/udp' }),
  ],
  server: [
    finding('proxy', 'none', {}),
    finding('server', 'ready', { server: 'wss://meet.example.org', detail: '' }),
    finding('latency', 'short', { ms: 42 }),
    finding('clock', 'off', { seconds: -754 }),
  ],
  internet: [
    finding('udp', 'out', {}),
    finding('stun', 'answers', { server: 'stun:198.51.100.7', ms: 31 }),
    finding('stun', 'silent', { server: 'stun:old.example.org' }),
    finding('nat', 'hard', { mapping: 'port', filtering: 'port' }),
    finding('ipv6', 'none', {}),
    finding('mtu', 'full', { bytes: 1452 }),
  ],
  relays: [finding('relay', 'password', { server: 'relay.example.org:3478' })],
  router: [finding('mapping', 'found', { protocols: ['PCP', 'UPnP'] })],
  network: [finding('lan', 'heard', {})],
}

const find = (part: CheckPart): Promise<void> =>
  stage.app.evaluate((_electron, [name, findings]) => globalThis.stage.find(name, findings), [
    part,
    found[part],
  ] as const)

testInColors('findings appear part by part, with a remedy for each problem', async () => {
  await stage.enter('home')
  await openSettings(page, 'Network')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(region('Router')).toHaveText(/Checking…/)
  await expect(page.getByRole('button', { name: 'Checking…' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await find('computer')
  await expect(region('This computer').getByRole('listitem')).toHaveCount(5)
  await expect(region('Internet')).toHaveText(/Checking…/)
  await region('Internet').scrollIntoViewIfNeeded()
  for (const part of checkParts.slice(1)) await find(part)
  const nat = region('Internet').getByRole('listitem').filter({ hasText: 'symmetric NAT' })
  await expect(nat).toContainText('Turn on PCP or UPnP in the router')
  await expect(nat.getByRole('img', { name: 'Note' })).toBeVisible()
  await expect(
    region('Relays').getByRole('listitem').getByRole('img', { name: 'Problem' }),
  ).toBeVisible()
  await expect(
    page.getByText('You can reach others through the internet and on your network.').first(),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Check again' }).scrollIntoViewIfNeeded()
  expect(await violationsOf(page)).toEqual([])
  expect(await cutTexts(page)).toEqual([])
  await page.getByRole('button', { name: 'Copy report' }).scrollIntoViewIfNeeded()
})

test('the copied report has shortened addresses', async () => {
  await stage.enter('home')
  await openSettings(page, 'Network')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  for (const part of checkParts) await find(part)
  await page.getByRole('button', { name: 'Copy report' }).click()
  await expect.poll(async () => (await stage.calls()).at(-1)?.name).toBe('copyText')
  const copied = (await stage.calls()).at(-1)?.arg as { text: string } | undefined
  const text = copied?.text
  expect(text).toContain('ok      stun: stun:198.51.x.x answers in 31 ms.')
  expect(text).toContain('failed  relay:')
  expect(text).not.toContain('198.51.100.7')
})
