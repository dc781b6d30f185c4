// Lays out an installed Thruflux for Windows. Every Windows package contains this folder.
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { windowsPlaces } from '../../../build/install-places.mjs'
import { placeFiles } from '../place-files.mjs'
import { compileProgram, writeTwin } from './programs.mjs'
import { signProgram } from './sign.mjs'

/** Lays out `tree` from the packed app in `folder`, and signs our programs. */
export async function layOutTree({ folder, tree, log, signing }) {
  rmSync(tree, { recursive: true, force: true })
  cpSync(folder, tree, { recursive: true })
  writeTwin(tree)
  await compileProgram('thru', join(tree, 'bin'), log)
  placeFiles(windowsPlaces, tree)
  for (const name of ['Thruflux.exe', 'thru-node.exe', 'bin/thru.exe'])
    await signProgram(join(tree, name), signing, log)
}

/**
 * Returns the paths of all files and folders below `folder`, with slashes; a folder follows its contents.
 * @returns {{ files: string[], folders: string[], bytes: number }}
 */
export function contentsOf(folder) {
  const files = []
  const folders = []
  let bytes = 0
  const walk = (below) => {
    const entries = readdirSync(join(folder, below), { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) {
        walk(path)
        folders.push(path)
      } else {
        files.push(path)
        bytes += statSync(join(folder, path)).size
      }
    }
  }
  walk('')
  return { files, folders, bytes }
}
