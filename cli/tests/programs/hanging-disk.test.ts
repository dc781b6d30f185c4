/** The end of a program whose disk hangs. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { writeTree } from './tree'

const { at, thru } = programRig('hanging-disk')

it.runIf(process.platform === 'linux')(
  'a second Ctrl-C ends a receive whose disk hangs',
  async () => {
    const disk = at('hanging-disk.so')
    const source = fileURLToPath(new URL('hanging-disk.c', import.meta.url))
    execFileSync('cc', ['-shared', '-fPIC', '-o', disk, source])
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const sender = thru(['host', at('src', 'notes.txt'), '--json'])
    const code = await codeOf(sender)
    const receiver = thru(['join', code, '--out', at('dst'), '--yes', '--json', '-v'], {
      env: { LD_PRELOAD: disk },
    })
    await receiver.line('disk hangs')
    void receiver.stop()
    // It has left the transfer and waits for the disk.
    await receiver.line('timing')
    expect(await receiver.stop()).toMatchObject({ exitCode: 130 })
    await sender.stop()
  },
)
