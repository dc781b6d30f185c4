// What a Mach-O file asks of the system and shows to others, read from what llvm-objdump prints.
import { Failure } from './failure.mjs'
import { capture } from './run.mjs'

/** Where Debian's LLVM and Apple's tools are called by one name or the other. */
const namesOf = {
  objdump: ['llvm-objdump-19', 'llvm-objdump'],
  lipo: ['llvm-lipo-19', 'lipo'],
  names: ['llvm-install-name-tool-19', 'install_name_tool'],
}

/** The name that this machine has for a tool of LLVM: `objdump`, `lipo` or `names`. */
export function llvmTool(tool) {
  const found = namesOf[tool].find((name) => capture(name, ['--version']) !== undefined)
  if (found) return found
  throw new Failure(`${namesOf[tool][0]} is missing: install the package llvm-19.`)
}

/**
 * Reads what `llvm-objdump --macho` prints of one architecture: `headers` with --private-headers, `exported` with
 * --exports-trie, `bound` with --bind, --lazy-bind and --weak-bind.
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
    /** How others ask for this library. */
    id: values('LC_ID_DYLIB', 'name')[0],
    loads: values('LC_LOAD_DYLIB', 'name'),
    paths: values('LC_RPATH', 'path'),
    exports: [...exported.matchAll(/^0x[0-9a-fA-F]+\s+(\S+)/gm)].map(([, name]) => name),
    /** What whoever loads it has to have. */
    lookedUp: [
      ...new Set([...bound.matchAll(/\bflat-namespace\s+(\S+)/g)].map(([, name]) => name)),
    ],
  }
}

/** The same of a file, for `arch`: x86_64 or arm64. */
export function readMachO(file, arch) {
  const objdump = llvmTool('objdump')
  const print = (...options) => {
    const text = capture(objdump, ['--macho', `--arch=${arch}`, ...options, file])
    if (text === undefined)
      throw new Failure(`${objdump} cannot read the part for ${arch} of ${file}.`)
    return text
  }
  return parseMachO({
    headers: print('--private-headers'),
    exported: print('--exports-trie'),
    bound: print('--bind', '--lazy-bind', '--weak-bind'),
  })
}

const ofTheSystem = /^\/usr\/lib\/lib(System\.B|iconv\.2|resolv\.9|c\+\+\.1)\.dylib$/
const entryPoints = ['_napi_register_module_v1', '_node_api_module_get_api_version_v1']

/**
 * Sentences about what is wrong with a file that stands beside `files`; empty if nothing.
 * @param {string} name
 * @param {ReturnType<typeof parseMachO>} found
 * @param {readonly string[]} files
 */
export function problemsOf(name, found, files) {
  const isAddon = name.endsWith('.node')
  const problems = []
  if (found.platform !== 'macos' || found.minimum !== '13.3')
    problems.push(`is for ${found.platform} ${found.minimum} instead of macos 13.3`)
  if (!found.id?.startsWith('@rpath/')) problems.push(`is asked for as ${found.id}`)
  for (const library of found.loads) {
    const own = /^@rpath\/([^/]+)$/.exec(library)?.[1]
    if (own !== undefined ? !files.includes(own) : !ofTheSystem.test(library))
      problems.push(`loads ${library}, which is not beside it`)
  }
  if (found.paths.some((path) => path !== '@loader_path'))
    problems.push(`looks for libraries in ${found.paths.join(', ')}`)
  const foreign = found.lookedUp.filter((symbol) => !isAddon || !/^_(napi|node_api)_/.test(symbol))
  if (foreign.length > 0) problems.push(`looks for ${foreign.join(', ')} in the program`)
  if (isAddon) {
    const missing = entryPoints.filter((symbol) => !found.exports.includes(symbol))
    if (missing.length > 0) problems.push(`does not show ${missing.join(', ')}`)
    const shown = found.exports.filter((each) => !entryPoints.includes(each))
    if (shown.length > 0) problems.push(`shows ${shown.length} more names, such as ${shown[0]}`)
  }
  return problems
}
