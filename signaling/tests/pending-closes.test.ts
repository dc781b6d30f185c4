import { expect, it } from 'vitest'
import type { ConnectionId } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'
import { PendingCloses } from '#signaling/socket/pending-closes'

const who = (name: string) => name as ConnectionId

it('reports missed ends in order once the store is back', async () => {
  const pendingCloses = new PendingCloses()
  const said: string[] = []
  let isAway = true
  const goodbye = (name: string) => () => {
    if (isAway) return Promise.reject(new StoreError('unreachable'))
    said.push(name)
    return Promise.resolve()
  }
  for (const name of ['first', 'second']) await pendingCloses.run(who(name), goodbye(name))
  await pendingCloses.settle()
  expect(pendingCloses.owed).toBe(2)
  isAway = false
  await pendingCloses.settle()
  expect(said).toEqual(['first', 'second'])
  expect(pendingCloses.owed).toBe(0)
})

it('rethrows errors that are not from the store', async () => {
  const pendingCloses = new PendingCloses()
  const mistake = pendingCloses.run(who('first'), () => Promise.reject(new Error('a mistake')))
  await expect(mistake).rejects.toThrow('a mistake')
  expect(pendingCloses.owed).toBe(0)
})
