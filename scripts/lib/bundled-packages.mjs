// Which npm packages are really in what was built, by the bundlers' own account: their licenses and names go with it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, writeAtomically } from './cache.mjs'
import { Failure } from './failure.mjs'

/** Written by each build: packages, by their places in package-lock.json, for each program and for the page. */
const account = join(root, 'out', 'bundled-packages.json')

/** The place of the package that a module belongs to, or undefined for a module of ours or of the bundler. */
export function packageOf(module) {
  const path = module.replaceAll('\\', '/').replace(/^\0|\?.*$/g, '')
  return /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
}

const packagesOf = (modules) => [...new Set(modules.map(packageOf).filter(Boolean))].sort()

/** The packages of which anything is left in esbuild's `metafile`. */
export function packagesOfProgram(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return packagesOf(
    inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
  )
}

/** The packages of scripts, styles and files of Vite's `output`. */
export function packagesOfPage(output) {
  return packagesOf(
    output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : file.originalFileNames)),
  )
}

/** Writes the account: packages by the program, or folder, below `out` that has them. */
export function writeAccount(packages) {
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))
  writeAtomically(account, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}

/**
 * Returns the npm packages in the last build, sorted by name: `name`, `version`, `license` (SPDX),
 * `folder` (absolute), and `programs`, the names below `out` of what contains it.
 * @returns {{ name: string, version: string, license: string, folder: string, programs: string[] }[]}
 */
export function bundledPackages() {
  if (!existsSync(account)) throw new Failure('Nothing was built yet: npm run build comes first.')
  const byProgram = Object.entries(JSON.parse(readFileSync(account, 'utf8')))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const places = [...new Set(byProgram.flatMap(([, packages]) => packages))].sort()
  return places.map((place) => {
    const folder = join(root, place)
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const locked = lock.packages[place]
    if (locked?.version !== version)
      throw new Failure(`${place} is not what package-lock.json names: run npm ci and build again.`)
    const programs = byProgram
      .filter(([, packages]) => packages.includes(place))
      .map(([key]) => key)
    return { name, version, license, folder, programs }
  })
}
