// The addon that a package gets, with the shared libraries that it loads from beside it.
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

/** What every system has: the C library and the compiler's own. */
const ofTheSystem = /^(lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so|ld-linux)/

/** The libraries that an ELF file loads, directly or not, without those of every system. */
function librariesOf(file) {
  const lines = (capture('ldd', [file]) ?? '').split('\n')
  return lines
    .map((line) => /=> (\/\S+)/.exec(line)?.[1])
    .filter((path) => path && !ofTheSystem.test(basename(path)))
}

/**
 * What Debian says about the libraries of a developer's build, which are its own and more than those of a release.
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
    if (!existsSync(file)) throw new Failure(`Nothing says under which license ${owner} is.`)
    return `${owner}\n${'='.repeat(owner.length)}\n\n${readFileSync(file, 'utf8')}`
  })
  return `Libraries of Debian, beside this file as they are there.\n\n${texts.join('\n\n')}`
}

/** The folder with the addon for `target`; that of a developer's build is put together in `folder`. */
export async function nativeFolder(target, folder) {
  const released = join(root, 'out/native', target)
  if (existsSync(released)) {
    const unknown = withoutNotice(readdirSync(released))
    if (unknown.length === 0) return released
    throw new Failure(`${unknown.join(', ')} would be packed without its license: build/licenses.`)
  }
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
  const notices = noticesOfDebian(copies.map((copy) => basename(copy)))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices)
  const log = `${folder}.log`
  for (const file of [addon, ...copies]) {
    await runLogged('naming the place of libraries', 'patchelf', ['--set-rpath', '$ORIGIN', file], {
      log,
    })
    await runLogged('stripping symbols', 'strip', ['--strip-unneeded', file], { log })
  }
  return folder
}
