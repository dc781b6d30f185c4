// Build tools from Python wheels: native/deps.json lists their versions and hashes. They are unpacked into the user's
// cache folder, apart from the checkout and the system's Python.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, hashOf, hashOfFile, withLock } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

/** Returns the folder of one of the `pythonTools` of `config`, which may not exist yet. */
export function homeOf(config, name) {
  const { version, sha256 } = config.pythonTools[name]
  const edition = hashOf(JSON.stringify(sha256)).slice(0, 8)
  return join(cacheRoot, 'tools', `${name}-${version}-${edition}`)
}

/** Unpacks one of the `pythonTools` of `config` (native/deps.json); returns its folder, for PYTHONPATH. */
export async function pythonTool(config, name) {
  const { version, sha256 } = config.pythonTools[name]
  const home = homeOf(config, name)
  if (existsSync(home)) return home
  return withLock(`${home}.lock`, async () => {
    if (!existsSync(home)) await step(`fetching ${name} ${version}`, () => fetch(home))
    return home
  })

  async function fetch() {
    const work = `${home}.work`
    const log = `${home}.log`
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { recursive: true })
    try {
      const pip = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '-d', work]
      await runLogged(`downloading ${name}`, 'python3', [...pip, `${name}==${version}`], { log })
      const file = listedWheel(name, sha256, readdirSync(work), (each) =>
        hashOfFile(join(work, each)),
      )
      const unpacked = join(work, 'unpacked')
      const unzip = ['-m', 'zipfile', '-e', join(work, file), unpacked]
      await runLogged(`unpacking ${name}`, 'python3', unzip, { log })
      renameSync(unpacked, home)
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  }
}

/** Returns the file among `files` that `sha256` lists, if its hash matches; otherwise throws a Failure. */
export function listedWheel(name, sha256, files, hash) {
  const file = files.find((each) => each.endsWith('.whl'))
  if (!file || !Object.hasOwn(sha256, file))
    throw new Failure(
      `The package index offers ${file ?? 'nothing'} for ${name}, which native/deps.json doesn't list. Review and add it, or build on another machine.`,
    )
  const sum = hash(file)
  if (sum === sha256[file]) return file
  throw new Failure(
    `${file} has SHA-256 ${sum}, native/deps.json lists ${sha256[file]}. Don't use it, and report this.`,
  )
}
