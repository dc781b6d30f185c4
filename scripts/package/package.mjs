#!/usr/bin/env node
// package.mjs [--linux|--win|--mac FORMAT…] [--arch x64] [--substitute-runtime] [--package-version V] [--no-build]
// [--quick] [--output DIR] [--resources DIR]: makes packages of the app in out/packages/, after installing the tools.
// The defaults are this system and all its formats. A release requires the pinned Electron; --substitute-runtime packs
// any other and marks the packages' names. --quick packages are larger, for tests. Files in --resources replace those
// in resources/: the servers and the address of updates.
//   package.mjs --thru [TARGET…]: `thru` alone (thru.mjs).
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bootstrap } from '../bootstrap.mjs'
import { buildAll } from '../build.mjs'
import { root } from '../lib/cache.mjs'
import { Failure, isMain, runMain, step } from '../lib/failure.mjs'
import { targetBuild } from '../target-build.mjs'
import { buildsTargets } from '../target-deps.mjs'
import { formats as linuxFormats, packageForLinux } from './linux/formats.mjs'
import { formats as macosFormats, packageForMacos } from './macos/formats.mjs'
import { nativeFolder } from './native.mjs'
import { makeFilesBeside } from './place-files.mjs'
import { product } from './product.mjs'
import { pinnedElectron, refusalOf, runtimeToPack, zippedRuntime } from './runtime.mjs'
import { stageApp } from './stage.mjs'
import { packAllThru } from './thru.mjs'
import { formats as windowsFormats, packageForWindows } from './windows/formats.mjs'

/**
 * Systems by their switch, with their formats.
 * @type {Record<string, { platform: string, formats: string[] }>}
 */
const systems = {
  linux: { platform: 'linux', formats: linuxFormats },
  win: { platform: 'win32', formats: windowsFormats },
  mac: { platform: 'darwin', formats: macosFormats },
}

const ownSystem = { win32: 'win', darwin: 'mac' }[process.platform] ?? 'linux'

/**
 * Parses a command line. Throws a Failure about invalid arguments.
 * @param {readonly string[]} args
 * @returns {{ system: string, platform: string, arch: string, substitute: boolean, builds: boolean, quick: boolean,
 *   output: string, version: string, formats: string[], resources: string | undefined }}
 */
export function readArguments(args) {
  const asked = {
    system: /** @type {string | undefined} */ (undefined),
    formats: /** @type {string[]} */ ([]),
    arch: process.arch,
    substitute: false,
    builds: true,
    quick: false,
    version: /** @type {string | undefined} */ (undefined),
    output: join(root, 'out/packages'),
    resources: /** @type {string | undefined} */ (undefined),
  }
  const rest = [...args]
  const value = (name) => {
    const given = rest.shift()
    if (given === undefined || given.startsWith('--'))
      throw new Failure(`${name} requires a value.`)
    return given
  }
  for (let arg; (arg = rest.shift()) !== undefined;) {
    const name = arg.replace(/^--/, '')
    if (arg === '--substitute-runtime') asked.substitute = true
    else if (arg === '--no-build') asked.builds = false
    else if (arg === '--quick') asked.quick = true
    else if (arg === '--arch') asked.arch = value(arg)
    else if (arg === '--output') asked.output = resolve(value(arg))
    else if (arg === '--resources') asked.resources = resolve(value(arg))
    else if (arg === '--package-version') asked.version = value(arg)
    else if (arg.startsWith('--') && name in systems && asked.system === undefined) {
      asked.system = name
      while (rest[0] !== undefined && !rest[0].startsWith('--')) asked.formats.push(rest.shift())
    } else
      throw new Failure(`"${arg}" is not an argument. See the first lines of ${import.meta.url}.`)
  }
  const system = asked.system ?? ownSystem
  const { platform, formats } = systems[system]
  const unknown = asked.formats.find((format) => !formats.includes(format))
  if (unknown !== undefined)
    throw new Failure(`"${unknown}" is not a format for ${system}: ${formats.join(', ')}.`)
  const version = asked.version ?? product.version
  // Windows stores a version as four numbers, so a pre-release has at most one.
  if (!/^\d+\.\d+\.\d+(-[a-z]+(\.\d+)?)?$/.test(version))
    throw new Failure(`"${version}" is not a version such as 1.2.3 or 1.2.3-beta.1.`)
  return {
    ...{ system, platform, arch: asked.arch, substitute: asked.substitute, builds: asked.builds },
    ...{ quick: asked.quick, output: asked.output, version },
    formats: asked.formats.length > 0 ? asked.formats : formats,
    resources: asked.resources,
  }
}

/** Runs the packager; returns the folder that it made. Throws a Failure if Electron doesn't exist for this target. */
export async function packElectron(options) {
  const { packager } = await import('@electron/packager')
  const [folder] = await packager(options)
  if (folder !== undefined) return folder
  const { platform, arch } = options
  throw new Failure(
    `Electron can't be packed for ${platform} and ${arch} here. Choose another --arch; "universal" requires a Mac.`,
  )
}

/** Returns the folder with Electron and the app, the basis of every format. */
async function packApp({ platform, arch, version, work, runtime, resources }) {
  const app = join(work, 'app')
  const native = await nativeFolder(`${platform}-${arch}`, join(work, 'native'))
  stageApp({ folder: app, native, version, resources })
  const zips = await zippedRuntime({ ...runtime, platform, arch, folder: join(work, 'electron') })
  const { packagerOptions } = await import('../../build/packager.mjs')
  const electron = { version: runtime.version, zips }
  return packElectron(packagerOptions({ platform, arch, version, runtime: electron, app, work }))
}

async function main() {
  const [first, ...thruTargets] = process.argv.slice(2)
  if (first === '--thru') return packAllThru(thruTargets)
  const args = readArguments(process.argv.slice(2))
  await bootstrap(args.system === 'win' ? 'package-windows' : 'package')
  const work = join(root, 'out/package', `${args.platform}-${args.arch}`)
  const runtime = await runtimeToPack(args)
  const asked = { ...args, substitute: refusalOf(runtime, pinnedElectron()) !== undefined }
  if (asked.builds) {
    // buildAll() bundles the page around its module.
    if (buildsTargets()) await targetBuild('web')
    await buildAll()
  }
  mkdirSync(asked.output, { recursive: true })
  await makeFilesBeside()
  const folder = await step('packing the app', () => packApp({ ...asked, work, runtime }))
  const make = { linux: packageForLinux, win: packageForWindows, mac: packageForMacos }[
    asked.system
  ]
  const made = await make({ ...asked, folder, work, runtime })
  console.log(made.map((file) => `  ${file}`).join('\n'))
}

if (isMain(import.meta.url)) runMain(main)
