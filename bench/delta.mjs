#!/usr/bin/env node
// delta.mjs [--size 2GiB] [--cases 1MiB/1MiB,1MiB/4KiB,64KiB/64KiB,mailbox,tree] [--edits 10000] [--changed 1]
// [--tools update,rsync,rsync-inplace,replace] [--files 100000] [--rtt 40] [--rate 100]: receives what the receiver has
// an older version of. A case BLOCK/EDIT is an image with an edit of EDIT bytes in this percentage of its blocks, chosen
// at random; `mailbox` is a file with this number of insertions; `tree` is a folder of which 50 files changed. Bytes are
// those that left each side's interface. Requires Linux and root.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import { makeNetwork, sentBy } from './lab/network.mjs'
import { parseSize } from './lab/options.mjs'
import { rsync, rsyncCommand } from './lab/tools/ssh.mjs'
import { listening } from './lab/trial.mjs'
import { Program } from './lib/program.mjs'
import { writeFolders, writeImages, writeMailboxes } from './lib/versions.mjs'
import { folder, inWorld } from './lib/world.mjs'

const port = 443
const changedFiles = 50

function readOptions() {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '2GiB' },
      cases: { type: 'string', default: '1MiB/1MiB,1MiB/4KiB,64KiB/64KiB,mailbox,tree' },
      tools: { type: 'string', default: 'update,rsync,rsync-inplace,replace' },
      changed: { type: 'string', default: '1' },
      edits: { type: 'string', default: '10000' },
      files: { type: 'string', default: '100000' },
      rtt: { type: 'string', default: '40' },
      rate: { type: 'string', default: '100' },
    },
  })
  const number = (name) => {
    const value = Number(values[name])
    if (!(value > 0)) throw new Failure(`--${name} takes a number, not "${values[name]}".`)
    return value
  }
  const unknown = values.tools.split(',').find((name) => !(name in tools))
  if (unknown !== undefined) throw new Failure(`--tools has no "${unknown}".`)
  return {
    size: parseSize(values.size),
    cases: values.cases.split(','),
    changed: number('changed') / 100,
    edits: number('edits'),
    files: number('files'),
    path: { rtt: number('rtt'), rate: number('rate') },
    tools: values.tools.split(','),
  }
}

/** Runs `thru` with this conflict policy. The time is from the receiver's start to its last file. */
const thru = (policy) => async (network, newer, out, counting) => {
  const env = {
    ...{ THRU_NO_LAN: '1' },
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') },
  }
  const start = (place, args, more = {}) =>
    new Program(args, { within: network.prefix(place), env: { ...env, ...more } })
  const address = network.address('server')
  const server = start('server', ['serve', '--host', address, '--port', String(port)])
  await server.line('text')
  const options = ['--json', '--server-url', `ws://${address}:${port}`]
  const host = start('sender', ['host', newer, ...options])
  const { code } = await host.line('code')
  counting()
  const receiving = ['join', '--out', out, '--yes', '--conflict', policy, ...options]
  const receiver = start('receiver', receiving, { THRU_CODE: code })
  const accepted = await receiver.line('accepted')
  const done = await receiver.line('done')
  const { exitCode, peakBytes } = await receiver.ended
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`)
  const sender = await host.stop()
  await server.stop()
  return {
    seconds: (done.atMs - receiver.startedAtMs) / 1000,
    'from acceptance': Number(((done.atMs - accepted.atMs) / 1000).toFixed(1)),
    'peak MiB': [sender.peakBytes, peakBytes].map((bytes) => Math.round(bytes / 2 ** 20)).join(' '),
  }
}

/** Runs rsync over SSH. The time includes its connection. */
const rsyncWith =
  (...options) =>
  async (network, newer, out, counting) => {
    const work = join(folder, 'ssh')
    mkdirSync(work)
    const lab = { work, address: network.address }
    rsync.prepare(lab)
    const [{ argv, port: sshPort }] = rsync.daemons(lab)
    const within = (place, [command, ...args], errors) => {
      const [enter, ...prefix] = network.prefix(place)
      return spawn(enter, [...prefix, command, ...args], { stdio: ['ignore', 'ignore', errors] })
    }
    const daemon = within('receiver', argv, 'ignore')
    await listening({ prefix: network.prefix }, 'receiver', sshPort)
    counting()
    const begun = performance.now()
    const client = within('sender', rsyncCommand(lab, newer, `${out}/`, ...options), 'inherit')
    const exitCode = await new Promise((resolve) => client.on('close', resolve))
    const seconds = (performance.now() - begun) / 1000
    daemon.kill()
    rmSync(work, { recursive: true })
    if (exitCode !== 0) throw new Error(`rsync ended with ${exitCode}`)
    return { seconds }
  }

const tools = {
  update: thru('update'),
  replace: thru('replace'),
  rsync: rsyncWith(),
  'rsync-inplace': rsyncWith('--inplace'),
}

async function measure(network, { newer, older, tool, changed }) {
  const out = join(folder, 'received')
  mkdirSync(out)
  execFileSync('cp', ['-a', older, join(out, 'data')])
  execFileSync('sync', ['-f', out])
  const wire = () => ['sender', 'receiver'].map((place) => sentBy(network, place))
  let before = []
  const { seconds, ...more } = await tools[tool](network, newer, out, () => (before = wire()))
  const sent = wire().map((bytes, at) => bytes - before[at])
  execFileSync('diff', ['-r', newer, join(out, 'data')])
  rmSync(out, { recursive: true })
  const total = sent.reduce((all, bytes) => all + bytes, 0)
  return {
    tool,
    seconds: Number(seconds.toFixed(1)),
    'sent MB': Number((sent[0] / 1e6).toFixed(2)),
    'answered MB': Number((sent[1] / 1e6).toFixed(2)),
    'per changed byte': Number((total / changed).toFixed(2)),
    ...more,
  }
}

function writeCase(name, newer, older, { size, changed, edits, files }) {
  if (name === 'tree') return writeFolders(newer, older, { count: files, changed: changedFiles })
  if (name === 'mailbox') return writeMailboxes(newer, older, { size, edits })
  const [block, edit] = name.split('/').map(parseSize)
  return writeImages(newer, older, { size, block, edit, changed })
}

const options = readOptions()
runMain(() =>
  inWorld(async () => {
    const network = await makeNetwork({ path: options.path, seed: 1, tcp: 'cubic' })
    for (const name of options.cases) {
      const [newer, older] = [join(folder, 'data'), join(folder, 'older')]
      const changed = writeCase(name, newer, older, options)
      const rows = []
      for (const tool of options.tools)
        rows.push(await measure(network, { newer, older, tool, changed }))
      console.log(`${name}: ${(changed / 1e6).toFixed(2)} MB changed`)
      console.table(rows)
      for (const path of [newer, older]) rmSync(path, { recursive: true })
    }
    console.log(`load ${loadavg()[0].toFixed(1)}`)
  }),
)
