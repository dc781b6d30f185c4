// Finds tools of LLVM, which are installed under a plain name, a name with the version, or both.
import { Failure } from './failure.mjs'
import { capture } from './run.mjs'

/**
 * Returns the name that runs `program` in one of these major versions, preferring the first.
 * @param {string} program
 * @param {readonly number[]} versions
 * @returns {string}
 */
export function llvmProgram(program, versions) {
  for (const version of versions) {
    for (const name of [`${program}-${version}`, program]) {
      const [, major] = /version (\d+)/.exec(capture(name, ['--version']) ?? '') ?? []
      if (Number(major) === version) return name
    }
  }
  throw new Failure(
    `${program} of LLVM ${versions.join(' or ')} is missing: install the package ${program}-${versions.at(-1)}.`,
  )
}
