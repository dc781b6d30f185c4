// The list of everything that is in the packages of one target (CycloneDX 1.6): npm packages, native libraries, Electron and
// its parts, data. The same build gives the same bytes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Enums, Models, Serialize, SPDX, Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'

const { ComponentType, ExternalReferenceType, HashAlgorithm } = Enums
const spec = Spec.Spec1dot6
const validator = new Validation.JsonStrictValidator(spec.version)

/** Licenses of what Electron brings; each has its text in the package's own LICENSES.chromium.html. */
const partsOfElectron = {
  chrome: { name: 'Chromium', license: 'BSD-3-Clause' },
  node: { name: 'Node.js', license: 'MIT' },
  v8: { name: 'V8', license: 'BSD-3-Clause' },
}

/** The licenses that SPDX knows are those of the schema; the serializer would take any other for a mere name. */
function licensesOf(expression) {
  if (expression === undefined) return new Models.LicenseRepository()
  if (/[\s(]/.test(expression))
    return new Models.LicenseRepository([new Models.LicenseExpression(expression)])
  if (!SPDX.isSupportedSpdxId(expression))
    throw new Failure(
      `"${expression}" is no license that SPDX knows: see whose it is, and write it as SPDX does.`,
    )
  return new Models.LicenseRepository([new Models.SpdxLicense(expression)])
}

const hashesOf = (algorithm, hex) => new Models.HashDictionary([[algorithm, hex]])

const property = (name, value) => new Models.Property(`thruflux:${name}`, value)

function npmComponent({ name, version, license, integrity, programs }) {
  const [base, group] = name.split('/').reverse()
  const purl = `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${base}@${version}`
  return new Models.Component(ComponentType.Library, base, {
    ...{ bomRef: purl, group, version, purl, licenses: licensesOf(license) },
    properties: new Models.PropertyRepository(programs.map((program) => property('in', program))),
    externalReferences: new Models.ExternalReferenceRepository([
      // The hash of the archive in the registry: what is bundled has no file of its own.
      new Models.ExternalReference(purl, ExternalReferenceType.Distribution, {
        hashes: hashesOf(
          HashAlgorithm['SHA-512'],
          Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex'),
        ),
      }),
    ]),
  })
}

function nativeComponent({ name, version, license, source, files }) {
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`
  const references = source
    ? [
        new Models.ExternalReference(source.file, ExternalReferenceType.SourceDistribution, {
          hashes: hashesOf(HashAlgorithm['SHA-256'], source.sha256),
        }),
      ]
    : []
  const parts = files.map(
    (file) =>
      new Models.Component(ComponentType.File, file.name, {
        bomRef: `${purl}#${file.name}`,
        hashes: hashesOf(HashAlgorithm['SHA-256'], file.sha256),
      }),
  )
  return new Models.Component(ComponentType.Library, name, {
    ...{ bomRef: purl, version, purl, licenses: licensesOf(license) },
    components: new Models.ComponentRepository(parts),
    externalReferences: new Models.ExternalReferenceRepository(references),
    properties: new Models.PropertyRepository([
      property('linked', parts.length > 0 ? 'as a file of its own' : 'into the addon'),
    ]),
  })
}

/**
 * Versions of Electron's parts, by what this system's program says of itself; it names Chromium's only among its texts. Those for
 * other systems have the same.
 */
export function versionsOfElectron(executable) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const said = execFileSync(executable, ['-p', 'JSON.stringify(process.versions)'], { env })
  const [, chrome] = /Chrome\/(\d+\.\d+\.\d+\.\d+)/.exec(readFileSync(executable, 'latin1')) ?? []
  return { chrome, ...JSON.parse(said.toString()) }
}

