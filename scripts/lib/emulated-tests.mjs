// The engine's tests for another system or processor, run by what imitates it. A list names each test that can't pass there,
// with the reason; every other one has to pass, and a listed one has to fail.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from './cache.mjs'
import { runLogged } from './run.mjs'

/** The test programs of native/cmake/Tests.cmake. */
export const enginePrograms = ['thru_tests', 'thru_crash_tests', 'thru_unpinned_tests']

/** How many times as long as elsewhere tests wait before they fail: what imitates another machine is slower. */
const patience = '4'

/** One that hangs or ends the program takes only a part of the others with it. */
const shardsForEachCore = 4

/** The tests in GoogleTest's JSON report that ran, by name: whether each passed. */
export function resultsOf(report) {
  return new Map(
    testsOf(report, 'COMPLETED').map((test) => [nameOf(test), test.failures === undefined]),
  )
}

/** The names of those that left themselves out. */
export const skippedOf = (report) => testsOf(report, 'SKIPPED').map(nameOf)

const testsOf = (report, wanted) =>
  report.testsuites.flatMap(({ testsuite }) => testsuite).filter(({ result }) => result === wanted)

const nameOf = ({ classname, name }) => `${classname}.${name}`

/** The test that a program was in when it ended without a report, by what it had printed. */
export function interruptedTest(output) {
  const started = [...output.matchAll(/^\[ RUN {6}\] (\S+)/gm)].at(-1)?.[1]
  const isDone = new RegExp(`^\\[ +(OK|FAILED|SKIPPED) +\\] ${escaped(started ?? '')}\\b`, 'm')
  return started && !isDone.test(output) ? started : undefined
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Sentences about what differs from the list, whose file is `list`; none when all is as it says. */
export function differences({ results, listed, list }) {
  return [...results].flatMap(([name, passed]) => {
    const isListed = Object.hasOwn(listed, name)
    if (passed && isListed) return [`${name} passes: take it off ${list}.`]
    return passed || isListed ? [] : [`${name} failed.`]
  })
}

/**
 * Runs one test program, whose report and log have the name `run`; the results of its tests, and what it printed. Into a
 * file: what Wine starts beside the program would keep a pipe open long after its end.
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
  // How it ended doesn't matter: results tell which tests failed.
  await runLogged(`testing ${run}`, 'timeout', args, options).catch(() => undefined)
  const output = readFileSync(log, 'utf8').replaceAll('\r\n', '\n')
  return {
    ...outcomeOf(existsSync(report) ? readFileSync(report, 'utf8') : '', output, path),
    output,
  }
}

/** What a program's report says; what it printed, when it ended before it wrote one. */
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

/** What GoogleTest printed between the start and the end of a test. */
function outputOf(name, output) {
  const start = output.indexOf(`[ RUN      ] ${name}\n`)
  return start < 0 ? '' : output.slice(start, start + 3000).split(/\n\[ +(?:OK|FAILED) +\]/)[0]
}

/** Runs the functions, as many at once as there are cores; their results in the same order. */
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
 * Runs the engine's test programs of the folder `dir`, whose names end in `suffix`; `{ passed, failed }`. `machine` says how: the
 * words before a program's path in `command`, `env`, `pathOf` (what a file here is called there), the folder for `reports`, and the
 * file with the `list`, from the checkout. Only tests that match GoogleTest's `pattern` run.
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
    // Each of those that fail for itself: one that ends the program takes no other with it.
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
  for (const name of unknown) console.log(`${name} is in ${list}, but there is no such test.`)
  sum.failed += unknown.length
  if (seen.size === 0) {
    console.log(`No test matches ${pattern}.`)
    sum.failed += 1
  }
  for (const name of outcomes.flatMap(({ skipped }) => skipped))
    console.log(`  ${name} left itself out`)
  console.log(`  ${known.length} tests fail there for the reasons in ${list}`)
  return sum
}
