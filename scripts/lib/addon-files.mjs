// Finds and copies the addon and the shared libraries that it loads from its own folder.
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

/** Libraries that programs load, by one name each, without the linkers' aliases. */
const sharedLibraries = {
  win32: ['bin', /^lib(glib|gobject|gio|gmodule|nice)-[\d.-]+\.dll$/],
  linux: ['lib', /^lib(glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|nice)\.so\.\d+$/],
  darwin: [
    'lib',
    // libnice loads an unused GLib library here, which other linkers omit, and vcpkg's GLib loads a gettext.
    /^lib(glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|gthread-2\.0|nice|intl)\.\d+\.dylib$/,
  ],
}

/**
 * Returns the files of a folder listing that a target's programs load.
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
 * Copies `files` that are newer than their copies in `folder`. Each copy is renamed into place, so running programs
 * keep their mapped file. `finish` can change a copy before programs see it.
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
