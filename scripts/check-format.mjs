#!/usr/bin/env node
// check-format.mjs [--fix]: prettier for everything it knows, clang-format for C++.
import { createRequire } from 'node:module'
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { root } from './lib/cache.mjs'
import { listFiles } from './lib/files.mjs'
import { isMain } from './lib/failure.mjs'

const require = createRequire(import.meta.url)

function succeeds(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (error) console.error(`${program} cannot be run: ${error.message}.`)
  return status === 0
}

function main(fix) {
  const prettier = join(dirname(require.resolve('prettier/package.json')), 'bin', 'prettier.cjs')
  const level = ['--log-level', 'warn']
  const prettierOk = succeeds(process.execPath, [
    prettier,
    fix ? '--write' : '--check',
    ...level,
    '.',
  ])
  const sources = listFiles(root, (path) => /^native\/.*\.(cc|h)$/.test(path))
  const how = fix ? ['-i'] : ['--dry-run', '-Werror']
  const clangOk = succeeds('clang-format', ['--style=file', ...how, ...sources])
  if (!prettierOk || !clangOk) process.exitCode = 1
}

if (isMain(import.meta.url)) main(process.argv.includes('--fix'))
