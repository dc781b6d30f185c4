// Provides a package's addon with the shared libraries from its folder.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { withoutNotice } from '../lib/notices.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/** Libraries that every system has: the C library's and the compiler's. */
const ofTheSystem = /^(lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so|ld-linux)/

/** Returns the libraries that an ELF file loads, directly or indirectly, without those of every system. */
function librariesOf(file) {
  const lines = (capture('ldd', [file]) ?? '').split('\n')
  return lines
    .map((line) => /=> (\/\S+)/.exec(line)?.[1])
    .filter((path) => path && !ofTheSystem.test(basename(path)))
}

/**
 * Returns Debian's license notices for a developer build's libraries, which are more than a release's.
 * @param {readonly string[]} libraries file names
 */
export function noticesOfDebian(libraries) {
  const found = capture('dpkg', ['-S', ...libraries.map((name) => `*/${name}`)]) ?? ''
  const owners = libraries.map((name) => {
    const line = found.split('\n').find((each) => each.endsWith(`/${name}`))
    return line?.replace(/[:,].*/s, '') ?? name
  })
  const texts = [...new Set(owners)].sort().map((owner) => {
    const file = `/usr/share/doc/${owner}/copyright`
    if (!existsSync(file)) throw new Failure(`The license of ${owner} is unknown.`)
    return `${owner}\n${'='.repeat(owner.length)}\n\n${readFileSync(file, 'utf8')}`
  })
  return `Unmodified libraries of Debian, in this file's folder.\n\n${texts.join('\n\n')}`
}

/** Returns the folder with the addon for `target`; a developer's build is assembled in `folder`. */
export async function nativeFolder(target, folder) {
  const released = join(root, 'out/native', target)
  if (existsSync(released)) {
    const unknown = withoutNotice(readdirSync(released))
    if (unknown.length === 0) return released
    throw new Failure(
      `${unknown.join(', ')} would be packed without a license. Add it to build/licenses.`,
    )
  }
  if (target !== `${process.platform}-${process.arch}`)
    throw new Failure(
      `There is no engine for ${target}. Run "npm run build -- --target ${target}" first.`,
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
  const notices = noticesOfDebian(copies.map((copy) => basename(copy)))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices)
  const log = `${folder}.log`
  for (const file of [addon, ...copies]) {
    await runLogged('setting library paths', 'patchelf', ['--set-rpath', '$ORIGIN', file], {
      log,
    })
    await runLogged('stripping symbols', 'strip', ['--strip-unneeded', file], { log })
  }
  return folder
}
