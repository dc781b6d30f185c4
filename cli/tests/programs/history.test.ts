/** History entries of real programs, including simultaneous and killed ones. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { type Line, linesOf } from './thru'

const { at, start, thru } = programRig('history')

/** A separate state folder, so that each test has its own history. */
const env = (): Readonly<Record<string, string>> => ({ XDG_STATE_HOME: at('state') })

async function entries(): Promise<readonly Line[]> {
  const { exitCode, stdout } = await start(['history', '--json', '--limit', '1000'], { env: env() })
    .ended
  expect(exitCode).toBe(0)
  return linesOf(stdout)
}

function shared(): string {
  writeFileSync(at('photo.bin'), Buffer.alloc(100_000, 7))
  mkdirSync(at('state'), { mode: 0o700 })
  return at('photo.bin')
}

it('both ends record a transfer unless told not to', async () => {
  const host = thru(['host', shared(), '--json', '--name', 'Mina'], { env: env() })
  const code = await codeOf(host)
  const join = (...more: readonly string[]) =>
    thru(['join', code, at('in'), '--yes', '--json', ...more], { env: env() }).ended
  expect((await join('--name', 'Jonas')).exitCode).toBe(0)
  expect((await join('--set', 'general.keepHistory=no')).exitCode).toBe(0)
  await host.stop()
  const kept = await entries()
  expect(kept.filter(({ direction }) => direction === 'received')).toMatchObject([
    {
      type: 'history',
      person: 'Mina',
      outcome: 'done',
      files: 1,
      bytes: 100_000,
      folder: at('in'),
    },
  ])
  const sent = kept.filter(({ direction }) => direction === 'sent')
  expect(sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ person: 'Jonas', paths: [at('photo.bin')] })
})

it(
  'many programs that end at once lose no entry, even if others are killed',
  { tags: ['full'] },
  async () => {
    const host = thru(['host', shared(), '--json', '--set', 'general.keepHistory=no'], {
      env: env(),
    })
    const code = await codeOf(host)
    const receivers = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      thru(['join', code, at(name), '--yes', '--json'], { env: env() }),
    )
    // Killed around its write, which follows its last output.
    const [killed, ...others] = receivers
    await killed?.line('done')
    await killed?.stop('SIGKILL')
    for (const one of others) expect((await one.ended).exitCode).toBe(0)
    const kept = await entries()
    expect(kept.length).toBeGreaterThanOrEqual(others.length)
    expect(new Set(kept.map(({ transfer }) => transfer)).size).toBe(kept.length)
    await host.stop()
  },
)

it('both ends record existing and selected files', async () => {
  const host = thru(['host', shared(), '--json', '--name', 'Mina'], { env: env() })
  const code = await codeOf(host)
  const join = ['join', code, at('in'), '--yes', '--json', '--name', 'Jonas']
  expect((await thru(join, { env: env() }).ended).exitCode).toBe(0)
  expect((await thru(join, { env: env() }).ended).exitCode).toBe(0)
  await host.stop()
  const figures = { files: 1, identical: 1, uncompared: 1, offeredFiles: 1, unwantedFiles: 0 }
  const kept = await entries()
  for (const side of ['sent', 'received']) {
    const [latest] = kept.filter(({ direction }) => direction === side)
    expect(latest).toMatchObject({ ...figures, rate: 0 })
  }
  const { stdout } = await start(['history'], { env: env() }).ended
  const before = '(same size and time, not compared)'
  expect(stdout).toContain(`to Jonas · nothing new · 1 file was already there ${before}`)
  expect(stdout).toContain(`from Mina · nothing new · 1 file was already here ${before}`)
})
