import { expect, it } from 'vitest'
import { TurnService } from '#signaling/turn-service'
import { FakeClock } from './fake-clock.ts'

it('makes the credentials that coturn expects', () => {
  const rules = { turnUrls: ['turn:a.example:3478'], turnSecret: 'north', turnTtl: 600 }
  const random = { bytes: (count: number) => Buffer.alloc(count, 0xab), between: () => 0 }
  // echo -n 1700000600:abababababababab | openssl dgst -sha1 -hmac north -binary | base64
  expect(new TurnService(rules, new FakeClock(), random).issue()).toEqual({
    urls: ['turn:a.example:3478'],
    username: '1700000600:abababababababab',
    credential: '+4i+m4BmczP5dxZo3cumxG6fyCU=',
    ttlS: 600,
  })
})
