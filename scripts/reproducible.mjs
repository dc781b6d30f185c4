#!/usr/bin/env node
/*
 * reproducible.mjs [--keep]: builds the last commit twice, with different folders, time zones, languages, file modes
 * and caches, and compares the results: bundles, addon, the Debian package and its installed files. Locates every
 * difference; exit code 1 if there are any. Linux only. The second build also builds the native libraries, for minutes.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cacheRoot, root } from './lib/cache.mjs'
import { compareTrees } from './lib/compare-trees.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { capture, runLogged } from './lib/run.mjs'

/** Differences between two builders. */
const builders = [
  { name: 'first', folder: 'first', umask: '022', env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' } },
  {
    ...{ name: 'second', folder: 'second/with a longer name', umask: '077' },
    env: { TZ: 'Asia/Seoul', LC_ALL: 'C', USER: 'somebody', ownCache: true },
  },
]

/** Creates a separate cache with the existing downloads; libraries are built again. */
function makeCache(home) {
  const own = join(home, 'thruflux')
  mkdirSync(own, { recursive: true })
  for (const downloaded of ['sources', 'electron'])
    if (existsSync(join(cacheRoot, downloaded)))
      symlinkSync(join(cacheRoot, downloaded), join(own, downloaded))
  return home
}

async function buildAs({ name, folder, umask, env: { ownCache, ...env } }, { work, commit }) {
  const checkout = join(work, folder)
  mkdirSync(checkout, { recursive: true })
  // In a container the checkout can belong to another account, which git rejects by default.
  const git = ['-c', 'safe.directory=*', 'clone', '--quiet', '--no-hardlinks']
  execFileSync('git', [...git, root, checkout])
  execFileSync('git', ['checkout', '--quiet', commit], { cwd: checkout })
  // Copies installed packages instead of linking them, because a build can write to them.
  cpSync(join(root, 'node_modules'), join(checkout, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  // Fast compression: the contents are the same.
  const command = 'npm run package -- --linux deb --substitute-runtime --quick'
  await step(`the ${name} build`, () =>
    runLogged(`the ${name} build`, 'sh', ['-c', `umask ${umask} && ${command}`], {
      log: join(work, `${name}.log`),
      cwd: checkout,
      env: {
        ...{ ...env, CCACHE_DISABLE: '1' },
        ...(ownCache && { XDG_CACHE_HOME: makeCache(join(work, 'cache')) }),
      },
      behind: true,
    }),
  )
  return checkout
}

/** Returns the folders to compare: the build, the packages, and the package's installed and control files. */
function resultsOf(checkout) {
  const built = join(checkout, 'out')
  const packages = join(built, 'packages')
  const name = readdirSync(packages).find((file) => file.endsWith('.deb'))
  if (!name) throw new Failure('There is no Debian package in out/packages.')
  const payload = join(checkout, 'deb')
  const file = join(packages, name)
  mkdirSync(payload)
  execFileSync('dpkg-deb', ['-e', file, join(payload, 'DEBIAN')])
  // Packages list links last, and creating a link changes its folder's time.
  const tar = ['-x', '--delay-directory-restore', '-C', payload]
  const input = execFileSync('dpkg-deb', ['--fsys-tarfile', file], { maxBuffer: 2 ** 30 })
  execFileSync('tar', tar, { input })
  return { built, packages, payload }
}

async function main() {
  const { values } = parseArgs({ options: { keep: { type: 'boolean' } } })
  if (process.platform !== 'linux') throw new Failure('Builds can be compared only on Linux.')
  const work = mkdtempSync(join(tmpdir(), 'thruflux-reproducible-'))
  const commit = capture('git', ['rev-parse', 'HEAD'], { cwd: root })
  try {
    const results = []
    for (const builder of builders)
      results.push(resultsOf(await buildAs(builder, { work, commit })))
    const [first, second] = results
    for (const what of Object.keys(first)) {
      const metadata = what === 'payload'
      const { same, different } = compareTrees(first[what], second[what], { metadata })
      for (const line of different) console.error(`  ${line}`)
      console.log(`${what}: ${same} the same, ${different.length} different`)
      if (same === 0 || different.length > 0) process.exitCode = 1
    }
  } finally {
    if (values.keep) console.log(`kept in ${work}`)
    else rmSync(work, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) runMain(main)
