// Records which npm packages the bundlers really included, for their licenses and names.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, writeAtomically } from './cache.mjs'
import { Failure } from './failure.mjs'

/** Written by each build: the packages of each program and of the page, by their paths in package-lock.json. */
const account = join(root, 'out', 'bundled-packages.json')

/** The path of a module's package; undefined for modules of ours or of the bundler. */
export function packageOf(module) {
  const path = module.replaceAll('\\', '/').replace(/^\0|\?.*$/g, '')
  return /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
}

const packagesOf = (modules) => [...new Set(modules.map(packageOf).filter(Boolean))].sort()

/** The packages of scripts, styles and files in Vite's `output`. */
export function packagesOfOutput(output) {
  return packagesOf(
    output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : file.originalFileNames)),
  )
}

/** Writes the packages by program or folder below `out`. */
export function writeAccount(packages) {
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))
  writeAtomically(account, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}

/** Adds to the packages of the last build, if there was one. */
export function addToAccount(packages) {
  if (existsSync(account))
    writeAccount({ ...JSON.parse(readFileSync(account, 'utf8')), ...packages })
}

/**
 * Returns the npm packages in the last build, sorted by name: `name`, `version`, `license` (SPDX), `folder` (absolute),
 * and `programs`, the names below `out` of programs that contain it.
 * @returns {{ name: string, version: string, license: string, folder: string, programs: string[] }[]}
 */
export function bundledPackages() {
  if (!existsSync(account)) throw new Failure('Nothing is built yet. Run npm run build first.')
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
      throw new Failure(`${place} differs from package-lock.json. Run npm ci and build again.`)
    const programs = byProgram
      .filter(([, packages]) => packages.includes(place))
      .map(([key]) => key)
    return { name, version, license, folder, programs }
  })
}
