// idle-meeting.mjs [--shares 1000] [--seconds 120]: see meeting-program.mjs. Must be bundled; runs in the checkout.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '#client/clock'
import { keyDoorOf } from '#client/meeting/meeting-door'
import { MeetingPlace } from '#client/meeting/meeting-place'
import { pointOpener } from '#client/meeting/point-socket'
import { NameplateOwner } from '#client/signaling/nameplate-owner'

const { values } = parseArgs({
  options: {
    shares: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '120' },
  },
})
const [shares, seconds] = [Number(values.shares), Number(values.seconds)]
const clock = systemClock
/** Shares that are opened together. */
const groupSize = 10
const proxyFor = () => Promise.resolve({ ok: true, value: null })

/** A relay program, the events that it has taken, and its use of the processor and of memory. */
async function startRelay() {
  const child = spawn(process.execPath, ['cli/tests/programs/nostr-relay.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let events = 0
  const url = await new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('event')) events += 1
      if (line.startsWith('ws')) resolve(line)
    })
  })
  const proc = (file) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  return {
    url,
    stop: () => child.kill(),
    use: () => {
      // The fields after the name: user and system time are the 12th and 13th, in hundredths of a second.
      const fields = proc('stat').split(') ')[1].split(' ')
      const memory = Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1]) / 1024
      return { events, cpuMs: 10 * (Number(fields[11]) + Number(fields[12])), memory }
    },
  }
}

/** The bytes that this computer has sent to itself. */
const loopbackBytes = () =>
  Number(/^ *lo:\s*(\d+)/m.exec(readFileSync('/proc/net/dev', 'utf8'))?.[1])

async function main() {
  const relay = await startRelay()
  const empty = relay.use()
  const place = new MeetingPlace({
    ...{ urls: () => [relay.url], proxyFor, clock },
    seams: {
      open: pointOpener(proxyFor, clock),
      // The real one takes 0.2 s of a core for each share, before it sends anything.
      doorOf: (nameplate, day) =>
        Promise.resolve(keyDoorOf(createHash('sha256').update(nameplate).digest('base64url'), day)),
    },
  })
  const host = (index) => {
    const nameplate = String(100_000 + index)
    return new Promise((resolve) => {
      const owner = new NameplateOwner()
      const share = place.open({
        ...{
          server: place,
          clock,
          random: Math.random,
          onUp: () => undefined,
          onDown: () => undefined,
        },
        hello: (greeting) => owner.claim(greeting, nameplate),
        onMessage: ({ t }) => {
          if (t === 'hosted') resolve(share)
        },
      })
      share.start()
    })
  }
  const all = []
  // All at once would measure how fast the relay checks signatures.
  while (all.length < shares) {
    const group = Math.min(groupSize, shares - all.length)
    const first = all.length
    all.push(...(await Promise.all(Array.from({ length: group }, (_, n) => host(first + n)))))
  }
  await after(10_000)
  const [before, bytesBefore] = [relay.use(), loopbackBytes()]
  await after(seconds * 1000)
  const [use, bytes] = [relay.use(), loopbackBytes() - bytesBefore]
  console.table({
    'events to open all': before.events - empty.events,
    [`events in ${seconds} s`]: use.events - before.events,
    'memory of the relay, MiB': Math.round(use.memory - empty.memory),
    'relay, % of a core': Number(((use.cpuMs - before.cpuMs) / seconds / 10).toFixed(2)),
    'bytes per share and minute': Math.round((bytes * 60) / seconds / shares),
  })
  await Promise.all(all.map((share) => share.close()))
  relay.stop()
}

void main()
  .catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
  .finally(() => process.exit())
