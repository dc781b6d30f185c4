import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { folderOfFile } from '#client/testing/temporary-folder'
import { linuxSizes, makeIcons, renderIcon, windowsSizes } from '../package/icons.mjs'

const folder = folderOfFile()
beforeAll(async () => {
  await makeIcons(folder)
}, 60_000)

const read = (name: string) => readFileSync(join(folder, name))
const pngWidth = (png: Buffer) => png.readUInt32BE(16)

describe('the icons of packages', () => {
  it('are files of every size of the icon theme, with its drawing', () => {
    const names = linuxSizes.map((size) => `${size}x${size}.png`)
    expect(readdirSync(folder).sort()).toEqual(
      [...names, 'icon.icns', 'icon.ico', 'icon.svg'].sort(),
    )
    for (const size of linuxSizes) expect(pngWidth(read(`${size}x${size}.png`))).toBe(size)
  })

  it('are all sizes of Windows in one file, of 32 bits a pixel', () => {
    const ico = read('icon.ico')
    const entries = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => 6 + 16 * index)
    const sizes = entries.map((entry) => ico.readUInt8(entry) || 256)
    expect(sizes.sort((a, b) => a - b)).toEqual(windowsSizes)
    expect(entries.map((entry) => ico.readUInt16LE(entry + 6))).toEqual(windowsSizes.map(() => 32))
  })

  it('are all types of macOS in one file', () => {
    const icns = read('icon.icns')
    const types: string[] = []
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4))
      types.push(icns.toString('latin1', at, at + 4))
    expect(types.filter((type) => type !== 'TOC ').sort()).toEqual(
      ['ic04', 'ic05', 'ic07', 'ic08', 'ic09', 'ic10', 'ic11', 'ic12', 'ic13', 'ic14'].sort(),
    )
    expect(icns.readUInt32BE(4)).toBe(icns.length)
  })

  it('leave more room around the drawing on macOS', async () => {
    const [plain, apple] = [await renderIcon(128), await renderIcon(128, 'apple')]
    expect([pngWidth(apple), apple.equals(plain)]).toEqual([128, false])
  })
})
