import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { appError } from '#shared/errors'
import { err, ok } from '#shared/result'
import type { ShareId } from '#shared/state/app-state'
import { addPath, completePath } from '../../commands/add-path'
import { obeyKeys } from '../../commands/pause-keys'
import { Paper } from '../paper'

let folder: string
beforeEach(() => void (folder = folderOfTest()))

/** A person who types this line. */
class Typist extends Paper {
  readonly #line: string | null
  press: (key: string) => void = () => undefined

  constructor(line: string | null) {
    super()
    this.#line = line
  }

  override readLine(): Promise<string | null> {
    return Promise.resolve(this.#line)
  }

  override readKeys(onKey: (key: string) => void): () => void {
    this.press = onKey
    return () => undefined
  }
}

const share = 's1' as ShareId

it.each([
  ['a b', ' '],
  ['photos', '\t'],
])('adds the path of a line, without spaces around it: %s', async (name, around) => {
  const path = join(folder, name)
  writeFileSync(path, '')
  const line = `${around}${path}${around}`
  const asked: unknown[] = []
  const client = {
    addItems: (...given: unknown[]) => {
      asked.push(given)
      return Promise.resolve(ok(null))
    },
  }
  const terminal = new Typist(line)
  await addPath(client, share, terminal)
  expect(asked).toEqual([[share, [{ kind: 'path', path }]]])
  expect(terminal.notes[0]).toContain(`Added ${path}`)
})

it.each([null, '', '  '])('adds nothing for %j', async (line) => {
  const client = { addItems: () => Promise.reject(new Error('asked')) }
  const terminal = new Typist(line)
  await addPath(client, share, terminal)
  expect(terminal.notes).toEqual([])
})

it('prints why a path was not added', async () => {
  const refused = appError('E_LIMIT_EXCEEDED', 'too many items')
  const terminal = new Typist('/nowhere')
  await addPath({ addItems: () => Promise.reject(new Error('asked')) }, share, terminal)
  expect(terminal.notes[0]).toContain("doesn't exist.")
  const full = new Typist(folder)
  await addPath({ addItems: () => Promise.resolve(err(refused)) }, share, full)
  expect(full.notes[0]).toContain('more than Thruflux allows')
})

it('completes names, folders with a slash, and hidden ones only when they were begun', () => {
  mkdirSync(join(folder, 'photos'))
  for (const name of ['phone.txt', '.hidden']) writeFileSync(join(folder, name), '')
  const completed = (typed: string) => completePath(`${folder}/${typed}`)[0].sort()
  expect(completed('pho')).toEqual([`${folder}/phone.txt`, `${folder}/photos/`])
  expect(completed('')).toHaveLength(2)
  expect(completed('.h')).toEqual([`${folder}/.hidden`])
  expect(completePath(`${folder}/nowhere/x`)).toEqual([[], `${folder}/nowhere/x`])
})

it('has a key only if something can be added', () => {
  const actions = {
    ...{ isPaused: () => false, pause: () => undefined, stop: () => undefined },
  }
  let added = 0
  const add = (): Promise<void> => {
    added += 1
    return Promise.resolve()
  }
  const sharing = new Typist(null)
  obeyKeys(sharing, false, { ...actions, add })
  sharing.press('a')
  expect(added).toBe(1)
  expect(sharing.notes[0]).toContain('a adds')
  const other = new Typist(null)
  obeyKeys(other, false, actions)
  other.press('a')
  expect(other.notes[0]).not.toContain('a adds')
})
