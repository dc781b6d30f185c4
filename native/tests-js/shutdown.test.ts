/**
 * Programs may end at any moment of a transfer: by closing the engine, by ending the environment
 * (worker), or by exiting. They must not crash or hang. Each case runs two busy engines in a new
 * process.
 */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { folderOfFile } from '#client/testing/temporary-folder'
import { addonFile } from './addon.js'

const program = resolve(import.meta.dirname, 'transfer-program.cjs')
const folder = folderOfFile()

beforeAll(() => {
  writeFileSync(join(folder, 'big.bin'), Buffer.alloc(300_000_000, 7))
})

type Ending = 'close' | 'exit' | 'worker'
type Stage = 'scan' | 'pairing' | 'ice' | 'handshake' | 'offer' | 'transfer'

const end = (ending: Ending, stage: Stage) =>
  new Promise<{ code: number | null; signal: string | null; output: string }>((done) => {
    const target = join(folder, `${ending}-${stage}`)
    const child = spawn(process.execPath, [program, addonFile, folder, target, ending, stage])
    let output = ''
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (output += data.toString()))
    child.on('close', (code, signal) => {
      rmSync(target, { recursive: true, force: true })
      done({ code, signal, output })
    })
  })

describe.each(['close', 'exit', 'worker'] as const)('ending by %s', (ending) => {
  it.each(['scan', 'pairing', 'ice', 'handshake', 'offer', 'transfer'] as const)(
    'is clean during %s',
    async (stage) => {
      const result = await end(ending, stage)
      expect(result).toEqual({ code: 0, signal: null, output: `ended at ${stage}\n` })
    },
  )
})
