#!/usr/bin/env node
// test.mjs [--full | --long] [step...]: runs the checks and tests for every change, or only the named steps. `--full`
// adds the sanitizers and the tests tagged full, `--long` also the campaigns that take hours. Continues after failures,
// and ends with the totals of all steps. While one step waits, others build and run.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { bootstrap } from './bootstrap.mjs'
import { buildAll } from './build.mjs'
import { root } from './lib/cache.mjs'
import { enginePrograms } from './lib/emulated-tests.mjs'
import { Failure, runMain, step } from './lib/failure.mjs'
import {
  countGoogleTest,
  countPlaywright,
  countVitest,
  withoutPassed,
  withoutProgress,
} from './lib/results.mjs'
import { lastLines, runCaptured } from './lib/run.mjs'
import { buildDir, nativeBuild, shippingPreset } from './native-build.mjs'
import { packagesForTests } from './package/for-tests.mjs'
import { packThru } from './package/thru.mjs'
import { targetBuild } from './target-build.mjs'
import { testArm64Engine } from './test-arm64-engine.mjs'
import { testWindowsEngine } from './test-windows-engine.mjs'
import { webBuild } from './web-build.mjs'

const reports = join(root, 'out', 'test-reports')
const script = (name) => join(root, 'scripts', name)
const binary = (name) => join(root, 'node_modules', '.bin', name)

/** Runs a program; prints its `output` unless `quiet`. Counts as one test, or as the tests of its report. */
async function run([program, ...args], { report, count, env, quiet = false } = {}) {
  if (report) rmSync(report, { force: true })
  const color =
    !quiet && process.stdout.isTTY ? { FORCE_COLOR: '1' } : { FORCE_COLOR: '0', NO_COLOR: '1' }
  const { succeeded, output } = await runCaptured(program, args, {
    cwd: root,
    env: { ...env, ...color },
    shell: process.platform === 'win32',
    shown: !quiet,
  })
  return { ...resultOf(succeeded, { report, count }), output }
}

/** Returns the report's counts. A run without a report is one test; a failure missing from the report adds one. */
function resultOf(succeeded, { report, count }) {
  const result = report && existsSync(report) ? count(readFileSync(report, 'utf8')) : undefined
  if (result && (succeeded || result.failed > 0)) return result
  return {
    passed: succeeded ? 1 : 0,
    failed: succeeded ? 0 : 1,
    ...(result && { passed: result.passed }),
  }
}

/** Test programs whose tests start threads. */
const threadedPrograms = ['thru_tests', 'thru_crash_tests']
/** Programs that the TypeScript tests communicate with. */
const peerPrograms = ['thru_cpace_peer', ...(process.platform === 'linux' ? ['thru_bench'] : [])]

const check = (name) => (options) => run([process.execPath, script(name)], options)

/** Many tests wait for threads, disks or each other, so more processes than cores keep the cores busy. */
const processesForTests = () => 2 * availableParallelism()

/** Longer than a sanitized shard takes on a busy machine, in ms: only a hanging test reaches it. */
const maxShardTime = 45 * 60_000

/**
 * Runs a preset's test programs, each in several processes that take every n-th test: starting a process per test would
 * take minutes. Keeps the output of a failed process in one piece.
 */
async function engineTests(preset, programs, { behind = false, quiet = false } = {}) {
  const sum = { passed: 0, failed: 0, output: '' }
  const count = processesForTests()
  for (const name of programs) {
    const shards = Array.from({ length: count }, (_, index) =>
      shardOf(preset, name, { index, count, behind, quiet }),
    )
    for (const { passed, failed, output } of await Promise.all(shards)) {
      sum.passed += passed
      sum.failed += failed
      if (failed > 0) sum.output += output
    }
  }
  return sum
}

async function shardOf(preset, name, { index, count, behind, quiet }) {
  const report = join(reports, `gtest-${preset}-${name}-${index}.xml`)
  rmSync(report, { force: true })
  const env = { GTEST_TOTAL_SHARDS: String(count), GTEST_SHARD_INDEX: String(index) }
  const { succeeded, output } = await runCaptured(
    join(buildDir(preset), name),
    [`--gtest_output=xml:${report}`],
    { cwd: root, env, behind, timeout: maxShardTime },
  )
  const failures = withoutPassed(output)
  if (!succeeded && !quiet) process.stdout.write(failures)
  return { ...resultOf(succeeded, { report, count: countGoogleTest }), output: failures }
}

/** True if tests tagged `full` run. */
const isFull = () => process.argv.includes('--full') || process.argv.includes('--long')

