// field-meeting.mjs [--rounds 5] [--meetings 10] [--relay URL]...: see meeting-program.mjs. Must be bundled.
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '#client/clock'
import { builtInMeetingList } from '#client/meeting/meeting-list'
import { MeetingPlace } from '#client/meeting/meeting-place'
import { MeetingPoints, RefusedPoints } from '#client/meeting/meeting-points'
import { EventSigner } from '#client/meeting/nostr-event'
import { PointClocks } from '#client/meeting/point-clocks'
import { pointOpener } from '#client/meeting/point-socket'
import { proxyChooser } from '#client/proxy/proxy-choice'
import { askStun } from '#client/signaling/answering-stun'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import { parseProxySetting } from '#shared/settings/proxy-url'
import { percentile } from '../lab/pairs.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    meetings: { type: 'string', default: '10' },
    relay: { type: 'string', multiple: true, default: [] },
  },
})
const relays = values.relay.length > 0 ? values.relay : builtInMeetingList.relays
const clock = systemClock
const proxyFor = proxyChooser({
  setting: () => parseProxySetting('system'),
  environment: process.env,
})

/** A point counts as silent after this time. */
const patienceMs = 10_000
/** Relays allow about one event a second. */
const pauseMs = 1000
const boxBytes = 540

const box = () => randomBytes(boxBytes).toString('base64url')

/** Measures one point: the time until it returns a first event, and those of further events. */
async function measurePoint(url) {
  const [signer, sender] = [await EventSigner.create(), await EventSigner.create()]
  const topic = randomBytes(32).toString('hex')
  const startedAtMs = performance.now()
  const common = {
    ...{ urls: [url], most: 1, clock, random: Math.random },
    ...{ refused: new RefusedPoints(), clocks: new PointClocks() },
  }
  let arrived = () => undefined
  let lost = null
  const points = (own, greeting, onContent) =>
    new Promise((resolve) => {
      const made = new MeetingPoints({
        ...{
          ...common,
          topics: [topic],
          signer: own,
          onContent,
          open: pointOpener(proxyFor, clock),
        },
        ...(greeting && { greeting: box }),
        onReady: () => resolve(made),
        onLost: (error) => {
          lost = error
          resolve(made)
        },
      })
      made.start()
    })
  const listener = await Promise.race([
    points(signer, true, () => arrived()),
    after(patienceMs, null),
  ])
  const readyMs = performance.now() - startedAtMs
  if (listener === null || lost !== null) {
    listener?.close()
    return { url, state: lost === null ? 'silent' : `${lost.code}: ${lost.detail}` }
  }
  const other = await Promise.race([
    points(sender, false, () => undefined),
    after(patienceMs, null),
  ])
  const delays = []
  for (let round = 0; other !== null && round < Number(values.rounds); round += 1) {
    const sentAtMs = performance.now()
    const arrival = new Promise((resolve) => (arrived = resolve)).then(() => true)
    other.say(topic, box())
    if (await Promise.race([arrival, after(patienceMs, false)])) {
      delays.push(performance.now() - sentAtMs)
    }
    await after(pauseMs)
  }
  listener.close()
  other?.close()
  const refusal = lost === null ? '' : `, then ${lost.detail}`
  return { url, state: `works${refusal}`, readyMs, delays }
}

/** Measures a whole meeting through the list: the time from the join to the host's third message. */
async function meet(place) {
  const owner = new NameplateOwner()
  const nameplate = String(100_000 + Math.floor(Math.random() * 900_000))
  const client = (more) =>
    place.open({
      server: place,
      clock,
      random: Math.random,
      onUp: () => {},
      onDown: () => {},
      ...more,
    })
  const ms = await new Promise((resolve) => {
    const answers = 3
    let joinedAtMs = 0
    let heard = 0
    const end = (result) => {
      void Promise.all([host.close(), joiner?.close()])
      resolve(result)
    }
    let joiner
    setTimeout(() => end(null), 2 * patienceMs)
    const join = () => {
      joinedAtMs = performance.now()
      let peer = ''
      joiner = client({
        joining: nameplate,
        hello: () => ({ t: 'join', v: 1, nameplate, body: 'hello' }),
        onMessage: (message) => {
          if (message.t === 'joined') peer = message.peer
          if (message.t !== 'relay') return
          heard += 1
          if (heard === answers) end(performance.now() - joinedAtMs)
          else joiner.send({ t: 'relay', to: peer, body: 'more' })
        },
      })
      joiner.start()
    }
    const host = client({
      hello: (greeting) => owner.claim(greeting, nameplate),
      onMessage: (message) => {
        if (message.t === 'hosted') join()
        if (message.t === 'peer') host.send({ t: 'relay', to: message.peer, body: 'answer' })
        if (message.t === 'relay') host.send({ t: 'relay', to: message.from, body: 'answer' })
      },
    })
    host.start()
  })
  return ms
}

/** Measures a STUN server's answer. */
async function measureStun(line) {
  const [, name, port] = /^stun:(.+):(\d+)$/.exec(line)
  try {
    const { address: host } = await lookup(name)
    const sentAtMs = performance.now()
    const answered = await new Promise((resolve) => {
      const close = askStun({ host, port: Number(port) }, () => end(true))
      const end = (result) => {
        clearTimeout(timer)
        close()
        resolve(result)
      }
      const timer = setTimeout(() => end(false), 3000)
    })
    return answered ? `${Math.round(performance.now() - sentAtMs)} ms` : 'silent'
  } catch (error) {
    return error.message
  }
}

async function main() {
  const rows = []
  for (const url of relays) {
    const { state, readyMs, delays = [] } = await measurePoint(url)
    rows.push({
      relay: url.replace(/^wss:\/\//, ''),
      state,
      'ready ms': readyMs === undefined ? '' : Math.round(readyMs),
      delivered: delays.length === 0 ? '' : `${delays.length} of ${values.rounds}`,
      'p50 ms': delays.length === 0 ? '' : Math.round(percentile(delays, 0.5)),
    })
    console.error(`${url}: ${state}`)
  }
  console.table(rows)
  const place = new MeetingPlace({ urls: () => relays, proxyFor, clock })
  const times = []
  for (let meeting = 0; meeting < Number(values.meetings); meeting += 1) {
    const ms = await meet(place)
    if (ms !== null) times.push(ms)
    await after(pauseMs)
  }
  const p = (share) => (times.length === 0 ? '-' : Math.round(percentile(times, share)))
  console.log(
    `${times.length} of ${values.meetings} met; p50 ${p(0.5)} ms, p95 ${p(0.95)} ms from the join to the third answer`,
  )
  for (const line of builtInMeetingList.stun) console.log(`${line}: ${await measureStun(line)}`)
  console.log(`load ${loadavg()[0].toFixed(1)}`)
}

void main().finally(() => process.exit())
