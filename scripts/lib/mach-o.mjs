// Reads a Mach-O file's requirements and exports from the output of llvm-objdump.
import { spawnSync } from 'node:child_process'
import { Failure } from './failure.mjs'
import { capture } from './run.mjs'

/** Debian's names of LLVM's tools, and Apple's tools with the same options. */
const namesOf = {
  objdump: { linux: 'llvm-objdump-19', darwin: 'objdump' },
  lipo: { linux: 'llvm-lipo-19', darwin: 'lipo' },
  names: { linux: 'llvm-install-name-tool-19', darwin: 'install_name_tool' },
}

/** This machine's name of a tool: `objdump`, `lipo` or `names`. */
export function llvmTool(tool) {
  const name = namesOf[tool][process.platform]
  // Apple's tools have no --version, so starting is enough.
  if (name && spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined) return name
  throw new Failure(
    process.platform === 'darwin'
      ? `${name} is missing: install the command line tools of Xcode.`
      : `${namesOf[tool].linux} is missing: install the package llvm-19.`,
  )
}

/**
 * Parses what `llvm-objdump --macho` prints for one architecture: `headers` from --private-headers, `exported` from
 * --exports-trie, `bound` from --bind, --lazy-bind, --weak-bind, and --dyld-info for newer linkers' chained fixups.
 */
export function parseMachO({ headers, exported, bound }) {
  const commands = headers.split(/^Load command \d+$/m).slice(1)
  const values = (name, field) =>
    commands
      .filter((text) => new RegExp(`\\bcmd ${name}\\b`).test(text))
      .map((text) => new RegExp(`^\\s*${field} (.+?)(?: \\(offset \\d+\\))?$`, 'm').exec(text)?.[1])
      .filter((value) => value !== undefined)
  return {
    platform: values('LC_BUILD_VERSION', 'platform')[0],
    minimum: values('LC_BUILD_VERSION', 'minos')[0],
    /** The name by which others load this library. */
    id: values('LC_ID_DYLIB', 'name')[0],
    loads: values('LC_LOAD_DYLIB', 'name'),
    paths: values('LC_RPATH', 'path'),
    exports: [...exported.matchAll(/^0x[0-9a-fA-F]+\s+(\S+)/gm)].map(([, name]) => name),
    /** Symbols that the loading program must provide. */
    lookedUp: [
      ...new Set([...bound.matchAll(/\bflat-namespace\s+(\S+)/g)].map(([, name]) => name)),
    ],
  }
}

/** Reads a file for `arch`: x86_64 or arm64. */
export function readMachO(file, arch) {
  const objdump = llvmTool('objdump')
  const print = (...options) => {
    const text = capture(objdump, ['--macho', `--arch=${arch}`, ...options, file])
    if (text === undefined) throw new Failure(`${objdump} can't read the ${arch} part of ${file}.`)
    return text
  }
  return parseMachO({
    headers: print('--private-headers'),
    exported: print('--exports-trie'),
    bound: print('--bind', '--lazy-bind', '--weak-bind', '--dyld-info'),
  })
}

const ofTheSystem =
  /^(\/usr\/lib\/lib(System\.B|iconv\.2|resolv\.9|c\+\+\.1|objc\.A)\.dylib|\/System\/Library\/Frameworks\/.+)$/
const entryPoints = ['_napi_register_module_v1', '_node_api_module_get_api_version_v1']

/**
 * Returns sentences about problems of a file next to `files`; empty if there are none.
 * @param {string} name
 * @param {ReturnType<typeof parseMachO>} found
 * @param {readonly string[]} files
 */
export function problemsOf(name, found, files) {
  const isAddon = name.endsWith('.node')
  const problems = []
  if (found.platform !== 'macos' || found.minimum !== '13.3')
    problems.push(`is for ${found.platform} ${found.minimum} instead of macos 13.3`)
  if (!found.id?.startsWith('@rpath/')) problems.push(`has the install name ${found.id}`)
  for (const library of found.loads) {
    const own = /^@rpath\/([^/]+)$/.exec(library)?.[1]
    if (own !== undefined ? !files.includes(own) : !ofTheSystem.test(library))
      problems.push(`loads ${library}, which is not next to it`)
  }
  if (found.paths.some((path) => path !== '@loader_path'))
    problems.push(`searches for libraries in ${found.paths.join(', ')}`)
  const foreign = found.lookedUp.filter((symbol) => !isAddon || !/^_(napi|node_api)_/.test(symbol))
  if (foreign.length > 0) problems.push(`expects ${foreign.join(', ')} from the program`)
  if (isAddon) {
    const missing = entryPoints.filter((symbol) => !found.exports.includes(symbol))
    if (missing.length > 0) problems.push(`doesn't export ${missing.join(', ')}`)
    const shown = found.exports.filter((each) => !entryPoints.includes(each))
    if (shown.length > 0) problems.push(`exports ${shown.length} more names, such as ${shown[0]}`)
  }
  return problems
}
