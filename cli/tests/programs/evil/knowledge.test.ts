/** The knowledge of a server that relays everything unchanged. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Scene } from './scene'
import { tracesOf } from './traces'

let scene: Scene
beforeEach(async () => {
  scene = await Scene.start()
})
afterEach(() => scene.end())

describe('T3 a server that only eavesdrops', () => {
  it('relays a transfer and learns no names, words, files, sizes, addresses or keys', async () => {
    const { program, code } = await scene.host()
    const state = scene.at('state')
    const receiving = scene.join(code, { env: { XDG_STATE_HOME: state } })
    await receiving.program.line('accepted')
    await scene.expectReceived(receiving)
    await program.line('done')
    expect(scene.server.frames.length).toBeGreaterThan(8)
    scene.expectNothingLearned()
  })

  it('never receives the resume key of a receiver', async () => {
    const { program, code } = await scene.host('--limit-up', '200k')
    const state = scene.at('state')
    const receiving = scene.join(code, { env: { XDG_STATE_HOME: state } })
    await receiving.program.line('progress')
    await receiving.program.stop()
    await program.line('error')
    const list = readFileSync(`${state}/thruflux/transfers.json`, 'utf8')
    const keys = /"key":\s*"([^"]+)"/.exec(list)
    const key = keys?.[1] ?? ''
    expect(key.length).toBeGreaterThan(40)
    scene.expectNothingLearned([key, Buffer.from(key, 'hex').toString('latin1')])
  })
})

describe('control: a secret in the messages is found', () => {
  const secret = 'Tagebuch.txt'
  const bytes = Buffer.from(secret)
  const around = (text: string) => `{"t":"relay","to":"00","body":"${text}"}`

  it.each([
    ['as it is', secret],
    ['in hex', bytes.toString('hex')],
    ['in base64', bytes.toString('base64')],
    ['in base64 after one byte', Buffer.concat([Buffer.of(7), bytes]).toString('base64url')],
    ['in base64 amid others', Buffer.from(`ab${secret}cdefghij`).toString('base64url')],
    ['in hex in base64', Buffer.from(bytes.toString('hex')).toString('base64')],
  ])('%s', (_how, text) => {
    expect(tracesOf([secret], [around(text)])).toEqual([secret])
  })

  it('and not without one', () => {
    expect(tracesOf([secret], [around(Buffer.alloc(90, 5).toString('base64'))])).toEqual([])
  })
})
