// Makes the installer and the portable program with NSIS from build/windows.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nsis } from '../../deps/nsis.mjs'
import { root } from '../../lib/cache.mjs'
import { runLogged } from '../../lib/run.mjs'
import { iconFolder } from '../icons.mjs'
import { product } from '../product.mjs'
import { compileProgram, differencesOf } from './programs.mjs'
import { signCommand, signProgram } from './sign.mjs'
import { contentsOf } from './tree.mjs'

/** Returns the four numbers that Windows compares, for a version such as 1.2.3 or 1.2.3-beta.4. */
export function fourNumbers(version) {
  const [, numbers, last = '0'] = /^(\d+\.\d+\.\d+)(?:-.*?(\d+))?/.exec(version) ?? []
  return `${numbers}.${last}`
}

/**
 * Returns a line of NSIS for each file and folder that removes it from the installation.
 * @param {{ files: readonly string[], folders: readonly string[] }} contents
 */
export function removalsOf({ files, folders }) {
  const installed = (path) => `"$INSTDIR\\${path.replaceAll('/', '\\').replaceAll('$', '$$$$')}"`
  const lines = [
    ...files.map((path) => `Delete ${installed(path)}`),
    ...folders.map((path) => `RMDir ${installed(path)}`),
  ]
  return `${lines.join('\n')}\n`
}

/** Makes the tools that both scripts unpack at run time: programs, and the difference of `thru-node.exe` from the app. */
async function makeTools({ tree, work, signing, log }) {
  const tools = join(work, 'tools')
  for (const name of ['path-entry', 'shortcut', 'twin'])
    await signProgram(await compileProgram(name, tools, log), signing, log)
  const [app, twin] = ['Thruflux.exe', 'thru-node.exe'].map((name) =>
    readFileSync(join(tree, name)),
  )
  writeFileSync(join(tools, 'twin.differences'), differencesOf(app, twin))
  return tools
}

async function makeNsis(script, asked, more = {}) {
  const { tree, version, file, quick, log } = asked
  const defines = {
    VERSION: version,
    NUMBERS: fourNumbers(version),
    APP: tree,
    ICON: join(iconFolder, 'icon.ico'),
    OUTPUT: file,
    TOOLS: await makeTools(asked),
    ...(quick && { QUICK: '1' }),
    ...more,
  }
  const args = Object.entries(defines).map(([name, value]) => `-D${name}=${value}`)
  const folder = join(root, 'build/windows')
  const { program, env } = await nsis()
  await runLogged(`makensis ${script}`, program, ['-V2', '-WX', ...args, script], {
    ...{ log, env },
    cwd: folder,
  })
}

/** Writes a script that signs a file in place. NSIS runs it for the uninstaller, which is embedded in the installer. */
function writeSignScript(file, signing) {
  const command = signCommand(signing, '"$1"', '"$1.signed"').map((word) =>
    word.startsWith('"') ? word : `'${word}'`,
  )
  const lines = ['#!/bin/sh', 'set -e', command.join(' '), 'mv "$1.signed" "$1"']
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o755 })
  return file
}

/** Makes the installer from the laid out tree. */
export async function makeInstaller(asked) {
  const { tree, work, file, signing, log } = asked
  mkdirSync(work, { recursive: true })
  const contents = contentsOf(tree)
  const removals = join(work, 'removals.nsh')
  writeFileSync(removals, removalsOf(contents))
  await makeNsis('installer.nsi', asked, {
    APP_ID: product.id,
    SIZE: Math.ceil(contents.bytes / 1024),
    REMOVALS: removals,
    ...(signing && { SIGN: writeSignScript(join(work, 'sign'), signing) }),
  })
  await signProgram(file, signing, log)
}

/** Makes the portable program from the laid out tree. */
export async function makePortable(asked) {
  await makeNsis('portable.nsi', asked)
  await signProgram(asked.file, asked.signing, asked.log)
}
