import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import type * as Files from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StateFile, type StateFormat } from '#client/state/state-file'
import { temporaryFolder } from '#client/testing/temporary-folder'
import type { StorageError } from '#shared/state/storage-error'

/** The next `stepsLeft` steps of a save succeed; all later ones fail with `code`. */
const disk = vi.hoisted(() => ({ stepsLeft: Infinity, code: '' }))

vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>()
  const step =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      disk.stepsLeft -= 1
      if (disk.stepsLeft < 0) throw Object.assign(new Error(disk.code), { code: disk.code })
      return run(...args)
    }
  const open = async (...args: Parameters<typeof files.open>) => {
    const handle = await files.open(...args)
    const writeFile = step(handle.writeFile.bind(handle))
    const sync = step(handle.sync.bind(handle))
    return Object.assign(handle, { writeFile, sync })
  }
  const { rename, rm } = files
  return { ...files, open: step(open), rename: step(rename), rm: step(rm) }
})

const isPosix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0

/** A list of numbers, of which only integers are valid; version 1 had a single number. */
const numbers: StateFormat<readonly number[]> = {
  name: 'numbers.json',
  version: 2,
  maxBytes: 1000,
  empty: [],
  decode: (content, version) => {
    const list: unknown = version === 1 ? [content['number']] : content['numbers']
    if (!Array.isArray(list)) return { value: [], isComplete: false }
    const value = list.filter((one): one is number => Number.isInteger(one))
    return { value, isComplete: value.length === list.length }
  },
  encode: (value) => ({ numbers: value }),
}

const at = temporaryFolder()
let folder: string
let path: string
let errors: StorageError['kind'][]
beforeEach(() => {
  folder = at('state')
  path = at('state', 'numbers.json')
  errors = []
})
afterEach(() => {
  disk.stepsLeft = Infinity
})

const stateFile = (directory = folder) =>
  new StateFile({
    directory,
    format: numbers,
    onError: ({ kind }) => errors.push(kind),
  })

const add = (number: number) => (list: readonly number[]) => [...list, number]

/** Writes `text` to the file, like an earlier program or a person. */
function place(text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path, text, { mode: 0o600 })
}

const badOnes = () => readdirSync(folder).filter((name) => name.includes('.bad-'))

describe('a state file', () => {
  it('returns its content, for this account only', async () => {
    expect(stateFile().read()).toEqual([])
    expect(await stateFile().change(add(1))).toBe(true)
    expect(await stateFile().change(add(2))).toBe(true)
    expect(stateFile().read()).toEqual([1, 2])
    expect(readdirSync(folder)).toEqual(['numbers.json'])
    expect(errors).toEqual([])
    if (!isPosix) return
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('of an older version is migrated', async () => {
    place('{"version":1,"number":7}')
    expect(stateFile().read()).toEqual([7])
    await stateFile().change(add(8))
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: 2, numbers: [7, 8] })
    expect(errors).toEqual([])
  })
})

describe('CFG-01 an invalid file', () => {
  const whole = '{"version":2,"numbers":[1]}'
  it.each([
    ...Array.from({ length: whole.length }, (_, length) => whole.slice(0, length)),
    'null',
    '[]',
    '{"numbers":[1]}',
    '{"version":"2","numbers":[1]}',
    '{"version":2,"numbers":{}}',
    '['.repeat(900),
  ])('such as %j is moved aside and reported, and begun anew', async (text) => {
    place(text)
    const file = stateFile()
    expect(file.read()).toEqual([])
    expect(await file.change(add(5))).toBe(true)
    expect(file.read()).toEqual([5])
    expect(badOnes().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([text])
    expect(errors).toEqual(['damaged'])
  })

  it('is recognized by invalid UTF-8', () => {
    place('')
    writeFileSync(
      path,
      Buffer.concat([
        Buffer.from('{"version":2,"numbers":[],"n":"'),
        Buffer.of(0xff),
        Buffer.from('"}'),
      ]),
    )
    expect(stateFile().read()).toEqual([])
    expect(errors).toEqual(['damaged'])
  })

  it('is not read at 100 MiB', async () => {
    place('')
    truncateSync(path, 100 * 1024 * 1024)
    const file = stateFile()
    expect(file.read()).toEqual([])
    expect(await file.change(add(1))).toBe(true)
    expect(badOnes()).toHaveLength(1)
  })

  it('is moved aside even if it is a folder', async () => {
    mkdirSync(path, { recursive: true })
    const file = stateFile()
    expect(file.read()).toEqual([])
    expect(await file.change(add(1))).toBe(true)
    expect(file.read()).toEqual([1])
    expect(statSync(join(folder, badOnes()[0] ?? '')).isDirectory()).toBe(true)
  })
})

it('CFG-02 a file of a newer version is neither used nor changed', async () => {
  const text = '{"version":3,"numbers":[1]}'
  place(text)
  const file = stateFile()
  expect(file.read()).toEqual([])
  expect(await file.change(add(2))).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(errors).toEqual(['newer'])
})

describe('CFG-03 a file', () => {
  it('with an invalid part keeps the rest, and a copy of all of it', async () => {
    const text = '{"version":2,"numbers":[1,"two",3]}'
    place(text)
    const file = stateFile()
    expect(file.read()).toEqual([1, 3])
    await file.change(add(4))
    expect(file.read()).toEqual([1, 3, 4])
    expect(badOnes().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([text])
  })

  it('with unknown keys keeps them', async () => {
    place('{"version":2,"numbers":[],"colour":"red"}')
    await stateFile().change(add(1))
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ colour: 'red', numbers: [1] })
  })
})

