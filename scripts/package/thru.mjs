#!/usr/bin/env node
// thru.mjs [TARGET...]: packs `thru` with its own Node as an archive to unpack anywhere and run as bin/thru:
// out/packages/thruflux-cli-VERSION-TARGET.tar.xz, with the same bytes for the same commit.
import { chmodSync, cpSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { commandPlaces } from '../../build/install-places.mjs'
import { nodeRuntime, nodeTargets } from '../deps/node-runtime.mjs'
import { targetNamed } from '../deps/targets.mjs'
import { root } from '../lib/cache.mjs'
import { Failure, isMain, runMain, step } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'
import { packTarXz, sourceDate } from './archive.mjs'
import { checkFolder } from './linkage.mjs'
import { elfFiles } from './linux/libraries.mjs'
import { placeFiles } from './place-files.mjs'
import { product } from './product.mjs'
import { commandContents, stageApp } from './stage.mjs'

/** Maximum size of an archive, in bytes. */
export const maxBytes = 45_000_000

/** The path of a target's archive in out/packages. */
export const thruArchive = (target, version = product.version) =>
  join(root, 'out', 'packages', `thruflux-cli-${version}-${target}.tar.xz`)

/** Fills `folder` with the archive's contents: `native` has the target's engine and libraries, `node` its Node. */
export function stageThru({ folder, native, node }) {
  rmSync(folder, { recursive: true, force: true })
  const home = join(folder, 'lib', 'thruflux')
  stageApp({ folder: home, native, version: product.version, contents: commandContents })
  mkdirSync(join(folder, 'bin'))
  cpSync(join(root, 'build/linux/thru.sh'), join(folder, 'bin', 'thru'))
  chmodSync(join(folder, 'bin', 'thru'), 0o755)
  cpSync(join(node, 'bin/node'), join(home, 'node'))
  placeFiles(commandPlaces, folder)
  cpSync(join(node, 'LICENSE'), join(folder, 'share/doc/thruflux/LICENSE.node'))
}

/** Removes symbols and debugging information, which are unused at run time. */
async function strip(target, files, log) {
  const { strip: program } = targetNamed(target)
  await runLogged('stripping', program, ['--strip-unneeded', ...files], { log })
}

/** Packs `thru` for a target whose engine is in out/native; returns the archive's path. */
export async function packThru(target) {
  if (!nodeTargets.includes(target))
    throw new Failure(`"${target}" is not a target of thru alone: ${nodeTargets.join(', ')}.`)
  const file = thruArchive(target)
  const folder = join(root, 'out', 'package', basename(file, '.tar.xz'))
  const log = `${folder}.log`
  rmSync(log, { force: true })
  const node = await nodeRuntime(target)
  await step(`packing ${basename(file)}`, async () => {
    stageThru({ folder, native: join(root, 'out', 'native', target), node })
    const home = join(folder, 'lib/thruflux')
    const libraries = elfFiles(join(home, 'out/native'))
    await strip(target, [join(home, 'node'), ...libraries], log)
    const { trouble } = checkFolder(folder)
    if (trouble.length > 0) throw new Failure(trouble.join('\n'))
    await packTarXz({ folder, file, date: sourceDate(), log })
  })
  const { size } = statSync(file)
  if (size > maxBytes) throw new Failure(`${file} has ${size} bytes; the limit is ${maxBytes}.`)
  console.log(`  ${file}: ${(size / 1e6).toFixed(1)} MB`)
  return file
}

/** Packs `thru` for these targets, or for this machine. */
export async function packAllThru(targets) {
  const here = `${process.platform}-${process.arch}`
  for (const target of targets.length > 0 ? targets : [here]) await packThru(target)
}

if (isMain(import.meta.url)) runMain(() => packAllThru(process.argv.slice(2)))
