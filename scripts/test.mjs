#!/usr/bin/env node
// test.mjs [--long] [step...]: every check and test, or only the named steps. Goes on after a failure, so that one
// run tells everything; the last line is the sum of all.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { bootstrap } from './bootstrap.mjs'
import { buildAll } from './build.mjs'
import { root } from './lib/cache.mjs'
import { Failure, runMain } from './lib/failure.mjs'
import { countCtest, countPlaywright, countVitest, withoutPassed } from './lib/results.mjs'
import { runCaptured } from './lib/run.mjs'
import { nativeBuild, shippingPreset } from './native-build.mjs'

const reports = join(root, 'out', 'test-reports')
const script = (name) => join(root, 'scripts', name)
const binary = (name) => join(root, 'node_modules', '.bin', name)

/** Runs a program on the terminal; counts as one test, or as what its report says. */
function run([program, ...args], { report, count, env } = {}) {
  if (report) rmSync(report, { force: true })
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  if (error) console.error(`${program} cannot be run: ${error.message}.`)
  return resultOf(status === 0, { report, count })
}

/** What the report says; one test without a report, and one more that failed where it knows of no failure. */
function resultOf(succeeded, { report, count }) {
  const result = report && existsSync(report) ? count(readFileSync(report, 'utf8')) : undefined
  if (result && (succeeded || result.failed > 0)) return result
  return {
    passed: succeeded ? 1 : 0,
    failed: succeeded ? 0 : 1,
    ...(result && { passed: result.passed }),
  }
}

/** Of native/cmake/Tests.cmake. */
const testPrograms = ['thru_tests', 'thru_crash_tests', 'thru_unpinned_tests']
/** What tests in TypeScript talk to. */
const peerPrograms = ['thru_cpace_peer']

const check = (name) => () => run([process.execPath, script(name)])

async function ctest(preset) {
  const dir = await nativeBuild(
    preset,
    preset === shippingPreset ? ['thru_addon', ...testPrograms] : [],
  )
  const report = join(reports, `ctest-${preset}.xml`)
  const log = join(reports, `ctest-${preset}.log`)
  const options = ['--output-on-failure', '-j', String(availableParallelism())]
  const output = ['--quiet', '--output-log', log, '--output-junit', report]
  const command = ['ctest', '--test-dir', dir, ...options, ...output]
  const result = run(command, { report, count: countCtest })
  if (result.failed > 0 && existsSync(log)) console.log(withoutPassed(readFileSync(log, 'utf8')))
  return result
}

/**
 * Each test program in one process for each core, which takes every n-th test: starting a sanitized one hundreds of
 * times takes minutes. What a process says is kept together.
 */
async function sanitized(preset) {
  const dir = await nativeBuild(preset, testPrograms)
  const sum = { passed: 0, failed: 0 }
  for (const name of testPrograms) {
    const shards = Array.from({ length: availableParallelism() }, (_, index) => index)
    for (const { passed, failed } of await Promise.all(
      shards.map((index) => shardOf(preset, dir, name, index, shards.length)),
    )) {
      sum.passed += passed
      sum.failed += failed
    }
  }
  return sum
}

async function shardOf(preset, dir, name, index, count) {
  const report = join(reports, `gtest-${preset}-${name}-${index}.xml`)
  rmSync(report, { force: true })
  const env = { GTEST_TOTAL_SHARDS: String(count), GTEST_SHARD_INDEX: String(index) }
  const args = ['--gtest_brief=1', `--gtest_output=xml:${report}`]
  const { succeeded, output } = await runCaptured(join(dir, name), args, { cwd: root, env })
  if (output) process.stdout.write(output)
  return resultOf(succeeded, { report, count: countCtest })
}

function vitest(project) {
  const report = join(reports, `vitest-${project}.json`)
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  return run([binary('vitest'), 'run', '--project', project, '--passWithNoTests', ...reporters], {
    report,
    count: countVitest,
  })
}

async function programs() {
  await nativeBuild(shippingPreset, peerPrograms)
  return vitest('programs')
}

function playwright() {
  const report = join(reports, 'playwright.json')
  const command = [
    binary('playwright'),
    'test',
    '--config',
    'e2e/playwright.config.ts',
    '--reporter=list,json',
  ]
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  return run([process.execPath, script('with-display.mjs'), ...command], {
    report,
    count: countPlaywright,
    env,
  })
}

const steps = {
  bootstrap: { title: 'Bootstrap', work: () => bootstrap('test') },
  build: { title: 'Build', work: () => buildAll() },
  format: { title: 'Format', work: check('check-format.mjs') },
  lint: { title: 'Lint', work: () => run([binary('eslint'), '.', '--max-warnings', '0']) },
  types: { title: 'Types', work: check('check-types.mjs') },
  layers: { title: 'Layers', work: check('check-layers.mjs') },
  sizes: { title: 'File sizes', work: check('check-sizes.mjs') },
  native: { title: 'Engine tests', work: () => ctest(shippingPreset) },
  asan: {
    title: 'Engine tests, address and undefined-behaviour sanitizers',
    work: () => sanitized('asan'),
  },
  tsan: { title: 'Engine tests, thread sanitizer', work: () => sanitized('tsan') },
  unit: { title: 'Unit tests', work: () => vitest('unit') },
  programs: { title: 'Addon and program tests', work: programs },
  e2e: { title: 'App tests', work: playwright },
}
/** Only part of `--long`. */
const longSteps = {
  tidy: { title: 'Static analysis', work: check('check-tidy.mjs') },
}
const known = { ...steps, ...longSteps }
/** Nothing after these makes sense when they fail. */
const foundations = new Set(['bootstrap', 'build'])

async function runStep(name) {
  const { title, work } = known[name]
  console.log(`\n== ${title} ==`)
  const start = performance.now()
  let result
  try {
    result = (await work()) ?? { passed: 1, failed: 0 }
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error)
    result = { passed: 0, failed: 1 }
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`== ${title}: ${result.passed} passed, ${result.failed} failed, ${seconds} s ==`)
  return result
}

async function main(args) {
  const long = args.includes('--long')
  // Tests that take minutes run only when they see this.
  if (long) process.env.THRU_LONG_TESTS = '1'
  const named = args.filter((arg) => arg !== '--long')
  const unknown = named.find((name) => !known[name])
  if (unknown) throw new Failure(`"${unknown}" is not a step: ${Object.keys(known).join(', ')}.`)
  const all = Object.keys(long ? known : steps)
  mkdirSync(reports, { recursive: true })
  const sum = { passed: 0, failed: 0 }
  for (const name of named.length > 0 ? named : all) {
    const { passed, failed } = await runStep(name)
    sum.passed += passed
    sum.failed += failed
    if (failed > 0 && foundations.has(name)) break
  }
  console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
  if (sum.failed > 0) process.exitCode = 1
}

runMain(() => main(process.argv.slice(2)))
