#!/usr/bin/env node
// command-start.mjs [--runs 20] [OTHER.cjs ...]: milliseconds from the start of `thru join` to its connection to a
// local server. Alternates with other builds of the command and with a minimal Node program that only connects.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const own = fileURLToPath(new URL('../out/cli/thru.cjs', import.meta.url))
const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '20' } },
  allowPositionals: true,
})

const folder = mkdtempSync(join(tmpdir(), 'thru-start-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

let connected = () => undefined
const server = createServer((socket) => {
  connected()
  socket.on('error', () => undefined).resume()
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address()

/** A minimal program: the time that Node itself needs. */
const least = join(folder, 'least.cjs')
writeFileSync(least, `require('node:net').connect(${port}, '127.0.0.1')`)

async function measure(program) {
  const args = [
    'join',
    '--yes',
    '--json',
    '--out',
    folder,
    '--server-url',
    `ws://127.0.0.1:${port}`,
  ]
  const isThere = new Promise((resolve) => {
    connected = () => resolve(performance.now())
  })
  const beganAt = performance.now()
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      ...process.env,
      ...{ THRU_NO_LAN: '1', THRU_CODE: '4821-acid-acid-acid' },
      ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') },
      XDG_CACHE_HOME: join(folder, 'cache', String(programs.indexOf(program))),
    },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const at = await Promise.race([isThere, ended])
  if (typeof at !== 'number') throw new Error(`${program} ended before it connected`)
  // A graceful exit lets the program write its caches for the next start.
  child.kill('SIGINT')
  await ended
  return at - beganAt
}

const programs = [own, ...positionals, least]
/** The first start of each program is a warm-up. */
for (const program of programs) await measure(program)
const found = programs.map(() => [])
for (let run = 0; run < Number(values.runs); run += 1) {
  for (const [index, program] of programs.entries()) found[index].push(await measure(program))
}
const rank = (numbers, part) =>
  Math.round(numbers.sort((a, b) => a - b)[Math.ceil(numbers.length * part) - 1])
console.table(
  programs.map((program, index) => ({
    program: program === least ? 'Node alone' : program,
    least: rank(found[index], 1 / found[index].length),
    p50: rank(found[index], 0.5),
    p95: rank(found[index], 0.95),
  })),
)
server.close()
process.exit()
