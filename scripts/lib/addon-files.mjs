// The addon and the shared libraries that it loads from its own folder, and how they get there.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'

/** What programs load of the libraries' folder: one name each, not those that linkers and people read. */
const sharedLibraries = {
  win32: ['bin', /^lib(glib|gobject|gio|gmodule|nice)-[\d.-]+\.dll$/],
  linux: ['lib', /^lib(glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|nice)\.so\.\d+$/],
  darwin: [
    'lib',
    // libnice loads a library of GLib that it has no use for, which linkers elsewhere leave out, and vcpkg's GLib a gettext.
    /^lib(glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|gthread-2\.0|nice|intl)\.\d+\.dylib$/,
  ],
}

/**
 * Which files of a folder listing a target's programs load.
 * @param {string} platform
 * @param {readonly string[]} files
 * @returns {string[]}
 */
export function loadedLibraries(platform, files) {
  const [, pattern] = sharedLibraries[platform]
  return files.filter((file) => pattern.test(file))
}

/** Paths of the libraries below `prefix` that a target's programs load. */
export function librariesOf(platform, prefix) {
  const folder = join(prefix, sharedLibraries[platform][0])
  return loadedLibraries(platform, readdirSync(folder)).map((name) => join(folder, name))
}

/**
 * Copies `files` that are newer than their copies in `folder`, each by renaming, so that a running program keeps the file it
 * has mapped. `finish` changes a copy before programs see it.
 */
export async function publishFiles(files, folder, finish = () => undefined) {
  mkdirSync(folder, { recursive: true })
  for (const file of files) {
    const published = join(folder, basename(file))
    if (existsSync(published) && statSync(published).mtimeMs >= statSync(file).mtimeMs) continue
    const partial = `${published}.${process.pid}.tmp`
    copyFileSync(realpathSync(file), partial)
    await finish(partial)
    renameSync(partial, published)
  }
}
