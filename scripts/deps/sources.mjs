// Source packages of newer suites, downloaded and verified by apt in a private root, so the machine's package lists
// stay unchanged. Uses the machine's own mirror.
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
import { missedLimit } from './version.mjs'

const sourcesDir = join(cacheRoot, 'sources')

/** Returns the address of this machine's mirror of a distribution, from its apt sources. */
export function mirrorOf(distribution) {
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
      `apt lists no ${name} mirror, so newer sources can't be downloaded. Add one to its sources and run apt-get update.`,
    )
  }
  return row[0]
}

/** Returns the distribution whose archive this machine's apt can verify: 'debian', 'ubuntu' or undefined. */
export function distributionOf(osRelease) {
  const ids = [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, value]) =>
    value.split(' '),
  )
  return ['ubuntu', 'debian'].find((name) => ids.includes(name))
}

/** A private apt root with the source packages of the suites in deps.json. */
export class SourceArchive {
  #options = []

  constructor(config, distribution, workDir, log) {
    this.config = config
    this.distribution = distribution
    this.workDir = workDir
    this.log = log
  }

  /** Downloads the signed package lists of all suites in use. */
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

  /** The mirror's sources of a dependency in accepted versions: `{ uri, file, sha256, version }`. */
  #candidates(dependency) {
    return dependency.sources.flatMap((source) =>
      (source[this.distribution] ?? []).flatMap((suite) => {
        const spec = `${source.package}/${suite}`
        const query = ['source', '--print-uris', '--tar-only', spec]
        const uris = capture('apt-get', ['-q', ...this.#options, ...query]) ?? ''
        const found = offeredSource(uris)
        const limits = { minimum: source.minimum ?? dependency.minimum, below: dependency.below }
        if (!found || missedLimit(found.version, limits)) return []
        return [{ ...found, version: source.carries ?? found.version }]
      }),
    )
  }

  /** Downloads a dependency's source, a file listed with its hash in native/deps.json: `{ path, version }`. */
  async fetch(name, dependency) {
    const candidates = this.#candidates(dependency)
    let lastError
    for (const candidate of chooseSources(name, dependency, candidates)) {
      try {
        return await this.#download(name, dependency, candidate)
      } catch (error) {
        // A mirror that is being updated can list files that it no longer has, or doesn't have yet.
        lastError = error
      }
    }
    const isOffered = unlistedAllowed() || candidates.some((one) => isListed(dependency, one))
    throw isOffered ? lastError : movedOn(candidates[0])
  }

  async #download(name, dependency, { file, uri, sha256, version }) {
    const path = join(this.workDir, file)
    await runLogged(
      `fetching the source of ${name}`,
      '/usr/lib/apt/apt-helper',
      ['-q', ...this.#options, 'download-file', uri, path, ...(sha256 ? [`SHA256:${sha256}`] : [])],
      { log: this.log, cwd: this.workDir },
    )
    const sum = hashOfFile(path)
    const listed = dependency.sha256[file]
    if (!listed)
      console.error(`  ${file} is not in native/deps.json: THRU_UNLISTED_SOURCES allows it`)
    else if (listed !== sum) throw hashDiffers(file, sum, listed)
    store(path, file)
    return { path, version }
  }
}

/** Parses the output of `apt-get source --print-uris --tar-only`: `{ uri, file, version, sha256 }`, or undefined. */
export function offeredSource(uris) {
  const line = /'([^']*)' (\S+?_([0-9][^_ ]*?)\.orig\.tar\.\w+) \d+ (?:SHA256:([0-9a-f]{64}))?/
  const [, uri, file, version, sha256] = line.exec(uris) ?? []
  return file ? { uri, file, version, sha256 } : undefined
}

/** True if the user allows sources that native/deps.json doesn't list. */
export const unlistedAllowed = () => process.env.THRU_UNLISTED_SOURCES === '1'

const hashDiffers = (file, sum, listed) =>
  new Failure(
    `${file} has SHA-256 ${sum}, native/deps.json lists ${listed}. Don't build it, and report this.`,
  )

const movedOn = ({ file }) =>
  new Failure(
    `This machine's mirror has moved on to ${file}, which native/deps.json doesn't list. Update the checkout, or ` +
      "set THRU_UNLISTED_SOURCES=1 to build it with only the archive's signature as proof.",
  )

const isListed = (dependency, { file }) => Object.hasOwn(dependency.sha256, file)

/**
 * Returns the candidates to try, best first: files listed in native/deps.json, whether the mirror offers them or may
 * still have them. Files with only the archive's signature are refused unless the user allows them.
 */
export function chooseSources(name, dependency, candidates, allowed = unlistedAllowed()) {
  const listed = candidates.filter((candidate) => isListed(dependency, candidate))
  const other = listed.find(({ file, sha256 }) => sha256 && sha256 !== dependency.sha256[file])
  if (other) throw hashDiffers(other.file, other.sha256, dependency.sha256[other.file])
  if (candidates.length === 0)
    throw new Failure(
      `This machine's mirror has no source of ${name} from ${dependency.minimum} to below ${dependency.below}. Try again later, or use an up-to-date mirror.`,
    )
  const choices = [...listed, ...keptSources(dependency, candidates)]
  if (listed.length === 0 && allowed) return [...choices, ...candidates]
  if (choices.length === 0) throw movedOn(candidates[0])
  return choices
}

/** Listed files that the mirror no longer offers, at their likely addresses next to their successors. */
function keptSources(dependency, candidates) {
  return Object.entries(dependency.sha256).flatMap(([file, sha256]) => {
    const { name, version } = sourceIn(dependency, file)
    const newer = candidates.find((candidate) => candidate.file.startsWith(`${name}_`))
    if (!newer || candidates.some((candidate) => candidate.file === file)) return []
    return [{ uri: new URL(encodeURIComponent(file), newer.uri).href, file, version, sha256 }]
  })
}

/** The package and version in a listed file's name. */
function sourceIn(dependency, file) {
  const [, name, packaged] = /^(.*)_([0-9][^_]*?)\.orig/.exec(file)
  const source = dependency.sources.find((candidate) => candidate.package === name)
  return { name, version: source?.carries ?? packaged }
}

function store(path, file) {
  mkdirSync(sourcesDir, { recursive: true })
  const partial = join(sourcesDir, `${file}.${process.pid}.tmp`)
  copyFileSync(path, partial)
  renameSync(partial, join(sourcesDir, file))
}

/** Returns `{ path, version }` of a source from an earlier build if its hash is in native/deps.json. */
export function storedSource(dependency) {
  for (const [file, sum] of Object.entries(dependency.sha256)) {
    const path = join(sourcesDir, file)
    if (!existsSync(path) || hashOfFile(path) !== sum) continue
    return { path, version: sourceIn(dependency, file).version }
  }
  return undefined
}

/** Reads /etc/os-release; returns an empty string on other systems. */
export function readOsRelease() {
  return existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
}
