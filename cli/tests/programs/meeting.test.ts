/** `thru` without a server, with the relay program of another project as a public meeting point. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { programRig } from './program-rig'
import { Thru } from './thru'
import { hashTree, writeTree } from './tree'

const { at, start } = programRig('meeting')

const relayProgram = fileURLToPath(new URL('nostr-relay.mjs', import.meta.url))

/** Starts a relay; `options` make `thru` use it together with two that are down. */
async function relay() {
  const program = new Thru([], { program: [process.execPath, relayProgram] })
  const [url] = await program.match(/ws:\S+/)
  const urls = ['ws://127.0.0.1:9', url, 'ws://127.0.0.1:10']
  // Only addresses on this computer may be asked.
  const stun = ['--stun-server', 'stun:127.0.0.1:9']
  return {
    program,
    options: ['--json', ...urls.flatMap((each) => ['--meeting-relay', each]), ...stun],
  }
}

it('two computers meet at a public relay, two of three of which are down', async () => {
  const { program, options } = await relay()
  writeTree(at('src'), { 'notes.txt': 'remember' })
  const sender = start(['host', at('src', 'notes.txt'), ...options])
  const { code, reach, meeting } = await sender.line('code')
  expect({ reach, meeting }).toEqual({ reach: 'anywhere', meeting: 'there' })
  expect(code).toMatch(/^\d{6}-/)
  const receiver = start(['join', String(code), '--out', at('dst'), '--yes', ...options])
  expect((await receiver.ended).exitCode).toBe(0)
  expect(hashTree(at('dst'))).toEqual(hashTree(at('src')))
  await sender.stop()
  const { stdout } = await program.stop()
  // A claim by the sender, and four events from each side.
  expect(stdout.match(/event 28472/g)?.length).toBeLessThanOrEqual(10)
})

it('with --no-meeting no relay is connected, even a named one', async () => {
  const { program, options } = await relay()
  writeTree(at('src'), { 'notes.txt': 'remember' })
  const sender = start(['host', at('src', 'notes.txt'), ...options, '--no-meeting'])
  expect(await sender.line('code')).toMatchObject({ reach: 'computer' })
  await sender.stop()
  const { stdout } = await program.stop()
  expect(stdout).not.toContain('connection')
})
