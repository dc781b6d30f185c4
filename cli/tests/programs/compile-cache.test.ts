/** The command leaves what was compiled of it to its next start, and starts without it, too. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { Thru } from './thru'

const at = temporaryFolder()

const kept = () => readdirSync(at('cache'), { recursive: true, encoding: 'utf8' })
const file = (): string => at('cache', kept().find((name) => name.endsWith('.compiled')) ?? '')

/** Is given what no code is. */
async function join(within: readonly string[] = []) {
  const env = { XDG_CACHE_HOME: at('cache') }
  const thru = new Thru(['join', 'nonsense', '--yes'], { env, within })
  const { exitCode } = await thru.ended
  return exitCode
}

it.runIf(process.platform === 'linux')(
  'what a start compiled is there for the next ones, and damage to it ends none of them',
  async () => {
    const exitCode = await join()
    const compiled = readFileSync(file())
    expect(compiled.length).toBeGreaterThan(100_000)
    expect(await join()).toBe(exitCode)
    expect(readFileSync(file())).toEqual(compiled)
    writeFileSync(file(), compiled.fill(0, compiled.length / 2))
    expect(await join()).toBe(exitCode)
    expect(readFileSync(file()).subarray(compiled.length / 2)).not.toEqual(
      compiled.subarray(compiled.length / 2),
    )
    expect(kept()).toHaveLength(2)
  },
)

it.runIf(process.platform === 'linux')('a disk that gets full keeps no part of it', async () => {
  // No file may get larger than 32 KiB: the write fails in the middle, as on a full disk.
  const full = ['sh', '-c', 'trap "" XFSZ; ulimit -f 64; exec "$@"', 'sh']
  await join(full)
  expect(kept()).toEqual(['thruflux'])
  await join()
  expect(kept()).toHaveLength(2)
})
