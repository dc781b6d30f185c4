// Lists the files of a Linux package in the same form for all formats.
import { execFileSync } from 'node:child_process'
import { Failure } from '../../lib/failure.mjs'
import { appFolder } from './tree.mjs'

const lines = (command, args) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20 })
    .trimEnd()
    .split('\n')

/** Lists the files without folders by the format's extension, using each format's own tool. */
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
 * Returns the sorted paths of a package's files below its prefix; the AppImage's extra files have no folder.
 * @param {string} file
 * @returns {string[]}
 */
export function filesOf(file) {
  const [, list] = Object.entries(lists).find(([ending]) => file.endsWith(`.${ending}`)) ?? []
  if (list === undefined) throw new Failure(`${file} is not a Linux package.`)
  return list(file).sort()
}

/** The path of the app's archive below the prefix. */
export const archivePlace = `${appFolder}/resources/app.asar`
