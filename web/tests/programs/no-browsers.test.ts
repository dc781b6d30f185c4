import { expect, it } from 'vitest'
import { codeOf, programRig } from '../../../cli/tests/programs/program-rig'
import { writeTree } from '../../../cli/tests/programs/tree'
import { receive } from './page-receiver'

const { at, start } = programRig('no-browsers')

it('a share without browsers offers a page nothing', async () => {
  writeTree(at('src'), { 'a.txt': 'a' })
  const listening = ['--port', '0', '--host', '127.0.0.1', '--trust-loopback']
  const server = start(['serve', ...listening, '--server-relays', '10'])
  const [url] = await server.match(/ws:\S+/)
  const sender = start(['host', at('src', 'a.txt'), '--no-browsers', '--json', '--server-url', url])
  const origin = new URL(url).href.replace(/\/$/, '')
  const { end, entries, files } = await receive(await codeOf(sender), origin)
  expect(end?.code).toBe('E_NO_BROWSERS')
  expect([entries.length, files.size]).toEqual([0, 0])
  expect(await sender.line('error')).toMatchObject({ code: 'E_NO_BROWSERS' })
  await sender.stop()
})
