#!/usr/bin/env node
// test-arm64-engine.mjs [GoogleTest pattern]: builds the engine's tests for Linux on ARM64 and runs them in QEMU.
// native/tests/qemu.json lists the tests that QEMU can't pass, with reasons.
import { join } from 'node:path'
import { qemu } from './deps/qemu.mjs'
import { root } from './lib/cache.mjs'
import { enginePrograms, testEngine } from './lib/emulated-tests.mjs'
import { isMain, runMain } from './lib/failure.mjs'
import { targetBuild } from './target-build.mjs'

/** Builds and runs the tests; returns `{ passed, failed }`. */
export async function testArm64Engine(pattern) {
  const { dir, prefix, target } = await targetBuild('linux-arm64', [
    'thru_addon',
    ...enginePrograms,
  ])
  const { program, libraries } = qemu(target)
  const machine = {
    command: [program, '-E', `LD_LIBRARY_PATH=${join(prefix, 'lib')}`],
    // A test that restarts its own program does so in the same emulator.
    env: { QEMU_LD_PREFIX: libraries, THRU_EMULATOR: program },
    pathOf: (path) => path,
    reports: join(root, 'out', 'test-reports', 'arm64'),
    list: 'native/tests/qemu.json',
  }
  return testEngine(machine, { dir, pattern })
}

if (isMain(import.meta.url))
  runMain(async () => {
    const { passed, failed } = await testArm64Engine(process.argv[2])
    console.log(`${passed} passed, ${failed} failed`)
    if (failed > 0) process.exitCode = 1
  })
