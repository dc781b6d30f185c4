/** Tests what `thru host` says about receiving in a browser. */
import { expect, it } from 'vitest'
import type { AppEvent } from '#shared/events'
import { code, coded, inJson, inWords, opened } from './paper'

const visible = {
  atMs: 2,
  type: 'local-network-changed',
  localNetwork: { phase: 'visible', urls: ['ws://192.168.7.1:41480'], hasPage: true },
} as const satisfies AppEvent
const line = `In a browser on this network: http://192.168.7.1:41480/join#c=${code}`

const timesTold = (...events: readonly AppEvent[]): number =>
  inWords(...events).notes.filter((note) => note === line).length

it('is told once, whether the code or the network comes first', () => {
  expect(timesTold(opened, coded, visible, { ...visible, atMs: 3 })).toBe(1)
  expect(timesTold(opened, visible, coded)).toBe(1)
})

it('is not told by a program without the page', () => {
  const localNetwork = { phase: 'visible', urls: visible.localNetwork.urls } as const
  expect(timesTold(opened, coded, { ...visible, localNetwork })).toBe(0)
})

it("is told at the server's page, too, if it has one", () => {
  const server = 'wss://meet.example.org/v1'
  const page = `https://meet.example.org/join#c=${code}`
  const { notes } = inWords(opened, { ...coded, server, web: true }, visible)
  expect(notes).toContain(`In a browser: ${page}`)
  expect(notes).toContain(line)
  expect(inJson(opened, { ...coded, server, web: true })).toContainEqual(
    expect.objectContaining({ type: 'code', webLink: page, web: true }),
  )
  const without = inWords(opened, { ...coded, server })
  expect(without.notes.filter((note) => note.includes('browser'))).toEqual([])
})

it('is in the line of the network for scripts', () => {
  expect(inJson(opened, coded, visible).at(-1)).toEqual({
    type: 'local-network',
    ...visible.localNetwork,
  })
})
