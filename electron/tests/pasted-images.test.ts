import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { appError } from '#shared/errors'
import { err, ok } from '#shared/result'
import type { ShareId } from '#shared/state/app-state'
import { PastedImages } from '../main/pasted-images'

let profile: string
let directory: string

beforeEach(() => {
  profile = folderOfTest()
  directory = join(profile, 'temp')
})

const png = new Uint8Array([1, 2, 3])
const pastedAtMs = new Date(2026, 10, 22, 23, 57, 10).getTime()
const imagesOf = () => new PastedImages(directory, () => pastedAtMs)

async function shared(images: PastedImages, id: string): Promise<string> {
  let made = ''
  await images.share(png, (file) => {
    made = file
    return ok(id as ShareId)
  })
  return made
}

describe('PastedImages', () => {
  it('names a file after its time', async () => {
    const file = await shared(imagesOf(), 's1')
    expect(basename(file)).toBe('Pasted image 2026-11-22 at 23.57.10.png')
    expect(new Uint8Array(readFileSync(file))).toEqual(png)
  })

  it.skipIf(process.platform === 'win32')('keeps it unreadable to other accounts', async () => {
    const file = await shared(imagesOf(), 's1')
    for (const folder of [directory, dirname(file)])
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('removes the image of an ended share, and no other of that second', async () => {
    const images = imagesOf()
    const files = [await shared(images, 's1'), await shared(images, 's2')]
    images.removeOf('s1' as ShareId)
    images.removeOf('s1' as ShareId)
    images.removeOf('s9' as ShareId)
    expect(files.map((file) => existsSync(file))).toEqual([false, true])
    expect(readdirSync(directory)).toHaveLength(1)
  })

  it('leaves no file when it is not shared', async () => {
    const refusal = err(appError('E_LIMIT_EXCEEDED'))
    expect(await imagesOf().share(png, () => refusal)).toEqual(refusal)
    expect(readdirSync(directory)).toEqual([])
  })

  it('reports the error if no file can be written', async () => {
    writeFileSync(directory, 'a file where the folder should be')
    const opened = await imagesOf().share(png, () => ok('s1' as ShareId))
    expect(opened).toMatchObject({ ok: false, error: { code: 'E_TARGET_NOT_WRITABLE' } })
  })

  it('removes the rest of an earlier run, except images of resumed and new shares', async () => {
    const earlier = imagesOf()
    const [lost, resumed] = [await shared(earlier, 's1'), await shared(earlier, 's2')]
    const images = imagesOf()
    const own = await shared(images, 's1')
    images.removeLeft(['/home/sora/a.txt', resumed])
    expect([lost, resumed, own].map((file) => existsSync(file))).toEqual([false, true, true])
  })
})
