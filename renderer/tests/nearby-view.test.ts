import { expect, it } from 'vitest'
import type { ContactId } from '#shared/state/contacts'
import type { NearbyCall, NearbyId } from '#shared/state/nearby'
import { comparables } from '../view/nearby-view'
import { receiver, share } from './states'

const call = (name: string, phase: NearbyCall['phase'], safety: string | null): NearbyCall => ({
  ...{ computer: name as NearbyId, name },
  ...{ phase, safety },
})

it('a nearby computer keeps the number that was compared, and other receivers have that of the connection', () => {
  const calls = [call('Kitchen', 'joining', '111222'), call('Noor', 'declined', '333444')]
  const kitchen = receiver({ ownName: 'Kitchen', safety: '555666' })
  const aiko = receiver({ name: 'Aiko', contact: 'c' as ContactId, safety: '777888' })
  const byCode = receiver({ name: 'Mina', ownName: 'Mina', safety: '999000' })
  const numbers = (rule: { invitedOnly?: true } = {}) =>
    comparables(share({ calls, ...rule, receivers: [kitchen, aiko, byCode] })).map(
      ({ name, safety }) => `${name} ${safety}`,
    )
  expect(numbers()).toEqual(['Kitchen 111222', 'Aiko 777888', 'Mina 999000'])
  expect(numbers({ invitedOnly: true })).toEqual(['Kitchen 111222', 'Aiko 777888'])
})
