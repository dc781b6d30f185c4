#!/usr/bin/env node
// page.mjs [--runs 3] [--size 512MiB] [--rate 200] [--server-rtt 20] [--rtt MS] [--loss 0]: Debian's Chromium receives
// a file from a link, over the relay of a server behind TLS and BBR. Prints the time from the link to the page, from one
// button to the offer, and from the other one to the end; and the rate. Both sides are --server-rtt ms from the server.
// With --rtt, the page reaches the sender itself in that time, by WebTransport. Half of --loss, in percent, is lost on
// each side of the server. The browser has the page's scripts in its cache. Requires Linux and root.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import { makeNetwork } from './lab/network.mjs'
import { parseSize } from './lab/options.mjs'
import { percentile } from './lab/pairs.mjs'
import { payloadLimit } from './lab/path.mjs'
import { listening } from './lab/trial.mjs'
import { Browser } from './lib/browser.mjs'
import { Program } from './lib/program.mjs'
import { writeFile } from './lib/trees.mjs'
import { folder, inWorld } from './lib/world.mjs'

const frontPort = 443
const serverPort = 8080
const front = fileURLToPath(new URL('lib/tls-front.mjs', import.meta.url))

function readOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '3' },
      size: { type: 'string', default: '512MiB' },
      rate: { type: 'string', default: '200' },
      'server-rtt': { type: 'string', default: '20' },
      rtt: { type: 'string' },
      loss: { type: 'string', default: '0' },
    },
  })
  const number = (name, usual) => {
    const value = Number(values[name] ?? usual)
    if (!(value >= 0)) throw new Failure(`--${name} takes a number, not "${values[name]}".`)
    return value
  }
  const [serverRtt, loss, rate] = [number('server-rtt'), number('loss'), number('rate')]
  const path = { rtt: number('rtt', 2 * serverRtt), serverRtt, loss, rate }
  return {
    isDirect: values.rtt !== undefined,
    runs: Math.max(1, number('runs')),
    bytes: parseSize(values.size),
    path,
  }
}

/** Makes a key and its certificate; returns their files, and the key's hash by which Chromium trusts it. */
function makeIdentity(address) {
  const [key, certificate] = [join(folder, 'front.key'), join(folder, 'front.pem')]
  const openssl = (...args) => execFileSync('openssl', args, { stdio: ['pipe', 'pipe', 'pipe'] })
  openssl(
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-days', '2', '-subj', '/CN=bench', '-addext', `subjectAltName=IP:${address}`],
    ...['-keyout', key, '-out', certificate],
  )
  const publicKey = openssl('pkey', '-in', key, '-pubout', '-outform', 'der')
  return { key, certificate, hash: createHash('sha256').update(publicKey).digest('base64') }
}

/** Starts a server with a page behind TLS, without limits for pages. */
async function startServer(network, address, { key, certificate }) {
  const within = network.prefix('server')
  const serving = ['--host', address, '--port', String(serverPort), '--trust-proxy', address]
  const env = {
    ...{ THRU_WEB_BYTES: String(2 ** 39), THRU_WEB_BYTES_PER_SEC: String(10 ** 9) },
    ...{ THRU_SESSION_CREATES_BURST: '1000', THRU_WS_CONNECTIONS_BURST: '1000' },
  }
  const server = new Program(['serve', ...serving, '--web', `https://${address}`], { within, env })
  await server.line('text')
  const [program, ...args] = [...within, process.execPath, front, address, String(frontPort)]
  spawn(program, [...args, key, certificate, String(serverPort)], { stdio: 'inherit' })
  await listening(network, 'server', frontPort)
}

/**
 * Runs in the page before its own scripts: presses its buttons like a person who reads each for a second, and calls
 * `benchTell` with the time of each step, ms.
 */
function pressButtons() {
  const readMs = 1000
  const at = {}
  let beginMs = 0
  const reach = (name) => {
    at[name] = performance.now() - beginMs
  }
  const press = (name, pattern) => {
    if (name in at) return
    const found = [...document.querySelectorAll('button:enabled')].find(({ innerText }) =>
      pattern.test(innerText),
    )
    if (!found) return
    reach(name)
    setTimeout(() => {
      beginMs = performance.now()
      found.click()
    }, readMs)
  }
  const look = () => {
    press('page', /^Continue in this browser/)
    press('offer', /^Receive ·/)
    const failed = document.querySelector('[role=alert] h1')?.innerText
    if (failed) globalThis.benchTell(JSON.stringify({ failed }))
    const heading = document.querySelector('h1')?.innerText ?? ''
    if ('files' in at || !/^Everything has arrived/.test(heading)) return
    reach('files')
    globalThis.benchTell(JSON.stringify(at))
  }
  new MutationObserver(look).observe(document, {
    ...{ subtree: true, childList: true, characterData: true, attributes: true },
  })
}

async function measure({ runs, bytes, path, isDirect }) {
  const network = await makeNetwork({ path, seed: 1, tcp: 'bbr' })
  const address = network.address('server')
  const identity = makeIdentity(address)
  await startServer(network, address, identity)
  const file = join(folder, 'file.bin')
  writeFile(file, bytes)
  const state = { XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') }
  const sender = new Program(
    ['host', file, '--json', '--no-lan', '--server-url', `wss://${address}`],
    {
      within: network.prefix('sender'),
      env: { ...state, NODE_EXTRA_CA_CERTS: identity.certificate },
    },
  )
  const { webLink } = await sender.line('code')
  const browser = new Browser(network.prefix('receiver'), join(folder, 'browser'), [
    `--ignore-certificate-errors-spki-list=${identity.hash}`,
    // Otherwise the page reaches no other computer, the sender neither.
    ...(isDirect ? [] : [`--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${address}`]),
  ])
  const rows = []
  for (let run = 0; run <= runs; run += 1) {
    const at = JSON.parse(await browser.open(webLink, pressButtons, 'benchTell'))
    if (at.failed) throw new Failure(`The page says: ${at.failed}`)
    const mbit = (bytes * 8) / 1e3 / at.files
    const row = {
      ...{ 'page ms': at.page, 'offer ms': at.offer, 'files ms': at.files, 'Mbit/s': mbit },
      ...(path.rate > 0 && { '%': (100e6 * mbit) / payloadLimit(path) }),
    }
    if (run > 0) rows.push(row)
    const text = Object.entries(row).map(([name, value]) => `${name} ${value.toFixed(1)}`)
    console.log(`${run === 0 ? 'to fill the cache: ' : ''}${text.join(', ')}`)
  }
  const median = ([name]) =>
    `${name} ${percentile(
      rows.map((row) => row[name]),
      0.5,
    ).toFixed(1)}`
  console.log(
    `median: ${Object.entries(rows[0]).map(median).join(', ')}; load ${loadavg()[0].toFixed(1)}`,
  )
  const { packets, tardy } = await network.emulator.punctuality()
  console.log(`${packets} packets, ${tardy} more than 1 ms late`)
  await browser.close()
  await sender.stop()
}

runMain(async () => {
  const options = readOptions()
  await inWorld(() => measure(options))
})
