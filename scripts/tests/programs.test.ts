import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { checkNode } from '../bootstrap.mjs'
import { distributionOf, readOsRelease } from '../deps/sources.mjs'
import { root } from '../lib/cache.mjs'
import {
  countGoogleTest,
  countPlaywright,
  countVitest,
  withoutPassed,
  withoutProgress,
} from '../lib/results.mjs'
import { hasDisplay } from '../run-electron.mjs'

it('refuses a Node that is too old in one sentence', () => {
  expect(() => checkNode('18.20.0')).toThrow(/^Node 18\.20\.0 is too old: install Node [\d.]+ or /)
  expect(() => checkNode('20.19.0')).not.toThrow()
})

it('knows when no window can open', () => {
  expect(hasDisplay({}, 'linux')).toBe(false)
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true)
  expect(hasDisplay({}, 'darwin')).toBe(true)
})

it('starts the built command line, or says what to run first', () => {
  const dir = folderOfTest()
  const launcher = join(dir, 'cli', 'bin', 'thru.cjs')
  cpSync(join(root, 'cli', 'bin', 'thru.cjs'), launcher)
  const run = () => spawnSync(process.execPath, [launcher, 'a'], { encoding: 'utf8' })
  expect(run().stderr).toContain('npm run build')
  expect(run().status).toBe(1)
  mkdirSync(join(dir, 'out', 'cli'), { recursive: true })
  writeFileSync(join(dir, 'out', 'cli', 'thru.cjs'), 'console.log(process.argv[2])')
  expect(run()).toMatchObject({ status: 0, stdout: 'a\n' })
  // README.md recommends such a link on the PATH.
  const link = join(dir, 'thru')
  symlinkSync(launcher, link)
  expect(spawnSync(link, ['a'], { encoding: 'utf8' }).stdout).toBe('a\n')
})

const isDebian = distributionOf(readOsRelease()) !== undefined

it.runIf(isDebian).each([
  ['', 'patchelf'],
  ['--win', 'osslsigncode'],
])('installs the tools for packages before anything else: %s', (system, wanted) => {
  // A system without packages, whose installer logs its arguments and fails.
  const dir = folderOfTest()
  const asked = join(dir, 'asked')
  for (const name of ['dpkg-query', 'apt-cache'])
    writeFileSync(join(dir, name), '#!/bin/sh\n', { mode: 0o755 })
  const installer = `#!/bin/sh\necho "$@" >>'${asked}'\ncase "$*" in *update*) ;; *) exit 1 ;; esac\n`
  writeFileSync(join(dir, 'apt-get'), installer, { mode: 0o755 })
  const args = ['scripts/package/package.mjs', ...[system].filter(Boolean)]
  const env = { ...process.env, PATH: `${dir}:${process.env['PATH']}` }
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  // Without root, the command is printed for the user instead.
  const command = process.getuid?.() === 0 ? readFileSync(asked, 'utf8') : stderr
  expect(command).toMatch(new RegExp(`install .*\\b${wanted}\\b`))
})

it('is never called in a way that runs the npm package thru', () => {
  const texts = [
    'README.md',
    'CONTRIBUTING.md',
    'package.json',
    'docs',
    'cli',
    'electron',
    'scripts',
  ]
  const files = texts.flatMap((name) =>
    name.includes('.')
      ? [name]
      : readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.(md|m?[jt]sx?|cjs|json|sh)$/.test(file))
          .map((file) => join(name, file)),
  )
  expect(files.length).toBeGreaterThan(100)
  const runsIt = /\b(npx|npm exec|npm x|npm i(nstall)?)( -\S+)* thru\b/
  // Warnings against it are allowed.
  const warns = /(Don't\s+run|Not|never) `npx thru`|\bwarns = .*/g
  const naming = files.filter((file) =>
    runsIt.test(readFileSync(join(root, file), 'utf8').replace(warns, '')),
  )
  expect(naming).toEqual([])
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  expect(devDependencies['thru']).toBeUndefined()
})

it('counts the tests of every kind of report', () => {
  const junit = '<?xml?>\n<testsuite name="x"\n tests="7" failures="1" disabled="1" skipped="2"\n>'
  expect(countGoogleTest(junit)).toEqual({ passed: 3, failed: 1 })
  const vitest = {
    numPassedTests: 4,
    numFailedTests: 1,
    testResults: [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{}] },
    ],
  }
  expect(countVitest(JSON.stringify(vitest))).toEqual({ passed: 4, failed: 2 })
  const playwright = { stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 1 }, errors: [{}] }
  expect(countPlaywright(JSON.stringify(playwright))).toEqual({ passed: 4, failed: 3 })
})

it('shows the engine tests that failed or hung without those that passed', () => {
  const output = [
    '[----------] 3 tests from A',
    '[ RUN      ] A.Works',
    '[       OK ] A.Works (1 ms)',
    '[ RUN      ] A.Passed',
    'expected 1',
    '[  FAILED  ] A.Passed (2 ms)',
    '[ RUN      ] A.Hangs',
  ]
  expect(withoutPassed(`${output.join('\n')}\n`)).toBe(`${output.slice(3).join('\n')}\n`)
})

it("repeats a program's output without its progress", () => {
  const output = [
    '·'.repeat(40),
    '  \u001b[32m✓\u001b[39m   1 [stage] › a.spec.ts:1:1 › opens',
    '  ✘ 2 › closes',
    ' FAIL  a',
  ]
  expect(withoutProgress(output.join('\n'))).toBe('  ✘ 2 › closes\n FAIL  a')
})