describe('CFG-04 a failed write', () => {
  it.runIf(isPosix && !isRoot)('to a read-only folder is reported', async () => {
    place('{"version":2,"numbers":[1]}')
    chmodSync(folder, 0o500)
    expect(await stateFile().change(add(2))).toBe(false)
    chmodSync(folder, 0o700)
    expect(stateFile().read()).toEqual([1])
    expect(errors).toEqual(['inaccessible'])
  })

  it('to a file in place of the folder is reported', async () => {
    writeFileSync(folder, 'a file')
    const file = stateFile()
    expect(file.read()).toEqual([])
    expect(await file.change(add(1))).toBe(false)
    expect(errors).toEqual(['inaccessible'])
  })

  it('to a full disk keeps the old file, and the next save works', async () => {
    const file = stateFile()
    await file.change(add(1))
    // The temporary file can be created, but not written to.
    Object.assign(disk, { stepsLeft: 2, code: 'ENOSPC' })
    expect(await file.change(add(2))).toBe(false)
    disk.stepsLeft = Infinity
    expect(file.read()).toEqual([1])
    expect(errors).toEqual(['inaccessible'])
    releaseLock()
    expect(await file.change(add(3))).toBe(true)
    expect(readdirSync(folder)).toEqual(['numbers.json'])
  })
})

/** An ended program could not release its lock; its process id is free now. */
function releaseLock(): void {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  if (existsSync(`${path}.lock`)) {
    writeFileSync(`${path}.lock`, JSON.stringify({ pid, host: hostname() }))
  }
}

describe('CFG-05 a program that ends in the middle of a save', () => {
  it.each(Array.from({ length: 9 }, (_, steps) => steps))(
    'after %i steps leaves the old file or the new one',
    async (steps) => {
      const file = stateFile()
      await file.change(add(1))
      Object.assign(disk, { stepsLeft: steps, code: 'EIO' })
      const done = await file.change(add(2))
      disk.stepsLeft = Infinity
      expect([[1], [1, 2]]).toContainEqual(file.read())
      if (done) expect(file.read()).toEqual([1, 2])
      releaseLock()
      expect(await stateFile().change(add(3))).toBe(true)
      expect(file.read().at(-1)).toBe(3)
      expect(readdirSync(folder)).toEqual(['numbers.json'])
    },
  )
})

describe('CFG-06 programs that share a file', () => {
  it('lose no change of one another', async () => {
    const files = [stateFile(), stateFile(), stateFile()]
    const changes = files.flatMap((file, index) =>
      Array.from({ length: 10 }, (_, round) => file.change(add(3 * round + index))),
    )
    expect(await Promise.all(changes)).not.toContain(false)
    expect([...stateFile().read()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, number) => number),
    )
  })

  it('are not blocked by one that ended while holding the lock', async () => {
    place('{"version":2,"numbers":[]}')
    writeFileSync(`${path}.lock`, '')
    releaseLock()
    expect(await stateFile().change(add(1))).toBe(true)
    expect(readdirSync(folder)).toEqual(['numbers.json'])
  })
})

describe.runIf(isPosix)('CFG-07 a file', () => {
  it('that others could read is closed to them', () => {
    place('{"version":2,"numbers":[1]}')
    chmodSync(folder, 0o755)
    chmodSync(path, 0o644)
    expect(stateFile().read()).toEqual([1])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('that is a link is refused', async () => {
    mkdirSync(folder, { recursive: true })
    const target = at('elsewhere.json')
    writeFileSync(target, '{"version":2,"numbers":[1]}')
    symlinkSync(target, path)
    const file = stateFile()
    expect(file.read()).toEqual([])
    expect(await file.change(add(2))).toBe(false)
    expect(readFileSync(target, 'utf8')).toBe('{"version":2,"numbers":[1]}')
    expect(errors).toEqual(['unsafe'])
  })

  it('in a folder behind a link is used if that folder is our own', async () => {
    mkdirSync(folder, { recursive: true })
    const link = at('link')
    symlinkSync(folder, link)
    chmodSync(folder, 0o755)
    expect(await stateFile(link).change(add(1))).toBe(true)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('in a folder for all accounts is refused, and the folder left as it is', async () => {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o1777)
    expect(await stateFile().change(add(1))).toBe(false)
    expect(statSync(folder).mode & 0o7777).toBe(0o1777)
    expect(errors).toEqual(['unsafe'])
  })

  it.runIf(isRoot)('in a folder of another account is refused', async () => {
    place('{"version":2,"numbers":[1]}')
    chownSync(folder, 65534, 65534)
    const file = stateFile()
    expect(file.read()).toEqual([])
    expect(await file.change(add(1))).toBe(false)
    expect(errors).toEqual(['unsafe'])
  })
})

it('is flushed only once changes made in the meantime are on disk, too', async () => {
  const state = stateFile()
  const first = state.change(add(1))
  void first.then(() => state.change(add(2)))
  await state.flushed()
  expect(stateFile().read()).toEqual([1, 2])
})
