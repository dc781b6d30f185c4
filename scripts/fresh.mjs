#!/usr/bin/env node
// fresh.mjs [--suite trixie|bookworm] [--keep] [command]: what a newcomer's first minutes are like. On a Debian with nothing but
// git and Node, made once by debootstrap and copied for each run, an ordinary user is told the right packages, `npm start`
// opens the window, and `npm test` passes; or the given shell command runs in the checkout. Linux and root only.
// Mirror, registries, certificates and proxies are those of this machine.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { makeBase, suites } from './fresh/base.mjs'
import { cacheRoot, root } from './lib/cache.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { capture } from './lib/run.mjs'

const home = join(cacheRoot, 'fresh')

/** What a run without a command does, in this order. */
const checks = {
  'an ordinary user is told what to install': 'scripts/fresh/as-user.sh',
  'npm start opens the window':
    'apt-get install -y -qq --no-install-recommends xvfb xauth x11-utils >/dev/null && ' +
    'xvfb-run -a node scripts/fresh/see-window.mjs',
  'npm test passes': 'npm test',
}

/** How this machine reaches its registries, and nothing else of its environment. */
function environment() {
  const passed =
    /^(.*_proxy|NODE_EXTRA_CA_CERTS|(SSL|PIP|CURL|REQUESTS)_(CA_BUNDLE|CERT\w*)|PIP_INDEX_URL|npm_config_registry|CI)$/i
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
    HOME: '/root',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    TERM: process.env.TERM ?? 'dumb',
  }
}

// Process ids, /proc, /run and /dev/shm of its own; the network and /sys of this machine. The inner shell stays the first
// process: an X server does not tell that one when it is ready, so that xvfb-run in its place would wait for ever.
const inside = `
set -e
mount --make-rprivate /
for d in dev sys; do mount --rbind "/$d" "$0/$d"; done
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$0/run"
exec chroot "$0" sh -c "cd /root/project && $1; exit \\$?"
`

function run(system, command) {
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inside]
  const { status } = spawnSync('unshare', [...isolated, system, command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment(),
  })
  return status === 0
}

/** Copies the checkout as git sees it, with what was changed and not committed. */
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
        throw new Failure(`${base} could not be copied: see above.`)
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
    throw new Failure('A fresh system can be made on Linux by root only.')
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
