// Compiles the small Windows programs in build/windows, and makes the twin of the app's program.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../lib/cache.mjs'
import { Failure } from '../../lib/failure.mjs'
import { runLogged } from '../../lib/run.mjs'

const compiler = process.platform === 'win32' ? 'gcc' : 'x86_64-w64-mingw32-gcc'

/** Compiles `build/windows/<name>.c` to `<folder>/<name>.exe`, which needs only Windows; returns its path. */
export async function compileProgram(name, folder, log) {
  mkdirSync(folder, { recursive: true })
  const program = join(folder, `${name}.exe`)
  const options = ['-O2', '-Wall', '-Wextra', '-Werror', '-municode', '-s', '-static']
  const source = join(root, 'build/windows', `${name}.c`)
  // Without a timestamp, the same source makes the same file.
  const args = [...options, '-Wl,--no-insert-timestamp', '-o', program, source, '-lole32', '-luuid']
  await runLogged(`compiling ${name}.exe`, compiler, args, { log })
  return program
}

/** Offsets in the PE format: of the field with the header's offset, and of the subsystem within the header. */
const [placeOfHeader, subsystemInHeader] = [0x3c, 0x5c]
const subsystems = { window: 2, console: 3 }

/**
 * Returns the same program for terminals. Windows gives a terminal's keyboard, output and Ctrl+C only to programs
 * marked as such in their header. The app's program must not be marked, or it would open a terminal.
 * @param {Buffer} program
 */
export function forTerminals(program) {
  const header = program.readUInt32LE(placeOfHeader)
  const place = header + subsystemInHeader
  if (program.toString('latin1', header, header + 4) !== 'PE\0\0')
    throw new Failure("The app's program is not a Windows program.")
  if (program.readUInt16LE(place) !== subsystems.window)
    throw new Failure("The app's program is not a windowed program.")
  const twin = Buffer.from(program)
  twin.writeUInt16LE(subsystems.console, place)
  return twin
}

/** Writes `thru-node.exe` next to the app's program. */
export function writeTwin(folder) {
  const program = readFileSync(join(folder, 'Thruflux.exe'))
  writeFileSync(join(folder, 'thru-node.exe'), forTerminals(program))
}

/** Ranges closer than this are merged. */
const gap = 64

/**
 * Returns the differences from which build/windows/twin.c makes `target` out of the similar `source`.
 * @param {Buffer} source
 * @param {Buffer} target
 */
export function differencesOf(source, target) {
  const parts = [numbers(target.length)]
  let from = -1
  let last = -1
  const endRange = () => {
    if (from < 0) return
    parts.push(numbers(from, last + 1 - from), target.subarray(from, last + 1))
  }
  for (let at = 0; at < target.length; at += 1) {
    if (target[at] === source[at]) continue
    if (from < 0 || at - last > gap) {
      endRange()
      from = at
    }
    last = at
  }
  endRange()
  return Buffer.concat(parts)
}

function numbers(...values) {
  const bytes = Buffer.alloc(8 * values.length)
  values.forEach((value, index) => bytes.writeBigUInt64LE(BigInt(value), 8 * index))
  return bytes
}
