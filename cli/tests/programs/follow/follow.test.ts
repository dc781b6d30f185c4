/** A receiver that follows a watched share. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { expect, it } from 'vitest'
import type { ProgramOutput } from '../program-output'
import { codeOf } from '../program-rig'
import { linesOf } from '../thru'
import { bytesOf, hashTree, writeTree } from '../tree'
import { followRig } from './follow-rig'

const rig = followRig('follow')
const { at, thru, account, site, copy, watch, follow, resumeShare, resumeReceive, until } = rig

/** A watched folder, and a receiver that has it. */
function following() {
  writeTree(site(), { 'index.html': 'one', 'pages/about.html': 'about' })
  return rig.following()
}

/** Gives a file of the share its content at once, as many programs do. */
function save(path: string, content: Buffer | string): void {
  writeFileSync(at('saved'), content)
  renameSync(at('saved'), site(path))
}

/** Resolves when the receiver has what the sender has now. */
const inStep = (receiver: ProgramOutput): Promise<void> =>
  until(receiver, () => JSON.stringify(hashTree(copy())) === JSON.stringify(hashTree(site())))

it('receives files that are new or changed, and sends nothing twice', async () => {
  const { receiver } = await following()
  save('index.html', 'two')
  mkdirSync(site('pages/deep'))
  save('pages/deep/new.html', 'new')
  await inStep(receiver)
  appendFileSync(site('pages/about.html'), ' us')
  await inStep(receiver)
  const last = await receiver.lineWhere('in-step', ({ files }) => files === 3)
  expect(last).toMatchObject({ problems: 0 })
  expect(Number(last['transferred'])).toBeLessThan(1000)
})

it('sends the changed blocks of a large file', { tags: ['full'] }, async () => {
  const { receiver } = await following()
  const large = bytesOf('disk', 12 << 20)
  save('disk.img', large)
  await inStep(receiver)
  large.write('changed', 5 << 20)
  save('disk.img', large)
  await inStep(receiver)
  const last = await receiver.lineWhere('in-step', ({ reusedBytes }) => Number(reusedBytes) > 0)
  expect(Number(last['reusedBytes'])).toBeGreaterThan(11 << 20)
  expect(Number(last['transferred'])).toBeLessThan(1 << 20)
})

it('continues with newer versions after kills', { tags: ['full'] }, async () => {
  writeTree(site(), { 'index.html': 'one' })
  const code = await codeOf(watch(site(), '--limit-up', '10MiB'))
  const receiver = follow(code)
  await receiver.line('in-step')
  const large = bytesOf('disk', 24 << 20)
  save('disk.img', large)
  await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 3 << 20)
  await receiver.stop('SIGKILL')
  large.write('changed', 1 << 20)
  save('disk.img', large)
  const second = follow(code)
  // It may have everything without reporting this.
  const progress = second.lineWhere('progress', ({ bytes }) => Number(bytes) > 9 << 20)
  await Promise.race([progress, second.line('in-step')])
  await second.stop('SIGKILL')
  large.write('changed, too', 5 << 20)
  save('disk.img', large)
  await inStep(follow(code))
})

it('keeps what the sender deletes', async () => {
  const { receiver } = await following()
  unlinkSync(site('pages/about.html'))
  save('index.html', 'two')
  await until(receiver, () => readFileSync(copy('index.html'), 'utf8') === 'two')
  expect(readFileSync(copy('pages/about.html'), 'utf8')).toBe('about')
})

it('continues after kills of the sender, however early', { tags: ['full'] }, async () => {
  const { sender, receiver } = await following()
  await sender.stop('SIGKILL')
  for (const content of ['changed meanwhile', 'and again']) {
    save('index.html', content)
    const again = resumeShare()
    await inStep(receiver)
    await again.stop('SIGKILL')
  }
})

it('continues after a kill of the sender as soon as the receiver has accepted', async () => {
  writeTree(site(), { 'index.html': 'one' })
  const sender = watch()
  const receiver = follow(await codeOf(sender))
  await receiver.line('accepted')
  await sender.stop('SIGKILL')
  save('index.html', 'changed meanwhile')
  resumeShare()
  await inStep(receiver)
})

it('continues after a restart of the receiver', async () => {
  const { receiver } = await following()
  // Ends in order, so that its entry is in the file.
  await receiver.stop('SIGINT')
  save('index.html', 'changed meanwhile')
  const again = resumeReceive()
  await again.line('in-step')
  await inStep(again)
  save('index.html', 'changed later')
  await inStep(again)
})

it('keeps everything when the shared folder is gone', async () => {
  const { sender, receiver } = await following()
  renameSync(site(), at('elsewhere'))
  await sender.line('problem')
  renameSync(at('elsewhere'), site())
  save('index.html', 'back')
  await inStep(receiver)
})

it('fails if a later change finds no folder, and can be resumed', async () => {
  const { receiver } = await following()
  renameSync(at('copy'), at('elsewhere'))
  writeFileSync(at('copy'), 'in the way')
  save('index.html', 'two')
  const { exitCode, stdout } = await receiver.ended
  expect({ exitCode, ...linesOf(stdout).at(-1) }).toMatchObject({
    exitCode: 7,
    type: 'error',
    code: 'E_TARGET_NOT_WRITABLE',
  })
  unlinkSync(at('copy'))
  renameSync(at('elsewhere'), at('copy'))
  await inStep(resumeReceive())
})

it('keeps everything, and reads no other files, when the shared folder becomes a link', async () => {
  const { sender, receiver } = await following()
  writeTree(at('other'), { 'index.html': 'secret', 'secret.html': 'secret' })
  renameSync(site(), at('elsewhere'))
  symlinkSync(at('other'), site())
  await sender.lineWhere('problem', ({ code }) => code === 'E_SOURCE_CHANGED')
  unlinkSync(site())
  renameSync(at('elsewhere'), site())
  save('index.html', 'back')
  await inStep(receiver)
  expect(existsSync(copy('secret.html'))).toBe(false)
})

it('ends with a note if the sender does not watch its share', async () => {
  writeTree(at('site'), { 'index.html': 'one' })
  const sender = thru(['host', site(), '--json'], account('sender'))
  const { exitCode, stderr } = await follow(await codeOf(sender)).ended
  expect(exitCode).toBe(0)
  expect(stderr).toContain('does not watch')
  expect(hashTree(copy())).toEqual(hashTree(site()))
})

it('is complete when the sender stops', async () => {
  const { sender, receiver } = await following()
  await sender.stop('SIGINT')
  const { exitCode, stderr } = await receiver.ended
  expect(exitCode).toBe(0)
  expect(stderr).not.toContain('does not watch')
  expect(hashTree(copy())).toEqual(hashTree(site()))
})
