#!/usr/bin/env node
// Type-checks every folder with a tsconfig.json. Results are cached in out/cache/types, so only changes are checked again.
// The projects have no references, because a referenced project must write declarations.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain, runMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'

const require = createRequire(import.meta.url)

/** Returns the compiler's errors about `projects`, or an empty string. */
function checkProjects(projects) {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const args = ['--build', '--noEmit', '--pretty', 'false', ...projects]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, ...args], { cwd: root })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0 ? '' : output))
  })
}

async function main() {
  const problems = await checkProjects(
    listFiles(root, (path) => /(^|\/)tsconfig\.json$/.test(path)),
  )
  process.stderr.write(problems)
  if (problems) process.exitCode = 1
}

if (isMain(import.meta.url)) runMain(main)
