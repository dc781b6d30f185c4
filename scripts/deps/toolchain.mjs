// The programs that compile for a target: the system's, or zig's.
import { Failure } from '../lib/failure.mjs'
import { capture } from '../lib/run.mjs'
import { ensurePackages } from './apt.mjs'
import { distributionOf, readOsRelease } from './sources.mjs'
import { zigTools } from './zig.mjs'

/** What building the sources of libraries takes beside a compiler. */
const buildPackages = [
  'autoconf',
  'automake',
  'libtool',
  'libltdl-dev',
  'libglib2.0-dev-bin',
  'python3-pip',
]
/** The addon for macOS is linked by LLVM's linker (macos-link.mjs). */
const linkerPackages = { darwin: ['lld-19'] }

/**
 * The tools of a target: paths or names of `cc`, `cxx`, `ar`, `ranlib`, and `strip` and `rc` where there are some; `version`
 * tells one compiler from another. Installs what is missing, as root.
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
      `There is no compiler ${tools.cc} for ${target.name}: install ${target.packages.join(' and ') || 'it'}.`,
    )
  return { ...tools, ...(target.strip && { strip: target.strip }), version }
}

/** A compiler of GCC's family, by its prefix. */
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
