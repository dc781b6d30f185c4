// Works that are in programs although nobody linked them by name: what compilers for other systems add, and SQLite, which
// comes inside of an npm package. Whoever looks for known weaknesses looks for these, too.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './cache.mjs'
import { Failure } from './failure.mjs'
import { capture } from './run.mjs'

/** The version of a package of this system. */
function packageVersion(name) {
  const version = capture('dpkg-query', ['-W', '-f', '${Version}', name])
  if (!version) throw new Failure(`${name} is not installed: build for Windows first.`)
  return version
}

const zigVersion = () => {
  const { pythonTools } = JSON.parse(readFileSync(join(root, 'native', 'deps.json'), 'utf8'))
  return `of zig ${pythonTools.ziglang.version}`
}

/** By the compiler's kind in scripts/deps/targets.mjs. */
const added = {
  zig: () => [
    { name: 'libc++', version: zigVersion(), license: 'Apache-2.0 WITH LLVM-exception' },
    { name: 'compiler-rt', version: zigVersion(), license: 'Apache-2.0 WITH LLVM-exception' },
  ],
  gcc: () => {
    const mingw = packageVersion('mingw-w64-x86-64-dev')
    const gcc = packageVersion('g++-mingw-w64-x86-64-posix')
    return [
      { name: 'mingw-w64', version: mingw, license: 'ZPL-2.1' },
      { name: 'winpthreads', version: mingw, license: 'MIT AND BSD-3-Clause' },
      { name: 'libstdc++', version: gcc, license: 'GPL-3.0-or-later WITH GCC-exception-3.1' },
      { name: 'libgcc', version: gcc, license: 'GPL-3.0-or-later WITH GCC-exception-3.1' },
    ]
  },
}

/**
 * What a compiler adds to the addon. Without a kind none: a developer's build has it from the system.
 * @param {'zig' | 'gcc' | undefined} kind
 * @returns {{ name: string, version: string, license: string, files: [] }[]}
 */
export const librariesOfCompiler = (kind) =>
  kind === undefined ? [] : added[kind]().map((library) => ({ ...library, files: [] }))

/**
 * SQLite's version, as its WebAssembly says.
 * @param {string} [text] what is in that
 */
export function sqliteVersion(text = readSqlite()) {
  const found = text.match(/(?<![ -~])3\.\d{1,3}\.\d{1,3}(?![ -~])/g) ?? []
  const [version, ...others] = new Set(found)
  if (version === undefined || others.length > 0)
    throw new Failure('The WebAssembly of SQLite does not say its version.')
  return version
}

function readSqlite() {
  const resolve = createRequire(join(root, 'package.json')).resolve
  return readFileSync(resolve('node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm'), 'latin1')
}
