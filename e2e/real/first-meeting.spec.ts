/** Two real apps with new profiles in two homes. Between them are only public meeting points and a STUN server. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { Authority } from '../../cli/tests/programs/net/authority'
import { startRelay } from '../../cli/tests/programs/net/nostr-relays'
import { Scene } from '../../cli/tests/programs/net/scene'
import { startTurnServer, stunOption } from '../../cli/tests/programs/net/turn-server'
import { launch, type RunningApp } from '../launch'
import { dragFiles, homeScreen, previewSheet, receiveCard, shareCard } from '../screens/window'
import { hashTree, makeTree } from './tree'

test.skip(process.platform !== 'linux', 'network namespaces exist on Linux only')
test.skip(process.getuid?.() !== 0, 'only root can create network namespaces')

let scene: Scene
let authority: Authority
let relay: string
const apps: RunningApp[] = []

test.beforeEach(async () => {
  scene = await Scene.open('IPv4', [], false)
  authority = new Authority(scene.at('authority'))
  await startTurnServer(scene.network, scene.folder)
  relay = await startRelay(scene.network, authority, 'nostr-relay')
  for (const side of ['host', 'join'] as const) {
    scene.network.setRouter(side, 'port-restricted')
    scene.network.allowTcp(side, [443])
  }
  await makeTree(scene.at('Kyoto rushes'))
})

test.afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
  await scene.close()
})

/** A new profile in a home, whose list names the relay of this internet in place of the real ones. */
async function appAt(side: 'host' | 'join', name: string): Promise<RunningApp> {
  const profile = scene.at(`${side}-profile`)
  await mkdir(profile)
  const settings = `version = 1\n[network]\nmeetingRelays = ["${relay}"]\n`
  await writeFile(join(profile, 'config.toml'), settings)
  await mkdir(scene.at(side))
  const app = await launch({
    args: [`--name=${name}`, `--downloads=${scene.at(side)}`, stunOption.join('=')],
    ...{ profile, usesNetwork: true, meets: true },
    within: [...scene.network.within(side), 'env', `NODE_EXTRA_CA_CERTS=${authority.file}`],
  })
  apps.push(app)
  return app
}

test(
  'two people who read nothing send a folder by pressing what is blue',
  { tag: '@full' },
  async () => {
    const [mina, jonas] = await Promise.all([
      appAt('host', 'Mina Park'),
      appAt('join', 'Jonas Weber'),
    ])
    await dragFiles(mina.page, [scene.at('Kyoto rushes')], 'dropped')
    await mina.page.getByRole('dialog').locator('.btn.primary').click()
    const shared = shareCard(mina.page, 'Kyoto rushes')
    const code = await shared.readCode()
    await homeScreen(jonas.page).enterCode(code)
    await jonas.page.getByRole('dialog').locator('.btn.primary').click()
    await expect(previewSheet(jonas.page).title).toHaveText(
      'Mina Park wants to send you 204 files',
      { timeout: 30_000 },
    )
    await previewSheet(jonas.page).receive.click()
    await expect(receiveCard(jonas.page, 'Kyoto rushes').headline).toHaveText(
      /^Received and verified/,
    )
    await expect(shared.receivers).toContainText('Received and verified')
    expect(await hashTree(scene.at('join', 'Kyoto rushes'))).toEqual(
      await hashTree(scene.at('Kyoto rushes')),
    )
  },
)
