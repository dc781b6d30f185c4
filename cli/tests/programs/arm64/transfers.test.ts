/** Transfers between `thru` for Linux on ARM64, unpacked from its archive and run by QEMU, and this machine's own. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { folderOfFile } from '#client/testing/temporary-folder'
import { qemu } from '../../../../scripts/deps/qemu.mjs'
import { targetNamed } from '../../../../scripts/deps/targets.mjs'
import { checkFolder } from '../../../../scripts/package/linkage.mjs'
import { thruArchive } from '../../../../scripts/package/thru.mjs'
import { linesOf } from '../program-output'
import { codeOf, programRig } from '../program-rig'
import type { Thru } from '../thru'
import { bytesOf, hashTree, writeTree } from '../tree'

const target = 'linux-arm64'
const archive = thruArchive(target)
const { program: emulator, libraries } = qemu(targetNamed(target))
const unpacked = folderOfFile()
const home = join(unpacked, basename(archive, '.tar.xz'), 'lib/thruflux')
const node = [emulator, '-L', libraries, join(home, 'node')]

const { at, start, thru } = programRig('arm64')
const program = [...node, join(home, 'out/cli/thru.cjs')]
const thruOnArm64 = (...args: readonly string[]): Thru => thru([...args, '--json'], { program })
const thruHere = (...args: readonly string[]): Thru => thru([...args, '--json'])

const tree = {
  'album/cover.jpg': bytesOf('cover', 300_000),
  'album/2024/summer/beach 🏖.raw': bytesOf('beach', 20_000_000),
  'album/2024/Übersicht.txt': 'Sommer',
  'album/nothing inside': null,
  'album/empty.txt': '',
}

beforeAll(() => {
  if (!existsSync(archive))
    throw new Error(`There is no ${archive}: "npm run test:arm64" makes it.`)
  execFileSync('tar', ['-xJf', archive, '-C', unpacked])
})

describe('thru for ARM64', () => {
  it('is built for that processor, and needs only an old C library', () => {
    const { checked, trouble } = checkFolder(join(home, '..', '..'))
    expect(trouble).toEqual([])
    expect(checked).toBeGreaterThanOrEqual(6)
    const arch = execFileSync(node[0] ?? '', [...node.slice(1), '-p', 'process.arch'])
    expect(arch.toString().trim()).toBe('arm64')
  })

  it('loads the engine, and sees the network of this computer', async () => {
    const { stdout } = await start(['doctor'], { program }).ended
    expect(stdout).toMatch(/^ok {3}The engine/)
    expect(stdout).toContain('This computer has IPv4')
  })

  it.each([
    ['to this machine', thruOnArm64, thruHere],
    ['from this machine', thruHere, thruOnArm64],
    ['to its like', thruOnArm64, thruOnArm64],
  ])('sends %s files and folders with every name and byte', async (_, from, to) => {
    writeTree(at('src'), tree)
    const sender = from('host', at('src'))
    const receiver = to('join', await codeOf(sender), '--out', at('dst'), '--yes')
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(0)
    expect(linesOf(stdout).find(({ type }) => type === 'done')).toMatchObject({ problems: 0 })
    expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
    expect((await sender.stop()).exitCode).toBe(0)
  })
})
