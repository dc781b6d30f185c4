#!/usr/bin/env node
// icons.mjs: renders the drawings of resources/icons into out/icons, in every size that a system requires:
// SIZExSIZE.png and icon.svg for Linux, icon.ico for Windows, icon.icns for macOS.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { iconSizes } from '../../build/install-places.mjs'
import { root } from '../lib/cache.mjs'
import { isMain, runMain } from '../lib/failure.mjs'

/** The folder where packages find the icons. */
export const iconFolder = join(root, 'out', 'icons')

/** The icon theme's sizes, and one for displays of double density. */
export const linuxSizes = [...iconSizes, 1024]

/** Sizes that Windows shows at 100 to 400 % scaling in lists, taskbar and desktop. */
export const windowsSizes = [16, 20, 24, 30, 32, 36, 40, 48, 60, 64, 72, 80, 96, 128, 256]

/** Icon types of an icns file by size in pixels, as iconutil writes them. */
const appleTypes = {
  16: ['ic04'],
  32: ['ic11', 'ic05'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic13', 'ic08'],
  512: ['ic14', 'ic09'],
  1024: ['ic10'],
}

/** The largest size in pixels that uses the drawing with bolder lines, because fine ones would fade. */
const smallSize = 40

/** View boxes with each system's margin around the 512-unit drawing: macOS requires a larger one. */
const viewBoxes = { plain: '0 0 512 512', apple: '-21 -21 554 554' }

const drawing = (name) => readFileSync(join(root, 'resources', 'icons', name), 'utf8')

/** The renderer is WebAssembly, so it needs no installation or compiler. */
const loadRenderer = (() => {
  let loading
  return () => (loading ??= load())
  async function load() {
    const { initWasm, Resvg } = await import('@resvg/resvg-wasm')
    const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
    await initWasm(readFileSync(wasm))
    return Resvg
  }
})()

/**
 * Returns the icon as a PNG of `size` pixels; `style` is `plain` or `apple`.
 * @returns {Promise<Buffer>}
 */
export async function renderIcon(size, style = 'plain') {
  const Resvg = await loadRenderer()
  const svg = drawing(size <= smallSize ? 'icon-small.svg' : 'icon.svg')
  const sized = svg.replace(`viewBox="${viewBoxes.plain}"`, `viewBox="${viewBoxes[style]}"`)
  const image = new Resvg(sized, { fitTo: { mode: 'width', value: size } })
  try {
    return Buffer.from(image.render().asPng())
  } finally {
    image.free()
  }
}

/** Encodes `icon.ico`: bitmaps, and PNG from 256 pixels, which every Windows reads. */
async function makeIco() {
  const { IconIco } = await import('@shockpkg/icon-encoder')
  const icon = new IconIco()
  for (const size of windowsSizes.toReversed()) await icon.addFromPng(await renderIcon(size))
  return icon.encode()
}

async function makeIcns() {
  const { IconIcns } = await import('@shockpkg/icon-encoder')
  const icon = new IconIcns()
  icon.toc = true
  for (const [size, types] of Object.entries(appleTypes))
    await icon.addFromPng(await renderIcon(Number(size), 'apple'), types)
  return icon.encode()
}

/** Writes all icons; returns the folder. */
export async function makeIcons(folder = iconFolder) {
  mkdirSync(folder, { recursive: true })
  for (const size of linuxSizes)
    writeFileSync(join(folder, `${size}x${size}.png`), await renderIcon(size))
  copyFileSync(join(root, 'resources', 'icons', 'icon.svg'), join(folder, 'icon.svg'))
  writeFileSync(join(folder, 'icon.ico'), await makeIco())
  writeFileSync(join(folder, 'icon.icns'), await makeIcns())
  return folder
}

if (isMain(import.meta.url)) runMain(async () => console.log(await makeIcons()))
