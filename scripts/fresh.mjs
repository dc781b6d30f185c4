#!/usr/bin/env node
// fresh.mjs [--suite trixie|bookworm] [--keep] [command]: tests a newcomer's first minutes on a Debian with only git
// and Node, which debootstrap creates once. An ordinary user is told which packages to install, `npm start` opens
// the window, `npm run package` makes all packages, and `npm test` passes. A given command runs instead. Linux, root.
// Mirror, registries, certificates and proxies are this machine's.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { makeBase, suites } from './fresh/base.mjs'
import { entering } from './fresh/enter.mjs'
import { cacheRoot, root } from './lib/cache.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { capture } from './lib/run.mjs'

const home = join(cacheRoot, 'fresh')

/** Steps of a run without a command, in this order. */
const checks = {
  'an ordinary user is told what to install': 'scripts/fresh/as-user.sh',
  'npm start opens the window':
    'apt-get install -y -qq --no-install-recommends xvfb xauth x11-utils >/dev/null && ' +
    'xvfb-run -a node scripts/fresh/see-window.mjs',
  'npm run package makes packages': 'npm run package -- --substitute-runtime --quick',
  'npm test passes': 'npm test',
}

function run(system, command) {
  const { program, args, env } = entering(system, `cd /root/project && ${command}`)
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  return status === 0
}

/** Copies the files that git tracks or doesn't ignore, with uncommitted changes. */
function copyCheckout(to) {
  const listed = capture('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  for (const file of listed.split('\0').filter(Boolean)) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(to, file), { recursive: true })
  }
}

async function runSuite(suite, { command, keep }) {
  const base = await makeBase(suite, join(home, suite))
  const system = mkdtempSync(join(home, `${suite}-run-`))
  const results = []
  try {
    await step(`copying ${suite}`, () => {
      if (spawnSync('cp', ['-a', `${base}/.`, system], { stdio: 'inherit' }).status !== 0)
        throw new Failure(`${base} couldn't be copied. See the error above.`)
      const project = join(system, 'root', 'project')
      mkdirSync(project)
      copyCheckout(project)
    })
    const wanted = command ? { [command]: command } : checks
    for (const [name, line] of Object.entries(wanted)) {
      console.log(`\n== ${suite}: ${name} ==`)
      const start = performance.now()
      const passed = run(system, line)
      const seconds = Math.round((performance.now() - start) / 1000)
      results.push(`${suite}: ${name}: ${passed ? 'yes' : 'NO'}, ${seconds} s`)
      if (!passed) process.exitCode = 1
    }
  } finally {
    if (keep) console.log(`kept in ${system}`)
    else rmSync(system, { recursive: true, force: true })
  }
  return results
}

async function main() {
  const { values, positionals } = parseArgs({
    options: { suite: { type: 'string' }, keep: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.suite && !suites.includes(values.suite))
    throw new Failure(`"${values.suite}" is not a suite: ${suites.join(', ')}.`)
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new Failure('Only root on Linux can create a fresh system.')
  if (!capture('sh', ['-c', 'command -v debootstrap']))
    throw new Failure('debootstrap is missing: apt-get install debootstrap.')
  mkdirSync(home, { recursive: true })
  const command = positionals.join(' ')
  const results = []
  for (const suite of values.suite ? [values.suite] : suites)
    results.push(...(await runSuite(suite, { command, keep: values.keep })))
  console.log(`\n${results.join('\n')}`)
}

if (isMain(import.meta.url)) runMain(main)
