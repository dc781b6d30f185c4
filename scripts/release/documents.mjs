// What stands beside the packages of a release: checksums, release notes, provenance. Their bytes depend on the packages and the
// commit alone.
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files of a release that are written last, and of which the others don't speak. */
export const checksumFiles = { sha256: 'SHA256SUMS', sha512: 'SHA512SUMS' }

async function hashesOf(path) {
  const hashes = { sha256: createHash('sha256'), sha512: createHash('sha512') }
  for await (const part of createReadStream(path))
    for (const hash of Object.values(hashes)) hash.update(part)
  return Object.fromEntries(
    Object.entries(hashes).map(([name, hash]) => [name, hash.digest('hex')]),
  )
}

/** Names of the files in `folder`, sorted by their bytes, without checksums and what was signed of them. */
export function releaseFiles(folder) {
  const isChecksum = (name) => Object.values(checksumFiles).some((file) => name.startsWith(file))
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !isChecksum(entry.name))
    .map(({ name }) => name)
    .sort()
}

/**
 * Both hashes of each of these files.
 * @param {string} folder
 * @param {readonly string[]} names
 * @returns {Promise<{ name: string, sha256: string, sha512: string }[]>}
 */
export async function hashFiles(folder, names) {
  const files = []
  for (const name of names) {
    const { sha256, sha512 } = await hashesOf(join(folder, name))
    files.push({ name, sha256, sha512 })
  }
  return files
}

/** Writes the checksums of all files, for `sha256sum -c` and `sha512sum -c`. */
export async function writeChecksums(folder) {
  const files = await hashFiles(folder, releaseFiles(folder))
  for (const [algorithm, file] of Object.entries(checksumFiles)) {
    const lines = files.map((one) => `${one[algorithm]}  ${one.name}\n`)
    writeFileSync(join(folder, file), lines.join(''))
  }
}

/** The text for the release's page: what the changelog says of the version, and how to check what was downloaded. */
export function releaseNotes({ version, text }) {
  const heading = text.replace(/^####/gm, '##').trim()
  return `${heading}

## Check what you downloaded

\`SHA256SUMS\` and \`SHA512SUMS\` list every file: \`sha256sum --ignore-missing -c SHA256SUMS\`. How to check who made them, and what is
in each package: docs/releasing.md of version ${version}.
`
}

/**
 * The statement of how these files came to be: https://slsa.dev/spec/v1.0/provenance in https://in-toto.io/Statement/v1.
 * Nobody signed it: it says what to build again and compare with.
 * @param {object} about
 * @param {{ name: string, sha256: string, sha512: string }[]} about.files
 * @param {string} about.version
 * @param {{ hash: string }} about.commit
 * @param {{ name: string, sha256: string }[]} about.sources archives that went into the build
 * @param {string} about.lockHash SHA-256 of package-lock.json
 * @param {Record<string, string>} about.tools versions by name
 */
export function provenance({ files, version, commit, sources, lockHash, tools }) {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, sha256, sha512 }) => ({ name, digest: { sha256, sha512 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:thruflux:release:1',
        externalParameters: { version, ref: `refs/tags/v${version}` },
        internalParameters: { tools },
        resolvedDependencies: [
          { name: 'thruflux', digest: { gitCommit: commit.hash } },
          { name: 'package-lock.json', digest: { sha256: lockHash } },
          ...sources.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
        ],
      },
      runDetails: { builder: { id: 'urn:thruflux:release-script' } },
    },
  }
  return `${JSON.stringify(statement, undefined, 2)}\n`
}
