// Runs the engine's tests for another system or processor in an emulator. A list names the tests that can't pass there,
// with reasons; all others must pass, and listed ones must fail.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from './cache.mjs'
import { runLogged } from './run.mjs'

/** The test programs of native/cmake/Tests.cmake. */
export const enginePrograms = ['thru_tests', 'thru_crash_tests', 'thru_unpinned_tests']

/** Factor for the tests' timeouts, because emulation is slower. */
const patience = '4'

/** Limits how many tests are lost if one hangs or crashes the program. */
const shardsForEachCore = 4

/** Maps the completed tests of GoogleTest's JSON report to true if they passed. */
export function resultsOf(report) {
  return new Map(
    testsOf(report, 'COMPLETED').map((test) => [nameOf(test), test.failures === undefined]),
  )
}

/** The names of skipped tests. */
export const skippedOf = (report) => testsOf(report, 'SKIPPED').map(nameOf)

const testsOf = (report, wanted) =>
  report.testsuites.flatMap(({ testsuite }) => testsuite).filter(({ result }) => result === wanted)

const nameOf = ({ classname, name }) => `${classname}.${name}`

/** The test that was running when a program ended without a report, from its output. */
export function interruptedTest(output) {
  const started = [...output.matchAll(/^\[ RUN {6}\] (\S+)/gm)].at(-1)?.[1]
  const isDone = new RegExp(`^\\[ +(OK|FAILED|SKIPPED) +\\] ${escaped(started ?? '')}\\b`, 'm')
  return started && !isDone.test(output) ? started : undefined
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns sentences about results that differ from the list in the file `list`. */
export function differences({ results, listed, list }) {
  return [...results].flatMap(([name, passed]) => {
    const isListed = Object.hasOwn(listed, name)
    if (passed && isListed) return [`${name} passes: remove it from ${list}.`]
    return passed || isListed ? [] : [`${name} failed.`]
  })
}

/**
 * Runs one test program; `run` names its report and log. Returns the tests' results and the output, which goes through
 * a file: processes that Wine starts would keep a pipe open long after the program's end.
 */
async function runProgram({ command, env, pathOf, reports }, path, { run, filter, shard, shards }) {
  const report = join(reports, `${run}.json`)
  const log = join(reports, `${run}.log`)
  for (const file of [report, log]) rmSync(file, { force: true })
  const args = [
    ...['--kill-after=5', '1200', ...command, path],
    ...['--gtest_color=no', `--gtest_filter=${filter}`, `--gtest_output=json:${pathOf(report)}`],
  ]
  const options = {
    log,
    cwd: root,
    env: {
      ...env,
      GTEST_TOTAL_SHARDS: String(shards),
      GTEST_SHARD_INDEX: String(shard),
      THRU_TEST_PATIENCE: patience,
    },
    behind: true,
  }
  // The exit code doesn't matter: the results tell which tests failed.
  await runLogged(`testing ${run}`, 'timeout', args, options).catch(() => undefined)
  const output = readFileSync(log, 'utf8').replaceAll('\r\n', '\n')
  return {
    ...outcomeOf(existsSync(report) ? readFileSync(report, 'utf8') : '', output, path),
    output,
  }
}

/** Returns the report's results; without a report, those in the output. */
export function outcomeOf(report, output, path) {
  if (report !== '') {
    const read = JSON.parse(report)
    return { results: resultsOf(read), skipped: skippedOf(read) }
  }
  const results = new Map(
    [...output.matchAll(/^\[ +(OK|FAILED) +\] ([\w/.]+) \(/gm)].map(([, word, name]) => [
      name,
      word === 'OK',
    ]),
  )
  results.set(interruptedTest(output) ?? `${path} (which ended without a report)`, false)
  return { results, skipped: [] }
}

/** Returns a test's part of GoogleTest's output. */
function outputOf(name, output) {
  const start = output.indexOf(`[ RUN      ] ${name}\n`)
  return start < 0 ? '' : output.slice(start, start + 3000).split(/\n\[ +(?:OK|FAILED) +\]/)[0]
}

/** Runs the functions in parallel, one per core; returns their results in order. */
async function inTurns(runs) {
  const results = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < runs.length; index = next++)
      results[index] = await runs[index]()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return results
}

/**
 * Runs the engine's test programs in `dir`, whose names end in `suffix`; returns `{ passed, failed }`. `machine` has
 * the `command` before a program's path, `env`, `pathOf` (translates paths of this machine), the folder for `reports`
 * and the `list` in the checkout. Only tests that match GoogleTest's `pattern` run.
 */
export async function testEngine(machine, { dir, suffix = '', pattern = '*' }) {
  const { list, reports } = machine
  const listed = JSON.parse(readFileSync(join(root, list), 'utf8'))
  mkdirSync(reports, { recursive: true })
  const names = Object.keys(listed)
  const runs = enginePrograms.flatMap((name) => {
    const path = join(dir, `${name}${suffix}`)
    const shards = name === 'thru_tests' ? shardsForEachCore * availableParallelism() : 1
    const others = Array.from({ length: shards }, (_, shard) => () => {
      const some = { filter: `${pattern}-${names.join(':')}`, shard, shards }
      return runProgram(machine, path, { run: `${name}-${shard}`, ...some })
    })
    // Listed tests run separately: if one crashes the program, no other test is lost.
    const known = names.map((filter, index) => () => {
      const one = { filter, shard: 0, shards: 1 }
      return runProgram(machine, path, { run: `${name}-listed-${index}`, ...one })
    })
    return pattern === '*' && name === 'thru_tests' ? [...others, ...known] : others
  })
  return judge(await inTurns(runs), { listed, list, pattern })
}

function judge(outcomes, { listed, list, pattern }) {
  const sum = { passed: 0, failed: 0 }
  const known = Object.keys(listed)
  const seen = new Set()
  for (const { results, output } of outcomes) {
    for (const name of results.keys()) seen.add(name)
    const wrong = differences({ results, listed, list })
    for (const sentence of wrong)
      console.log(`${outputOf(sentence.split(' ')[0], output)}\n${sentence}`)
    sum.failed += wrong.length
    sum.passed += [...results].filter(
      ([name, passed]) => passed && !Object.hasOwn(listed, name),
    ).length
  }
  const unknown = pattern === '*' ? known.filter((name) => !seen.has(name)) : []
  for (const name of unknown) console.log(`${name} is in ${list}, but doesn't exist.`)
  sum.failed += unknown.length
  if (seen.size === 0) {
    console.log(`No test matches ${pattern}.`)
    sum.failed += 1
  }
  for (const name of outcomes.flatMap(({ skipped }) => skipped))
    console.log(`  ${name} was skipped`)
  console.log(`  ${known.length} tests are expected to fail, for the reasons in ${list}`)
  return sum
}
