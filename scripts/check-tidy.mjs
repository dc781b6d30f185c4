#!/usr/bin/env node
// check-tidy.mjs [files...]: clang-tidy over the engine's sources (all by default), with the dev preset's flags.
// It takes minutes, so it belongs to the long tests.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { readFileSync } from 'node:fs'
import { root } from './lib/cache.mjs'
import { Failure, isMain, runMain } from './lib/failure.mjs'
import { capture } from './lib/run.mjs'
import { nativeBuild } from './native-build.mjs'

// Older ones do not understand <expected> of GCC's standard library and report nonsense.
const oldest = 19

function findClangTidy() {
  for (const name of ['clang-tidy', 'clang-tidy-21', 'clang-tidy-20', 'clang-tidy-19']) {
    const [, major] = /version (\d+)/.exec(capture(name, ['--version']) ?? '') ?? []
    if (Number(major) >= oldest) return name
  }
  throw new Failure(
    `clang-tidy ${oldest} or newer is missing: install the package clang-tidy-${oldest}.`,
  )
}

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
  const program = findClangTidy()
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
