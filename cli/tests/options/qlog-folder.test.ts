import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { whyNoLogFolder } from '../../options/qlog-folder'

describe('the folder of --set advanced.qlogFolder', () => {
  const at = temporaryFolder()

  it('is made when it is missing, for this account only', () => {
    const path = at('new', 'logs')
    expect(whyNoLogFolder(path)).toBeNull()
    expect(lstatSync(path).mode & 0o777).toBe(0o700)
    expect(whyNoLogFolder(path)).toBeNull()
  })

  it("can't be a link or a file", () => {
    mkdirSync(at('real'))
    for (const [name, target] of [
      ['link', 'real'],
      ['dangling', 'nowhere'],
    ] as const) {
      symlinkSync(at(target), at(name))
      expect(whyNoLogFolder(at(name)), name).not.toBeNull()
    }
    writeFileSync(at('file'), '')
    expect(whyNoLogFolder(at('file'))).toBe('EEXIST')
    expect(whyNoLogFolder(at('file', 'below'))).toBe('ENOTDIR')
  })
})
