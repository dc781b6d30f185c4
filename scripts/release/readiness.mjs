// What has to be true of a checkout before anything is released from it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkLock, readLock } from '../check-lock.mjs'
import { root } from '../lib/cache.mjs'
import { readVersions } from '../lib/changelog.mjs'
import { capture } from '../lib/run.mjs'

const read = (path) => readFileSync(join(root, path), 'utf8')

/** A version of semver 2 without build metadata; with a pre-release part it is for the channel beta. */
const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|[0-9A-Za-z-]+)(\.[0-9A-Za-z-]+)*)?$/

/**
 * Names of native sources that a build would take on the word of a signature alone: those without a SHA-256 of 64 digits.
 * @param {{ dependencies: object, targetDependencies?: object, toolSources?: object }} config
 */
export function unpinnedSources({ dependencies, targetDependencies = {}, toolSources = {} }) {
  return [dependencies, targetDependencies, toolSources]
    .flatMap((sources) => Object.entries(sources))
    .filter(([, { sources }]) => sources)
    .filter(([, { sha256 = {} }]) => {
      const sums = Object.values(sha256)
      return sums.length === 0 || sums.some((sum) => !/^[0-9a-f]{64}$/.test(sum))
    })
    .map(([name]) => name)
}

/** What the checks look at, of this checkout and this machine; `tag` is that of the release, else that of the commit. */
export function readState({ tag } = {}) {
  const git = (...args) => capture('git', args, { cwd: root })
  const { version } = JSON.parse(read('package.json'))
  return {
    version,
    tag: tag ?? git('tag', '--points-at', 'HEAD', `v${version}`),
    commitOfTag: tag && git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`),
    commit: git('rev-parse', 'HEAD'),
    changes: git('status', '--porcelain'),
    changelog: readVersions(),
    lock: readLock(),
    native: JSON.parse(read('native/deps.json')),
    environment: process.env,
    product: read('build/product.json'),
    feed: JSON.parse(read('resources/update-feed.json')),
    keys: JSON.parse(read('resources/update-keys.json')),
  }
}

function checkTag({ version, tag, commitOfTag, commit }) {
  if (!tag) return `the commit has no tag v${version}`
  if (tag !== `v${version}`) return `the tag is ${tag}, and package.json says ${version}`
  if (commitOfTag !== undefined && commitOfTag !== commit) return `${tag} is another commit`
  return undefined
}

function checkChangelog({ version, changelog }) {
  const entry = changelog.find((one) => one.version === version)
  if (!entry) return `CHANGELOG.md has nothing about ${version}`
  if (!entry.date) return `CHANGELOG.md has ${version} under "Unreleased", without a date`
  if (changelog[0] !== entry) return `CHANGELOG.md has ${changelog[0].version} before ${version}`
  return undefined
}

/** Each with what it looks at and a function from the state to what is wrong, or undefined. */
const checks = {
  'the checkout is clean': ({ changes }) =>
    changes === '' ? undefined : 'files were changed and not committed',
  'the version has the form of semver': ({ version }) =>
    semver.test(version) ? undefined : `"${version}" has not`,
  'the tag is that of the version': checkTag,
  'the changelog is that of the version': checkChangelog,
  'the lock file is whole': ({ lock }) => checkLock(lock)[0],
  'native sources are pinned': ({ native }) => {
    const names = unpinnedSources(native)
    return names.length === 0
      ? undefined
      : `native/deps.json has no SHA-256 for ${names.join(', ')}`
  },
  'unlisted sources are refused': ({ environment }) =>
    environment.THRU_UNLISTED_SOURCES ? 'THRU_UNLISTED_SOURCES would allow them' : undefined,
  'the product has its addresses': ({ product }) =>
    product.includes('.invalid')
      ? 'build/product.json has places to fill in (.invalid)'
      : undefined,
  'updates have an address and two keys': ({ feed, keys }) =>
    feed.address !== '' && keys.keys.length >= 2
      ? undefined
      : 'resources/update-feed.json and update-keys.json lack them: installed copies would never look for updates',
}

/**
 * All checks in their order, with what is wrong.
 * @param {ReturnType<typeof readState>} state
 * @returns {{ name: string, problem: string | undefined }[]}
 */
export function readiness(state) {
  return Object.entries(checks).map(([name, check]) => ({ name, problem: check(state) }))
}
