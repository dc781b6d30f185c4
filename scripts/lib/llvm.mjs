// Tools of LLVM, which are installed under a plain name, one with the version, or both.
import { Failure } from './failure.mjs'
import { capture } from './run.mjs'

/**
 * The name under which `program` of one of these major versions can be run, best first.
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
