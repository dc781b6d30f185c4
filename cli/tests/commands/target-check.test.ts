import { describe, expect, it } from 'vitest'
import { describeError } from '#shared/describe-error'
import { checkTarget, type Files } from '../../commands/target-check'

/** A file system with these folders and files, where only some folders are writable. */
const filesOf = (
  folders: readonly string[],
  files: readonly string[],
  writable: string,
  link?: string,
): Files => ({
  isLink: (path) => Promise.resolve(path === link),
  isFolder: (path) => {
    if (folders.includes(path)) return Promise.resolve(true)
    return files.includes(path) ? Promise.resolve(false) : Promise.reject(new Error('ENOENT'))
  },
  checkWritable: (path) =>
    path === writable
      ? Promise.resolve()
      : Promise.reject(Object.assign(new Error('read-only'), { code: 'EROFS' })),
})

describe('the folder of a receive', () => {
  const files = filesOf(['/', '/home', '/mnt'], ['/home/notes.txt'], '/home')

  it('passes if it or the nearest existing folder above it is writable', async () => {
    expect(await checkTarget('/home', files)).toBeNull()
    expect(await checkTarget('/home/new/in', files)).toBeNull()
  })

  it("is named if it isn't writable", async () => {
    expect(await checkTarget('/mnt/in', files)).toEqual({
      ...{ code: 'E_TARGET_NOT_WRITABLE', detail: 'EROFS', subject: '/mnt/in' },
    })
  })

  it("can't be a broken link or below one", async () => {
    const linked = filesOf(['/', '/home'], [], '/home', '/home/drive')
    for (const path of ['/home/drive', '/home/drive/in']) {
      const error = await checkTarget(path, linked)
      expect(error).toMatchObject({ code: 'E_TARGET_NOT_WRITABLE', subject: '/home/drive' })
      expect(error === null ? '' : describeError(error).what).toBe(
        '"/home/drive" is a broken link.',
      )
    }
  })

  it("can't be a file or below one", async () => {
    for (const path of ['/home/notes.txt', '/home/notes.txt/in']) {
      expect(await checkTarget(path, files)).toMatchObject({ subject: '/home/notes.txt' })
    }
  })
})
