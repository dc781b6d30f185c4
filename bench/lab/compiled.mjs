// Compiles the laboratory's programs when their sources are newer.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../../scripts/lib/cache.mjs'
import { Failure } from '../../scripts/lib/failure.mjs'

const sources = dirname(fileURLToPath(import.meta.url))
const output = join(root, 'out', 'bench')

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Returns the path of the library compiled from a C file, for preloading (LD_PRELOAD). */
export function compiledLibrary(file) {
  const source = join(root, file)
  const library = join(output, `${basename(file, '.c')}.so`)
  if (timeOf(library) > timeOf(source)) return library
  mkdirSync(output, { recursive: true })
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source], { stdio: 'inherit' })
  } catch (error) {
    throw new Failure(`${file} can't be compiled with cc: ${error.message}.`)
  }
  return library
}

/** Returns the path of the program compiled from `name`.cc or from all files in the folder `name`. */
export function compiled(name) {
  const folder = statSync(join(sources, name), { throwIfNoEntry: false })
  const files = folder ? readdirSync(join(sources, name)).map((file) => join(name, file)) : []
  const parts = (folder ? files : [`${name}.cc`]).map((file) => join(sources, file))
  const program = join(output, name)
  if (timeOf(program) > Math.max(...parts.map(timeOf))) return program
  mkdirSync(output, { recursive: true })
  const units = parts.filter((file) => file.endsWith('.cc'))
  const options = ['-std=c++20', '-O2', '-Wall', '-Wextra']
  try {
    execFileSync('c++', [...options, '-o', program, ...units], { stdio: 'inherit' })
  } catch (error) {
    throw new Failure(`${name} can't be compiled with c++: ${error.message}.`)
  }
  return program
}
