// typed-join.mjs URL CODE FOLDER [STUN POINT...]: receives as the window does, starting preparation 1.5 s before the last word is
// typed. Prints the line `timing` of `thru join --json -v`. Must be bundled.
import { createClient } from '#client/client'
import { loadEngine } from '#client/native-engine'
import { SettingsInMemory } from '#client/settings/settings-store'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import { defaultSettings } from '#shared/settings/settings'
import { ConnectionTiming } from '../../cli/report/connection-timing'

const typingMs = 1500

const [serverUrl, code, directory, stun, ...meetingRelays] = process.argv.slice(2)
const network = { ...defaultSettings.network, meeting: 'automatic', meetingRelays }
const engine = loadEngine({ override: process.env.THRU_ADDON })
const client = createClient({
  ...{ engine: engine.value, downloads: directory },
  // Without a server, the two meet at public meeting points.
  serverUrl: serverUrl === '' ? null : serverUrl,
  ...(stun !== undefined && { ice: { stun: [stun], turn: [] } }),
  settings: new SettingsInMemory({ ...defaultSettings, network }),
  visibleOnNetwork: process.env.THRU_NO_LAN !== '1',
}).value
const timing = new ConnectionTiming()
client.subscribe((batch) => {
  for (const { event } of batch) {
    timing.record(event)
    if (event.type === 'receive-offered')
      client.receives.get(event.receive)?.accept({ directory, options: defaultReceiveOptions })
    if (event.type === 'receive-finished' || event.type === 'receive-failed') void end()
  }
})

async function end() {
  const ms = Object.fromEntries(timing.steps().map((one) => [one.step, one.ms]))
  console.log(JSON.stringify({ type: 'timing', ms }))
  await client.close()
  process.exit()
}

client.preparation.begin(code.split('-')[0])
setTimeout(() => client.join(code), typingMs)
