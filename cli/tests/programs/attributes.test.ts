/** Extended attributes of files and folders. GNU tar sets and shows them, because Node has no call for it. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ProgramOutput } from './program-output'
import { codeOf, programRig } from './program-rig'
import { bytesOf, writeTree } from './tree'

const { at, thru } = programRig('attributes')

/** The output; it reports a file that another program replaces meanwhile, but reads it. */
function tar(folder: string, ...args: readonly string[]): Buffer {
  const options = ['--format=posix', '--xattrs', '--xattrs-include=user.*', '-C', folder]
  return spawnSync('tar', [...options, ...args], { maxBuffer: 100_000_000 }).stdout
}

/** Replaces a file by its copy with this attribute, or sets a folder's. */
function setAttribute(path: string, name: string, value: string): void {
  const option = `--pax-option=SCHILY.xattr.${name}:=${value}`
  tar(at(), option, '--no-recursion', '-cf', at('copy.tar'), path)
  tar(at(), '-xf', at('copy.tar'))
}

/** Without the record of the file's sender. */
function attributesOf(...path: readonly string[]): Readonly<Record<string, string>> {
  const options = ['--xattrs-exclude=user.thruflux.*', '--no-recursion']
  const archive = tar(at(), ...options, '-cf', '-', join(...path)).toString('latin1')
  const records = archive.matchAll(/\d+ SCHILY\.xattr\.([^=]+)=([^\n]*)\n/gu)
  return Object.fromEntries(
    Array.from(records, ([, name = '', value = '']): [string, string] => [name, value]),
  )
}

const mark = 'user.xdg.origin.url'

/** A small and a large file, and a folder with tags. False if the file system has no extended attributes. */
function writeSource(): boolean {
  writeTree(at('src'), {
    small: 'content',
    large: bytesOf('large', 9_000_000),
    'sub/inside': '1',
  })
  setAttribute('src/small', 'user.com.apple.metadata:_kMDItemUserTags', 'red')
  setAttribute('src/large', 'user.note', 'large')
  setAttribute('src/sub', 'user.com.apple.metadata:_kMDItemUserTags', 'blue')
  return 'user.note' in attributesOf('src', 'large')
}

const account = (name: string) => ({ env: { XDG_STATE_HOME: at(name) } })

/** Resolves when `isThere` after a change. */
async function until(receiver: ProgramOutput, isThere: () => boolean): Promise<void> {
  for (let count = 1; !isThere(); count += 1) await receiver.lines('in-step', count)
}

describe.runIf(process.platform === 'linux')('extended attributes', () => {
  it('are kept if both sides want that', async ({ skip }) => {
    if (!writeSource()) skip('this file system has no extended attributes')
    const code = await codeOf(thru(['host', at('src'), '--attributes', '--json']))
    const kept = thru(['join', code, '--out', at('kept'), '--attributes', '--yes', '--json'])
    expect(await kept.line('done')).toMatchObject({ files: 3, problems: 0 })
    expect((await kept.ended).exitCode).toBe(0)
    expect(attributesOf('kept', 'src', 'small')).toEqual({
      'user.com.apple.metadata:_kMDItemUserTags': 'red',
      [mark]: expect.stringContaining('thruflux:received') as string,
    })
    expect(attributesOf('kept', 'src', 'large')).toMatchObject({ 'user.note': 'large' })
    expect(attributesOf('kept', 'src', 'sub')).toEqual({
      'user.com.apple.metadata:_kMDItemUserTags': 'blue',
    })

    const without = thru(['join', code, '--out', at('without'), '--yes', '--json'])
    expect((await without.ended).exitCode).toBe(0)
    expect(Object.keys(attributesOf('without', 'src', 'small'))).toEqual([mark])
    expect(attributesOf('without', 'src', 'sub')).toEqual({})
  })

  it('are not offered unless the sender wants that', { tags: ['full'] }, async ({ skip }) => {
    if (!writeSource()) skip('this file system has no extended attributes')
    const code = await codeOf(thru(['host', at('src'), '--json']))
    const receiver = thru(['join', code, '--out', at('dst'), '--attributes', '--yes', '--json'])
    expect((await receiver.ended).exitCode).toBe(0)
    expect(Object.keys(attributesOf('dst', 'src', 'small'))).toEqual([mark])
  })

  it('are followed if they alone have changed', async ({ skip }) => {
    if (!writeSource()) skip('this file system has no extended attributes')
    const host = ['host', at('src'), '--watch', '--attributes', '--json']
    const code = await codeOf(thru(host, account('sender')))
    const options = ['--follow', '--attributes', '--yes', '--json']
    const receiver = thru(['join', code, '--out', at('dst'), ...options], account('receiver'))
    await receiver.line('in-step')
    setAttribute('src/small', 'user.note', 'new')
    await until(receiver, () => attributesOf('dst', 'src', 'small')['user.note'] === 'new')
    setAttribute('src/sub', 'user.note', 'folder')
    await until(receiver, () => attributesOf('dst', 'src', 'sub')['user.note'] === 'folder')
  })
})
