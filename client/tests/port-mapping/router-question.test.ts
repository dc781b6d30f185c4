import { expect, it } from 'vitest'
import { askRouter } from '#client/port-mapping/router-question'
import { searchGroup, searchRequest } from '#client/port-mapping/upnp-description'
import { ManualClock } from '#client/testing/manual-clock'

it('has no answer if the system cannot send to a group from that address', async () => {
  const place = { gateway: '192.0.2.1', own: '224.0.0.5', clock: new ManualClock() }
  const question = { request: searchRequest, group: searchGroup, decode: () => true as const }
  expect(await askRouter(place, question)).toBeNull()
})
