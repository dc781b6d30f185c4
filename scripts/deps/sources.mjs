// Source packages of newer distribution suites, fetched and verified by apt in a private root, so that the
// machine's own package lists stay as they are. The mirror is the one the machine already uses.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, hashOfFile } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'
import { isAccepted } from './version.mjs'

const sourcesDir = join(cacheRoot, 'sources')

function mirrorOf(distribution) {
  const name = distribution === 'ubuntu' ? 'Ubuntu' : 'Debian'
  const targets =
    capture('apt-get', [
      'indextargets',
      '--format',
      '$(REPO_URI)|$(ORIGIN)|$(LABEL)',
      'Created-By: Packages',
    ]) ?? ''
  const rows = targets.split('\n').map((line) => line.split('|'))
  const row =
    rows.find(([, origin, label]) => origin === name && label === name) ??
    rows.find(([uri]) => uri.endsWith(`/${distribution}/`))
  if (!row) {
    throw new Failure(
      `apt lists no ${name} mirror, so newer sources cannot be fetched: add one to its sources and run apt-get update.`,
    )
  }
  return row[0]
}

/** Which distribution's archive this machine's apt can verify: 'debian', 'ubuntu' or undefined. */
export function distributionOf(osRelease) {
  const ids = [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, value]) =>
    value.split(' '),
  )
  return ['ubuntu', 'debian'].find((name) => ids.includes(name))
}

/** A private apt root that knows the source packages of the suites named in deps.json. */
export class SourceArchive {
  #options = []

  constructor(config, distribution, workDir, log) {
    this.config = config
    this.distribution = distribution
    this.workDir = workDir
    this.log = log
  }

  /** Fetches the signed package lists of every suite in use. */
  async update() {
    const { keyring, components } = this.config.suites[this.distribution]
    if (!existsSync(keyring))
      throw new Failure(
        `${keyring} is missing: install the ${this.distribution}-archive-keyring package.`,
      )
    const apt = join(this.workDir, 'apt')
    for (const dir of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(apt, dir), { recursive: true })
    const suites = Object.values(this.config.dependencies)
      .flatMap((dependency) => dependency.sources ?? [])
      .flatMap((source) => source[this.distribution] ?? [])
    const mirror = mirrorOf(this.distribution)
    const lines = [...new Set(suites)].map(
      (suite) => `deb-src [signed-by=${keyring}] ${mirror} ${suite} ${components}\n`,
    )
    writeFileSync(join(apt, 'sources.list'), lines.join(''))
    this.#options = [
      `Dir::Etc::sourcelist=${apt}/sources.list`,
      'Dir::Etc::sourceparts=/dev/null',
      `Dir::State::lists=${apt}/lists`,
      `Dir::Cache=${apt}/cache`,
      'APT::Sandbox::User=root',
      'Acquire::Retries=3',
    ].flatMap((option) => ['-o', option])
    await runLogged(
      'fetching the lists of source packages',
      'apt-get',
      ['-q', ...this.#options, 'update'],
      { log: this.log },
    )
  }

  /** Candidates `{ file, version, spec }` of a dependency in order of preference, within its accepted versions. */
  #candidates(dependency) {
    return dependency.sources.flatMap((source) =>
      (source[this.distribution] ?? []).flatMap((suite) => {
        const spec = `${source.package}/${suite}`
        const uris =
          capture('apt-get', [
            '-q',
            ...this.#options,
            'source',
            '--print-uris',
            '--tar-only',
            spec,
          ]) ?? ''
        const [, file, packaged] = /'[^']*' (\S+?_([0-9][^_ ]*?)\.orig\.tar\.\w+) /.exec(uris) ?? []
        const limits = { minimum: source.minimum ?? dependency.minimum, below: dependency.below }
        if (!file || !isAccepted(packaged, limits)) return []
        return [{ file, spec, version: source.carries ?? packaged }]
      }),
    )
  }

  /** Downloads a dependency's source: `{ path, version }`. The archive's signatures vouch for what is not listed. */
  async fetch(name, dependency) {
    const candidates = this.#candidates(dependency)
    let lastError = new Failure(
      `no suite of this machine's mirror has the source of ${name} ${dependency.minimum} or newer: try again later, or install it yourself.`,
    )
    for (const { file, spec, version } of candidates) {
      try {
        await runLogged(
          `fetching the source of ${name}`,
          'apt-get',
          ['-q', ...this.#options, 'source', '--download-only', '--tar-only', spec],
          {
            log: this.log,
            cwd: this.workDir,
          },
        )
      } catch (error) {
        lastError = error
        continue
      }
      const path = join(this.workDir, file)
      const sum = hashOfFile(path)
      const listed = dependency.sha256[file]
      if (listed && listed !== sum) {
        lastError = new Failure(
          `${file} has SHA-256 ${sum}, native/deps.json lists ${listed}: do not build it, report this.`,
        )
        continue
      }
      if (!listed)
        console.log(
          `  ${file} is newer than native/deps.json knows; the archive's signature vouches for it (sha256 ${sum})`,
        )
      keep(path, file)
      return { path, version }
    }
    throw lastError
  }
}

function keep(path, file) {
  mkdirSync(sourcesDir, { recursive: true })
  const partial = join(sourcesDir, `${file}.${process.pid}.tmp`)
  copyFileSync(path, partial)
  renameSync(partial, join(sourcesDir, file))
}

/** A source kept from an earlier build, used only when native/deps.json lists its hash: `{ path, version }`. */
export function keptSource(dependency) {
  for (const [file, sum] of Object.entries(dependency.sha256)) {
    const path = join(sourcesDir, file)
    if (!existsSync(path) || hashOfFile(path) !== sum) continue
    const [, name, packaged] = /^(.*)_([0-9][^_]*?)\.orig/.exec(file)
    const source = dependency.sources.find((candidate) => candidate.package === name)
    return { path, version: source?.carries ?? packaged }
  }
  return undefined
}

/** Reads /etc/os-release, or nothing on other systems. */
export function readOsRelease() {
  return existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
}
