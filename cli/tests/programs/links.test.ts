/** `thru join LINK` on a computer that knows the server only from the link. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { programRig } from './program-rig'
import { linesOf } from './thru'

const { at, start, thru } = programRig('links')

it("a link's server is used only after agreement", async () => {
  writeFileSync(at('notes.txt'), 'remember')
  const sender = thru(['host', at('notes.txt'), '--json'])
  const link = String((await sender.line('code'))['link'])
  const env = { XDG_STATE_HOME: at('state') }

  const stranger = start(['join', link, '--out', at('dst'), '--json'], { env })
  expect((await stranger.ended).exitCode).toBe(2)

  const receiver = start(['join', link, '--out', at('dst'), '--yes', '--json'], { env })
  const { exitCode, stdout } = await receiver.ended
  expect(exitCode).toBe(0)
  expect(linesOf(stdout).map(({ type }) => type)).toContain('done')
  expect(readFileSync(at('dst', 'notes.txt'), 'utf8')).toBe('remember')
})
