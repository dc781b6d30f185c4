// The compilers for a target: the system's, or zig's.
import { Failure } from '../lib/failure.mjs'
import { capture } from '../lib/run.mjs'
import { ensurePackages } from './apt.mjs'
import { distributionOf, readOsRelease } from './sources.mjs'
import { zigTools } from './zig.mjs'

/** Packages for building libraries from source, in addition to a compiler. */
const buildPackages = [
  'autoconf',
  'automake',
  'libtool',
  'libltdl-dev',
  'libglib2.0-dev-bin',
  'python3-pip',
]
/** LLVM's linker links the addon for macOS (macos-link.mjs). */
const linkerPackages = { darwin: ['lld-19'] }

/**
 * Returns a target's tools: paths or names of `cc`, `cxx`, `ar`, `ranlib`, and optionally `strip` and `rc`; `version`
 * identifies the compiler. Installs missing ones if running as root.
 */
export async function toolchainOf(config, target) {
  const packages = [
    ...target.packages,
    ...buildPackages,
    ...(linkerPackages[target.platform] ?? []),
  ]
  if (distributionOf(readOsRelease())) await ensurePackages(packages)
  const tools = target.kind === 'zig' ? await zigTools(config, target.zig) : gccTools(target)
  const version = tools.version ?? capture(tools.cc, ['--version'])
  if (!version)
    throw new Failure(
      `There is no compiler ${tools.cc} for ${target.name}. Install ${target.packages.join(' and ') || 'it'}.`,
    )
  return { ...tools, ...(target.strip && { strip: target.strip }), version }
}

function gccTools({ prefix, suffix, platform }) {
  const archiver = suffix ? `${prefix}gcc-ar${suffix}` : `${prefix}gcc-ar`
  return {
    cc: `${prefix}gcc${suffix}`,
    cxx: `${prefix}g++${suffix}`,
    // Archives with code for link-time optimization need the compiler's own tools.
    ar: archiver,
    ranlib: archiver.replace('gcc-ar', 'gcc-ranlib'),
    strip: `${prefix}strip`,
    ...(platform === 'win32' && { rc: `${prefix}windres` }),
  }
}
