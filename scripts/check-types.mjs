#!/usr/bin/env node
// Type-checks every folder that has a tsconfig.json, two at a time, with the compiler that is a native program: it takes
// a seventh of the time of the one in JavaScript, which typescript-eslint still needs.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain, runMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'

const require = createRequire(import.meta.url)

/** The compiler's complaints about one project, or an empty string; a project without sources yet has none. */
export function checkProject(project) {
  const tsc = join(dirname(require.resolve('typescript-native/package.json')), 'bin', 'tsc')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '--noEmit', '--pretty', 'false', '-p', project], {
      cwd: root,
    })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve(code === 0 || output.includes('error TS18003') ? '' : output),
    )
  })
}

async function main() {
  const projects = listFiles(root, (path) => /(^|\/)tsconfig\.json$/.test(path))
  const outputs = []
  const worker = async () => {
    for (let project = projects.shift(); project; project = projects.shift()) {
      outputs.push(await checkProject(project))
    }
  }
  await Promise.all([worker(), worker()])
  const problems = outputs.join('')
  process.stderr.write(problems)
  if (problems) process.exitCode = 1
}

if (isMain(import.meta.url)) runMain(main)
