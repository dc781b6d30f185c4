// What is in a package for Linux: the paths of its files, in the form that all formats share.
import { execFileSync } from 'node:child_process'
import { Failure } from '../../lib/failure.mjs'
import { appFolder } from './tree.mjs'

const lines = (command, args) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20 })
    .trimEnd()
    .split('\n')

/** The files of each format by the end of its name, as its own tool lists them; folders are left out. */
const lists = {
  deb: (file) =>
    lines('dpkg-deb', ['-c', file])
      .filter((line) => !line.startsWith('d'))
      .map((line) => line.replace(/^(\S+\s+){5}\.\/usr\//, '').replace(/ -> .*/, '')),
  rpm: (file) =>
    lines('rpm', ['-qp', '--qf', '[%{FILEMODES:perms} %{FILENAMES}\\n]', file])
      .filter((line) => !line.startsWith('d'))
      .map((line) => line.replace(/^\S+ \/usr\//, '')),
  'tar.gz': (file) =>
    lines('tar', ['-tzf', file])
      .filter((line) => !line.endsWith('/'))
      .map((line) => line.replace(/^[^/]+\//, '')),
  AppImage: (file) =>
    lines('unsquashfs', ['-ll', '-o', lines(file, ['--appimage-offset'])[0], file])
      .filter((line) => /^[-l]/.test(line))
      .map((line) => line.replace(/^.*? squashfs-root\//, '').replace(/ -> .*/, ''))
      .map((path) => path.replace(/^usr\//, '')),
}

/**
 * The paths of a package's files below its prefix, in order; what the AppImage has beside that has no folder.
 * @param {string} file
 * @returns {string[]}
 */
export function filesOf(file) {
  const [, list] = Object.entries(lists).find(([ending]) => file.endsWith(`.${ending}`)) ?? []
  if (list === undefined) throw new Failure(`${file} is no package for Linux.`)
  return list(file).sort()
}

/** The place of the app's archive below the prefix. */
export const archivePlace = `${appFolder}/resources/app.asar`
