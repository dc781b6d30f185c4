// Writes a release's checksums and notes. Their bytes depend only on the packages and the changelog.
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../lib/failure.mjs'

/** Files that are written last and not listed in each other. */
export const checksumFiles = { sha256: 'SHA256SUMS', sha512: 'SHA512SUMS' }

async function hashesOf(path) {
  const hashes = { sha256: createHash('sha256'), sha512: createHash('sha512') }
  for await (const part of createReadStream(path))
    for (const hash of Object.values(hashes)) hash.update(part)
  return Object.fromEntries(
    Object.entries(hashes).map(([name, hash]) => [name, hash.digest('hex')]),
  )
}

/** Returns the names of the files in `folder`, sorted by bytes, without checksums and their signatures. */
export function releaseFiles(folder) {
  const isChecksum = (name) => Object.values(checksumFiles).some((file) => name.startsWith(file))
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !isChecksum(entry.name))
    .map(({ name }) => name)
    .sort()
}

/**
 * Returns both hashes of each of these files.
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

/** Returns the text of the release's page: the version's changelog entry, and how to check downloads. */
export function releaseNotes({ version, text }) {
  const heading = text.replace(/^####/gm, '##').trim()
  return `${heading}

## Check what you downloaded

\`SHA256SUMS\` and \`SHA512SUMS\` list every file: \`sha256sum --ignore-missing -c SHA256SUMS\`. To check their signature, see
docs/releasing.md of version ${version}.
`
}

/**
 * Throws a Failure unless the tag and the changelog's newest, dated entry match the version.
 * @param {{ version: string, tag: string, changelog: readonly { version: string, date: string | undefined }[] }} about
 */
export function checkVersion({ version, tag, changelog: [newest] }) {
  if (tag !== `v${version}`)
    throw new Failure(`The tag is ${tag}, but package.json has ${version}.`)
  if (newest?.version !== version || newest.date === undefined)
    throw new Failure(`CHANGELOG.md doesn't begin with "[${version}] - DATE".`)
}
