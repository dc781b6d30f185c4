/** The real app with broken parts, and with files from the system. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launch, startAgain } from '../launch'
import { shareCard } from '../screens/window'

test('without its engine the app says so in its window instead of not starting', async () => {
  process.env['THRU_ADDON'] = '/nowhere/thru.node'
  const broken = await launch()
  delete process.env['THRU_ADDON']
  await expect(broken.page.getByRole('heading')).toHaveText("Thruflux can't transfer files")
  await broken.page.getByRole('button', { name: 'Copy report' }).click()
  const report = await broken.app.evaluate(({ clipboard }) => clipboard.readText())
  expect(report).toContain('engine: E_INTERNAL')
  expect(report).not.toContain('/nowhere')
  await broken.close()
})

test('the next start after a crash says so, once', { tag: '@full' }, async () => {
  const profile = await mkdtemp(join(tmpdir(), 'thruflux-killed-'))
  const note = 'Thruflux stopped unexpectedly last time.'
  const killed = await launch({ profile, args: ['--local-port=47991'] })
  await expect(killed.page.getByText(note)).toBeHidden()
  const ended = new Promise((resolve) => killed.app.process().once('exit', resolve))
  killed.app.process().kill('SIGKILL')
  await ended
  const next = await launch({ profile, args: ['--local-port=47991'] })
  await expect(next.page.getByText(note)).toBeVisible()
  await next.close()
  const later = await launch({ profile, args: ['--local-port=47991'] })
  await expect(later.page.getByRole('heading', { name: 'Drop files anywhere' })).toBeVisible()
  await expect(later.page.getByText(note)).toBeHidden()
  await later.close()
  await rm(profile, { recursive: true, force: true })
})

test('a second start with a file shares it in the open window', { tag: '@full' }, async () => {
  const mina = await launch({ args: ['--local-port=47992'] })
  const file = join(mina.directory, 'two words.txt')
  await writeFile(file, 'hello')
  await startAgain(mina, [file])
  await expect(shareCard(mina.page, 'two words.txt').code).toBeVisible()
  await mina.close()
})
