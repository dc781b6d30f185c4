/** The command keeps its compiled code for its next start, and also starts without it. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { Thru } from './thru'

const { at, thru } = programRig('compiled')

const kept = () => readdirSync(at('cache'), { recursive: true, encoding: 'utf8' })
const file = (): string => at('cache', kept().find((name) => name.endsWith('.compiled')) ?? '')

/** Runs a join with an invalid code. */
async function join(within: readonly string[] = []): Promise<void> {
  const env = { XDG_CACHE_HOME: at('cache') }
  await new Thru(['join', 'nonsense', '--yes'], { env, within }).ended
}

it.runIf(process.platform === 'linux')(
  'the next receive uses the compiled code of the first one',
  async () => {
    const env = { XDG_CACHE_HOME: at('cache'), XDG_STATE_HOME: at('state') }
    writeFileSync(at('photo.bin'), Buffer.alloc(1000, 7))
    const host = thru(['host', at('photo.bin'), '--json', '--set', 'general.keepHistory=no'])
    const code = await codeOf(host)
    const receive = async (): Promise<number> => {
      const { exitCode } = await thru(['join', code, at('in'), '--yes'], { env }).ended
      expect(exitCode).toBe(0)
      return statSync(file()).ino
    }
    const left = await receive()
    expect(readdirSync(at('state', 'thruflux'))).toContain('history.db')
    // A program that rejected the file would have replaced it.
    expect(await receive()).toBe(left)
    await host.stop()
  },
)

it.runIf(process.platform === 'linux')('a full disk keeps no partial file', async () => {
  // A limit of 32 KiB per file makes the write fail in the middle, as on a full disk.
  const full = ['sh', '-c', 'trap "" XFSZ; ulimit -f 64; exec "$@"', 'sh']
  await join(full)
  expect(kept()).toEqual(['thruflux'])
  await join()
  expect(kept()).toHaveLength(2)
})