function vitest(project, { quiet } = {}) {
  const report = join(reports, `vitest-${project}.json`)
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  return run(
    [
      binary('vitest'),
      'run',
      `--project=${project}*`,
      '--passWithNoTests',
      ...(isFull() ? [] : ['--tags-filter=!full']),
      ...reporters,
    ],
    {
      report,
      count: countVitest,
      quiet,
    },
  )
}

function playwright({ quiet } = {}) {
  const report = join(reports, 'playwright.json')
  const command = [
    binary('playwright'),
    'test',
    '--config',
    'e2e/playwright.config.ts',
    ...(isFull() ? [] : ['--grep-invert', '@full']),
    '--reporter=list,json',
  ]
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  return run([process.execPath, script('with-display.mjs'), ...command], {
    report,
    count: countPlaywright,
    env,
    quiet,
  })
}

async function windowsEngine() {
  await bootstrap('windows')
  return testWindowsEngine()
}

async function windows() {
  await bootstrap('windows')
  await targetBuild('win32-x64')
  return vitest('windows')
}

async function arm64Engine() {
  await bootstrap('arm64')
  return testArm64Engine()
}

async function arm64() {
  await bootstrap('arm64')
  await targetBuild('linux-arm64')
  await packThru('linux-arm64')
  return vitest('arm64')
}

async function web() {
  await bootstrap('web')
  await webBuild()
  return vitest('web')
}

/** Inspects packages, and uses them on fresh systems. */
async function packages() {
  await bootstrap('packages')
  await targetBuild('web')
  await buildAll()
  await targetBuild('linux-x64')
  await packThru('linux-x64')
  await packagesForTests(['AppImage', 'deb', 'rpm', 'tar.gz', 'flatpak.json'])
  return vitest('packages')
}

/**
 * The steps in their order. Neighbors with the same `beside` run in parallel: `work` steps use one core, `wait` steps
 * mostly wait for programs and windows. A step's `build`, and steps that run `behind`, start at the beginning with low
 * priority; later, their turn only waits for them.
 */
const steps = {
  bootstrap: { title: 'Bootstrap', work: () => bootstrap('test') },
  build: { title: 'Build', work: () => buildAll() },
  lint: {
    title: 'Lint',
    beside: 'work',
    work: (options) => run([binary('oxlint'), '--max-warnings', '0'], options),
  },
  unit: { title: 'Unit tests', beside: 'work', work: (options) => vitest('unit', options) },
  format: { title: 'Format', beside: 'work', work: check('check-format.mjs') },
  types: { title: 'Types', beside: 'work', work: check('check-types.mjs') },
  layers: { title: 'Layers', beside: 'work', work: check('check-layers.mjs') },
  sizes: { title: 'File sizes', beside: 'work', work: check('check-sizes.mjs') },
  lock: { title: 'Lock file', beside: 'work', work: check('check-lock.mjs') },
  prose: { title: 'Prose', beside: 'work', work: check('check-prose.mjs') },
  e2e: { title: 'App tests', beside: 'wait', work: (options) => playwright(options) },
  networks: {
    title: 'Network tests',
    beside: 'wait',
    work: (options) => vitest('networks', options),
  },
  programs: {
    title: 'Addon and program tests',
    beside: 'wait',
    build: [shippingPreset, peerPrograms],
    work: (options) => vitest('programs', options),
  },
  native: {
    title: 'Engine tests',
    beside: 'wait',
    build: [shippingPreset, ['thru_addon', ...enginePrograms]],
    work: (options) => engineTests(shippingPreset, enginePrograms, options),
  },
}
/** Steps that only `--full` and `--long` add. */
const fullSteps = {
  asan: {
    title: 'Engine tests, address and undefined-behavior sanitizers',
    build: ['asan', enginePrograms],
    behind: true,
    work: () => engineTests('asan', enginePrograms, { behind: true }),
  },
  tsan: {
    title: 'Engine tests that start threads, thread sanitizer',
    build: ['tsan', threadedPrograms],
    behind: true,
    work: () => engineTests('tsan', threadedPrograms, { behind: true }),
  },
  web: { title: 'Receivers of web pages', work: web },
}
/** Steps that only `--long` adds. */
const longSteps = {
  tidy: { title: 'Static analysis', work: check('check-tidy.mjs') },
}
/** Steps that run only if named, because they need more tools or minutes than a plain run should. */
const namedSteps = {
  'windows-engine': { title: 'Engine tests under Wine', work: windowsEngine },
  windows: { title: 'Windows programs under Wine', work: windows },
  'arm64-engine': { title: 'Engine tests for ARM64 under qemu', work: arm64Engine },
  arm64: { title: 'thru for ARM64 under qemu', work: arm64 },
  packages: { title: 'Packages in fresh systems', work: packages },
  macos: {
    title: 'Engine and tests linked for macOS',
    work: () => run([process.execPath, script('macos-build.mjs'), '--tests']),
  },
  reproducible: { title: 'Two builds of one commit', work: check('reproducible.mjs') },
}
const known = { ...steps, ...fullSteps, ...longSteps, ...namedSteps }
/** If one of these fails, the rest is skipped. */
const isFoundation = (name) => ['bootstrap', 'build'].includes(name)

