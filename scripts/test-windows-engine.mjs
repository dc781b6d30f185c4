#!/usr/bin/env node
// test-windows-engine.mjs [GoogleTest pattern]: builds the engine's tests for Windows and runs them under Wine.
// native/tests/wine.json lists the tests that Wine can't pass, with reasons.
import { join } from 'node:path'
import { windowsPath, wine } from './deps/wine.mjs'
import { root } from './lib/cache.mjs'
import { enginePrograms, testEngine } from './lib/emulated-tests.mjs'
import { isMain, runMain } from './lib/failure.mjs'
import { targetBuild } from './target-build.mjs'

/** Builds and runs the tests; returns `{ passed, failed }`. */
export async function testWindowsEngine(pattern) {
  const { dir, prefix } = await targetBuild('win32-x64', ['thru_addon', ...enginePrograms])
  const { program, env } = await wine()
  const machine = {
    command: [program],
    env: { ...env, WINEPATH: windowsPath(join(prefix, 'bin')), WINEDEBUG: '-all' },
    pathOf: windowsPath,
    reports: join(root, 'out', 'test-reports', 'windows'),
    list: 'native/tests/wine.json',
  }
  return testEngine(machine, { dir, suffix: '.exe', pattern })
}

if (isMain(import.meta.url))
  runMain(async () => {
    const { passed, failed } = await testWindowsEngine(process.argv[2])
    console.log(`${passed} passed, ${failed} failed`)
    if (failed > 0) process.exitCode = 1
  })
