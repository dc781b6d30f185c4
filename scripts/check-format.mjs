#!/usr/bin/env node
// check-format.mjs [--fix]: prettier for everything it knows, clang-format for C++.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain, runMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'
import { llvmProgram } from './lib/llvm.mjs'

const require = createRequire(import.meta.url)

/** Versions differ in layout, so all machines use the same one. */
const clangFormatVersions = [19]

function succeeds(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (error) console.error(`${program} can't be run: ${error.message}.`)
  return status === 0
}

async function main(fix) {
  const prettier = join(dirname(require.resolve('prettier/package.json')), 'bin', 'prettier.cjs')
  const level = ['--log-level', 'warn']
  // Keyed by content and options, so unchanged files are skipped.
  const remembered = join(root, 'out', 'cache', 'prettier')
  const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', remembered]
  const prettierOk = succeeds(process.execPath, [
    prettier,
    fix ? '--write' : '--check',
    ...level,
    ...cache,
    '.',
  ])
  const sources = listFiles(root, (path) => /^(native|bench)\/.*\.(cc|h)$/.test(path))
  const how = fix ? ['-i'] : ['--dry-run', '-Werror']
  const clangFormat = llvmProgram('clang-format', clangFormatVersions)
  const clangOk = succeeds(clangFormat, ['--style=file', ...how, ...sources])
  if (!prettierOk || !clangOk) process.exitCode = 1
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.includes('--fix')))