function electronComponent({ version, kind, versions }) {
  const purl = `pkg:npm/electron@${version}`
  const parts = Object.entries(partsOfElectron)
    .filter(([key]) => versions[key])
    .map(
      ([key, { name, license }]) =>
        new Models.Component(ComponentType.Framework, name, {
          ...{ bomRef: `${purl}#${key}`, version: versions[key], licenses: licensesOf(license) },
        }),
    )
  return new Models.Component(ComponentType.Framework, 'electron', {
    ...{ bomRef: purl, version, purl, licenses: licensesOf('MIT') },
    components: new Models.ComponentRepository(parts),
    properties: new Models.PropertyRepository([property('runtime', kind)]),
  })
}

/** The Node of `thru` alone. */
const nodeComponent = (version) =>
  new Models.Component(ComponentType.Framework, 'Node.js', {
    ...{ bomRef: `pkg:generic/node@${version}`, version, purl: `pkg:generic/node@${version}` },
    licenses: licensesOf('MIT'),
    properties: new Models.PropertyRepository([property('in', 'thruflux-cli')]),
  })

/** It comes as WebAssembly in a package of npm, whose version says nothing of it. */
const sqliteComponent = (version) =>
  new Models.Component(ComponentType.Library, 'sqlite', {
    ...{ bomRef: `pkg:generic/sqlite@${version}`, version, purl: `pkg:generic/sqlite@${version}` },
    licenses: licensesOf('blessing'),
    properties: new Models.PropertyRepository([property('in', 'node-sqlite3-wasm')]),
  })

const wordList = () =>
  new Models.Component(ComponentType.Data, 'eff-short-wordlist-2', {
    bomRef: 'wordlist',
    licenses: licensesOf('CC-BY-3.0-US'),
    hashes: hashesOf(
      HashAlgorithm['SHA-256'],
      createHash('sha256')
        .update(readFileSync(join(root, 'resources/wordlist.txt')))
        .digest('hex'),
    ),
  })

/** A UUID that depends on `text` alone, in the form of version 8 (RFC 9562). */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((parseInt(hex[16], 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

/**
 * The text of the list, checked against the schema of CycloneDX.
 * @param {object} about
 * @param {string} about.target as `linux-x64`
 * @param {string} about.version of the product
 * @param {{ hash: string, time: Date }} about.commit
 * @param {{ version: string, kind: string, versions: Record<string, string> }} about.electron
 * @param {string} [about.node] version of the Node that `thru` alone has
 * @param {ReturnType<typeof import('../lib/bundled-packages.mjs').bundledPackages>} about.packages
 * @param {ReturnType<typeof import('../lib/native-libraries.mjs').nativeLibraries>} about.libraries
 * @param {string} about.sqlite version of SQLite
 */
export async function sbomOf(about) {
  const { target, version, commit, electron, node, packages, libraries, sqlite } = about
  const components = [
    ...packages.map(npmComponent),
    ...libraries.map(nativeComponent),
    sqliteComponent(sqlite),
    electronComponent(electron),
    ...(node ? [nodeComponent(node)] : []),
    wordList(),
  ]
  const purl = `pkg:generic/thruflux@${version}`
  const product = new Models.Component(ComponentType.Application, 'thruflux', {
    ...{ bomRef: purl, version, purl, licenses: licensesOf('MIT') },
    properties: new Models.PropertyRepository([
      property('commit', commit.hash),
      property('target', target),
    ]),
    dependencies: new Models.BomRefRepository(components.map(({ bomRef }) => bomRef)),
  })
  const bom = new Models.Bom({
    serialNumber: `urn:uuid:${uuidOf(`${commit.hash} ${target}`)}`,
    components: new Models.ComponentRepository(components),
    metadata: new Models.Metadata({
      timestamp: commit.time,
      component: product,
      lifecycles: new Models.LifecycleRepository([Enums.LifecyclePhase.Build]),
    }),
  })
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(spec))
  const text = serializer.serialize(bom, { sortLists: true, space: 2 })
  const problems = await validator.validate(text)
  if (problems)
    throw new Failure(`The list of contents is not CycloneDX: ${JSON.stringify(problems)}`)
  return `${text}\n`
}