/** Runs a step; `begun` is its promise if workBehind() started it. */
async function runStep(name, begun) {
  const { title, beside, work } = known[name]
  const heading = `\n== ${title} ==`
  if (!beside) console.log(heading)
  const start = performance.now()
  let result
  try {
    const behind = begun && (await step('waiting for builds in the background', () => begun))
    if (behind?.error) throw behind.error
    result = behind?.result || (await work({ quiet: !!beside })) || { passed: 1, failed: 0 }
  } catch (error) {
    const output = error instanceof Failure ? error.message : String(error.stack ?? error)
    console.error(output)
    result = { passed: 0, failed: 1, output }
  }
  // A parallel step prints only its failures.
  if (beside && result.failed > 0) console.log(`${heading}\n${result.output ?? ''}`.trimEnd())
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`== ${title}: ${result.passed} passed, ${result.failed} failed, ${seconds} s ==`)
  return { ...result, title }
}

/**
 * Builds for these steps one after another with low priority; steps marked `behind` run during the next build. Returns
 * a promise of each `result` or `error`.
 */
function workBehind(names) {
  const begun = new Map()
  let before = Promise.resolve()
  for (const name of names.filter((each) => known[each].build)) {
    const { build, behind, work } = known[name]
    const built = before.then(() => nativeBuild(...build, { behind: true }))
    before = built.catch(() => {})
    const done = built.then(async () => ({ result: behind && (await work()) }))
    begun.set(
      name,
      done.catch((error) => ({ error })),
    )
  }
  return begun
}

/** Runs steps in parallel, one per core, and one more if they mostly wait. */
async function runBeside(names, begun) {
  const waiting = [...names]
  const results = []
  const worker = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift())
      results.push(await runStep(name, begun.get(name)))
  }
  const more = known[names[0]].beside === 'wait' ? 1 : 0
  await Promise.all(Array.from({ length: availableParallelism() + more }, worker))
  return results
}

/** Groups neighbors that run in parallel; every other step is its own group. */
function grouped(names) {
  const groups = []
  for (const name of names) {
    const { beside } = known[name]
    if (beside && known[groups.at(-1)?.[0]]?.beside === beside) groups.at(-1).push(name)
    else groups.push([name])
  }
  return groups
}

/** Runs steps in order; returns the results of those that ran. */
async function runSteps(names) {
  const results = []
  const [first, rest] = [names.filter(isFoundation), names.filter((name) => !isFoundation(name))]
  for (const name of first) {
    results.push(await runStep(name))
    if (results.at(-1).failed > 0) return results
  }
  const begun = workBehind(rest)
  for (const group of grouped(rest)) results.push(...(await runBeside(group, begun)))
  return results
}

async function main(args) {
  const long = args.includes('--long')
  // Tests that take minutes run only with this variable.
  if (long) process.env.THRU_LONG_TESTS = '1'
  const named = args.filter((arg) => !['--full', '--long'].includes(arg))
  const unknown = named.find((name) => !known[name])
  if (unknown) throw new Failure(`"${unknown}" is not a step: ${Object.keys(known).join(', ')}.`)
  const all = Object.keys({ ...steps, ...(isFull() && fullSteps), ...(long && longSteps) })
  mkdirSync(reports, { recursive: true })
  const results = await runSteps(named.length > 0 ? named : all)
  // Repeated here for readers who have only the end of a long log.
  for (const { title, failed, output } of results.filter((result) => result.failed > 0)) {
    console.log(`\n== ${title}: ${failed} failed; end of its output ==`)
    console.log(lastLines(withoutProgress(output ?? ''), 80))
  }
  const sum = (count) => results.reduce((total, result) => total + result[count], 0)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  if (sum('failed') > 0) process.exitCode = 1
}

runMain(() => main(process.argv.slice(2)))
