// The addon that a package gets, with the shared libraries that it loads from beside it.
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/** Of every system: the C library and the compiler's own. */
const ofTheSystem = /^(lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so|ld-linux)/

/** The libraries that an ELF file loads, directly or not, without those of every system. */
function librariesOf(file) {
  const lines = (capture('ldd', [file]) ?? '').split('\n')
  return lines
    .map((line) => /=> (\/\S+)/.exec(line)?.[1])
    .filter((path) => path && !ofTheSystem.test(basename(path)))
}

/** The folder with the addon for `target`; that of a developer's build is put together in `folder`. */
export async function nativeFolder(target, folder) {
  const released = join(root, 'out/native', target)
  if (existsSync(released)) return released
  if (target !== `${process.platform}-${process.arch}`)
    throw new Failure(
      `There is no engine for ${target}: "npm run build -- --target ${target}" makes it.`,
    )
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const addon = join(folder, 'thruflux.node')
  cpSync(join(root, 'out/native/thruflux.node'), addon)
  const copies = librariesOf(addon).map((library) => {
    const copy = join(folder, basename(library))
    copyFileSync(library, copy)
    return copy
  })
  const log = `${folder}.log`
  for (const file of [addon, ...copies]) {
    await runLogged('naming the place of libraries', 'patchelf', ['--set-rpath', '$ORIGIN', file], {
      log,
    })
    await runLogged('stripping symbols', 'strip', ['--strip-unneeded', file], { log })
  }
  return folder
}
