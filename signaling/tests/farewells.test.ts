import { expect, it } from 'vitest'
import type { ConnectionId } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'
import { Farewells } from '#signaling/socket/farewells'

const who = (name: string) => name as ConnectionId

it('says what the store did not hear as soon as it hears again, in the order of the ends', async () => {
  const farewells = new Farewells()
  const said: string[] = []
  let isAway = true
  const goodbye = (name: string) => () => {
    if (isAway) return Promise.reject(new StoreError('unreachable'))
    said.push(name)
    return Promise.resolve()
  }
  for (const name of ['first', 'second']) await farewells.say(who(name), goodbye(name))
  await farewells.settle()
  expect(farewells.owed).toBe(2)
  isAway = false
  await farewells.settle()
  expect(said).toEqual(['first', 'second'])
  expect(farewells.owed).toBe(0)
})

it('passes on what is no trouble of the store', async () => {
  const farewells = new Farewells()
  const mistake = farewells.say(who('first'), () => Promise.reject(new Error('a mistake')))
  await expect(mistake).rejects.toThrow('a mistake')
  expect(farewells.owed).toBe(0)
})
