// The small programs that only Windows has, compiled from build/windows, and the twin of the app's program.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../lib/cache.mjs'
import { Failure } from '../../lib/failure.mjs'
import { runLogged } from '../../lib/run.mjs'

const compiler = process.platform === 'win32' ? 'gcc' : 'x86_64-w64-mingw32-gcc'

/** Compiles `build/windows/<name>.c` to `<folder>/<name>.exe`, which needs nothing beside Windows; its path. */
export async function compileProgram(name, folder, log) {
  mkdirSync(folder, { recursive: true })
  const program = join(folder, `${name}.exe`)
  const options = ['-O2', '-Wall', '-Wextra', '-Werror', '-municode', '-s', '-static']
  const source = join(root, 'build/windows', `${name}.c`)
  // Without a date the same source makes the same file.
  const args = [...options, '-Wl,--no-insert-timestamp', '-o', program, source, '-lole32', '-luuid']
  await runLogged(`compiling ${name}.exe`, compiler, args, { log })
  return program
}

/** Places of the PE format: where the header's place is written, and where in it the subsystem is. */
const [placeOfHeader, subsystemInHeader] = [0x3c, 0x5c]
const subsystems = { window: 2, console: 3 }

/**
 * The same program for terminals. Windows gives keyboard, output and Ctrl+C of a terminal only to programs that say so in
 * their header, and the app's program must not: it would open a terminal.
 * @param {Buffer} program
 */
export function forTerminals(program) {
  const header = program.readUInt32LE(placeOfHeader)
  const place = header + subsystemInHeader
  if (program.toString('latin1', header, header + 4) !== 'PE\0\0')
    throw new Failure('The program of the app is no program for Windows.')
  if (program.readUInt16LE(place) !== subsystems.window)
    throw new Failure('The program of the app is not one with windows.')
  const twin = Buffer.from(program)
  twin.writeUInt16LE(subsystems.console, place)
  return twin
}

/** Writes `thru-node.exe` beside the app's program. */
export function writeTwin(folder) {
  const program = readFileSync(join(folder, 'Thruflux.exe'))
  writeFileSync(join(folder, 'thru-node.exe'), forTerminals(program))
}

/** Ranges that are apart by no more than this become one. */
const gap = 64

/**
 * What build/windows/twin.c makes `target` of `source` by; both are nearly the same.
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
