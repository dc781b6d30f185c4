import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { withImpliedCommand } from '../../options/implied-command'

let folder = ''
beforeEach(() => void (folder = folderOfTest()))

const names = ['host', 'join', 'help']
const of = (args: readonly string[], isPiped = false) =>
  withImpliedCommand(args, names, () => isPiped)

describe('a command line without a command', () => {
  it('offers an existing path', () => {
    const file = join(folder, 'notes.txt')
    writeFileSync(file, '')
    expect(of([file, '--once'])).toEqual(['host', file, '--once'])
    expect(of([folder])).toEqual(['host', folder])
  })

  it.each(['4821-apple-kayak-onion', 'thruflux:join?v=1&c=4821-apple-kayak-onion'])(
    'receives with the code in %s',
    (code) => {
      expect(of([code, './in'])).toEqual(['join', code, './in'])
    },
  )

  it('offers piped input only without any argument', () => {
    expect(of([], true)).toEqual(['host'])
    expect(of([], false)).toEqual([])
  })

  it.each([['host'], ['help'], ['--version'], ['-'], ['hots'], ['4821-apple-kayak'], ['']])(
    'leaves %j as it is',
    (...args) => {
      expect(of(args, true)).toEqual(args)
    },
  )
})
