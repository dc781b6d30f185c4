import { describe, expect, it } from 'vitest'
import { exitCodes } from '../../exit-codes'
import { programRig } from './program-rig'

const { start } = programRig('closed-output')

/** Runs a program as `"$@"` after the reader of its output has ended. */
const withoutReader = (output: string): readonly string[] => [
  'bash',
  '-c',
  `exec 4> >(:); wait $!; "$@" ${output}`,
  '-',
]

describe.skipIf(process.platform === 'win32')('output without a reader', () => {
  it.each(['--help', 'man', 'completion bash', 'config'])(
    'thru %s ends quietly with its usual exit code',
    async (line) => {
      const { exitCode, stderr } = await start(line.split(' '), { within: withoutReader('>&4') })
        .ended
      expect({ exitCode, stderr }).toEqual({ exitCode: exitCodes.complete, stderr: '' })
    },
  )

  it('a wrong command still has its exit code', async () => {
    const { exitCode } = await start(['host', '--no-such'], { within: withoutReader('2>&4') }).ended
    expect(exitCode).toBe(exitCodes.usage)
  })
})
