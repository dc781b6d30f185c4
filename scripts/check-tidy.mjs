#!/usr/bin/env node
// check-tidy.mjs [files...]: runs clang-tidy over the engine's sources (all by default) with the dev preset's flags. It
// takes minutes, so it is one of the long tests.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain, runMain } from './lib/failure.mjs'
import { llvmProgram } from './lib/llvm.mjs'
import { nativeBuild } from './native-build.mjs'

// Older versions don't understand GCC's <expected> and report nonsense.
const clangTidyVersions = [21, 20, 19]

function tidy(program, dir, file) {
  return new Promise((done, reject) => {
    const child = spawn(program, ['--quiet', '-p', dir, file], { cwd: root })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.on('error', reject)
    child.on('close', (code) => done(code === 0 ? '' : output))
  })
}

async function main(chosen) {
  const program = llvmProgram('clang-tidy', clangTidyVersions)
  const dir = await nativeBuild('dev', ['thru_core'])
  const commands = JSON.parse(readFileSync(join(dir, 'compile_commands.json'), 'utf8'))
  const sources = commands.map(({ file }) => file).filter((file) => file.includes('/native/src/'))
  const wanted = chosen.map((file) => resolve(file))
  const queue = sources.filter((file) => wanted.length === 0 || wanted.includes(file))
  let failed = false
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const output = await tidy(program, dir, file)
      failed ||= output !== ''
      process.stdout.write(output)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  if (failed) process.exitCode = 1
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
