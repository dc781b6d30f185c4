// QEMU's user mode, which runs test programs for another processor on this system's kernel.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../lib/failure.mjs'

/**
 * Returns `{ program, libraries }`: QEMU for a target (targets.mjs), and the folder of the target's C library. Throws a
 * Failure with the packages to install.
 */
export function qemu({ cpu, triple }) {
  const programs = [`/usr/bin/qemu-${cpu}-static`, `/usr/bin/qemu-${cpu}`]
  const program = programs.find((place) => existsSync(place))
  const libraries = `/usr/${triple}`
  if (!program || !existsSync(join(libraries, 'lib', 'libc.so.6')))
    throw new Failure(
      `Programs for ${cpu} can't be run here: install the packages qemu-user-static (qemu-user on newer systems) and libstdc++6-arm64-cross, then try again.`,
    )
  return { program, libraries }
}
