// Counts passed and failed tests in the test programs' reports, and extracts failures from their output.
import { stripVTControlCharacters } from 'node:util'

/** Counts tests in GoogleTest's XML. */
export function countGoogleTest(xml) {
  const number = (name) =>
    Number(new RegExp(`<testsuite[^>]*\\s${name}="(\\d+)"`).exec(xml)?.[1] ?? 0)
  const failed = number('failures')
  return { passed: number('tests') - failed - number('skipped') - number('disabled'), failed }
}

/** Counts tests in vitest's JSON report. A file that can't be loaded is one failure. */
export function countVitest(json) {
  const report = JSON.parse(json)
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded }
}

/** Counts tests in Playwright's JSON report. Errors outside tests count as failures. */
export function countPlaywright(json) {
  const { stats, errors } = JSON.parse(json)
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + (errors?.length ?? 0) }
}

/** GoogleTest's output without passed tests. A test that hung is the last one in it. */
export const withoutPassed = (output) =>
  output.replace(/^\[ RUN .*\n\[ +OK \] .*\n|^\[-{10}\].*\n/gm, '')

/** A program's output without passed tests: Playwright's list, and vitest's rows of dots. */
export function withoutProgress(output) {
  return stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => !/^ *✓ |^[·x-]{20}/.test(line))
    .join('\n')
}
