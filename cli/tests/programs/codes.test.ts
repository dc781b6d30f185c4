/** Passes codes to the built command line in every way. */
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Thru, type ThruOptions } from './thru'

const code = '4821-apple-kayak-onion'

/** Records connections and never answers. */
let server: Server
let connected: Promise<void>
let serverUrl: string
const running: Thru[] = []

beforeEach(async () => {
  connected = new Promise((resolve) => {
    server = createServer((socket) => {
      resolve()
      socket.on('error', () => undefined)
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  serverUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.stop('SIGKILL')))
  await new Promise((resolve) => server.close(resolve))
})

function join(args: readonly string[], options: ThruOptions = {}): Thru {
  const program = new Thru(['join', ...args, '--yes', '--server-url', serverUrl], options)
  running.push(program)
  return program
}

describe('a code reaches the server', () => {
  it('from one line of standard input', async () => {
    join(['-'], { input: `code: ${code}.\nmore` })
    await connected
  })

  it('from THRU_CODE', async () => {
    join([], { env: { THRU_CODE: code } })
    await connected
  })

  it('from the terminal, which names a wrong word and completes with Tab', async () => {
    const program = join([], { isOnTerminal: true })
    await program.match(/Join code .*: /)
    program.type('4821-aple-kayak-onion\r')
    await program.match(/"aple" isn't a join-code word/)
    await program.match(/Join code .*: [^]*Join code .*: /)
    program.type('4821-apple-kayak-oni\t\r')
    await connected
  })
})

it('Ctrl-C at the prompt for a code ends the command', async () => {
  const program = join([], { isOnTerminal: true })
  await program.match(/Join code .*: /)
  program.type('\u0003')
  expect((await program.ended).exitCode).toBe(130)
})

it.each([
  ['a code', ['join', '-', '--yes']],
  ['a text', ['host', '--text', '-']],
])('the first Ctrl C ends a command that reads %s from the terminal', async (_what, args) => {
  const preload = fileURLToPath(new URL('tell-ready.cjs', import.meta.url))
  const program = new Thru([...args, '--server-url', serverUrl], {
    isOnTerminal: true,
    env: { NODE_OPTIONS: `--require=${preload}` },
  })
  running.push(program)
  await program.match(/takes signals/)
  program.type('\u0003')
  expect((await program.ended).exitCode).toBe(130)
})

it.runIf(process.platform === 'linux')(
  'CODE-09 other processes see neither code nor password of the command line',
  async () => {
    const { pid } = join([code, '--turn-server', 'turn:me:password@127.0.0.1'])
    await connected
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/^thru\0*$/)
  },
)
