#!/usr/bin/env node
// laboratory.mjs SCENARIO [options]: sends files by several tools in turn over the same path, and says what part of the
// physical limit each of them reached. `npm run bench -- SCENARIO` builds what it measures before. Linux, root.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, runMain } from '../../scripts/lib/failure.mjs'
import { capture } from '../../scripts/lib/run.mjs'
import { writeFile, writeFiles } from '../lib/trees.mjs'
import { enterWorld, MemoryDisk } from '../lib/world.mjs'
import { commit, hostFacts, realTimePriority } from './host.mjs'
import { makeNetwork } from './network.mjs'
import { readOptions } from './options.mjs'
import { places as placeNames } from './path.mjs'
import { Place, removeGroups } from './processes.mjs'
import { measureRaw, rawKinds } from './raw-limit.mjs'
import { keep, resultFormat } from './results.mjs'
import { page } from './table.mjs'
import { isInstalled, tools } from './tools/tools.mjs'
import { trial } from './trial.mjs'

const rawBytes = 4 * 2 ** 30

/** Memory that a virtual machine has not touched yet costs more on its first use. */
function touchMemory(memory, bytes) {
  const path = join(memory, 'touched')
  writeFile(path, bytes)
  rmSync(path)
}

function writeSource(memory, { files, bytes }) {
  const path = join(memory, 'source')
  return files === 1 ? writeFile(`${path}.bin`, bytes) : writeFiles(path, files, bytes)
}

function say(name, { error, mbit, seconds, load }) {
  const what = error ?? `${mbit.toFixed(0)} Mbit/s, ${seconds.toFixed(2)} s`
  console.log(`  ${name.padEnd(10)} ${what} (load ${load.toFixed(1)})`)
}

/** The number in what a tool says of its version, on whichever stream. */
function versionOf({ version }) {
  const said = version && capture('sh', ['-c', '"$@" 2>&1', 'sh', ...version])
  return /\d+\.\d+[\w.]*/.exec(said ?? '')?.[0]
}

async function measureRaws(result, context) {
  for (const kind of rawKinds) {
    const mbit = await measureRaw(kind, context)
    result.raw[kind].push(mbit)
    console.log(`  raw ${kind.padEnd(6)} ${mbit.toFixed(0)} Mbit/s`)
  }
}

async function measure(options) {
  const total = options.files * options.bytes
  const isTranslated = Object.keys(options.nat).length > 0
  const chosen = options.tools
    .map((name) => tools.find((tool) => tool.name === name))
    .filter(({ takesTrees = true }) => takesTrees || options.files === 1)
    // Nobody behind a NAT can be connected to by address.
    .filter(({ code }) => code || !isTranslated)
  const present = chosen.filter(isInstalled)
  const missing = chosen.filter((tool) => !present.includes(tool))
  for (const { name, install } of missing)
    console.log(`${name} is not installed and left out: ${install}`)
  const memory = new MemoryDisk('memory').path
  touchMemory(memory, total)
  const source = writeSource(memory, options)
  const network = await makeNetwork(options)
  const places = Object.fromEntries(
    placeNames.map((name) => [name, new Place(name, network.prefix(name))]),
  )
  const result = {
    format: resultFormat,
    ...{ scenario: options.name, isChanged: options.isChanged },
    ...{ what: options.what, files: options.files, total, path: options.path, nat: options.nat },
    ...{ commit: commit(), date: new Date().toISOString(), host: hostFacts(), tcp: options.tcp },
    realTimePriority: realTimePriority(),
    raw: Object.fromEntries(rawKinds.map((kind) => [kind, []])),
    tools: present.map((tool) => {
      const { name, about } = tool
      return { name, about, version: versionOf(tool), runs: [] }
    }),
    missing: missing.map(({ name }) => name),
  }
  const raw = {
    ...places,
    address: network.address('receiver'),
    path: options.path,
    bytes: rawBytes,
  }
  const context = { network, places, source, total, seconds: options.seconds, memory }
  for (let round = 1; round <= options.runs; round += 1) {
    console.log(`round ${round} of ${options.runs}`)
    if (!isTranslated) await measureRaws(result, raw)
    for (const [index, { name, runs }] of result.tools.entries()) {
      // What was too slow once is not waited for again.
      if (runs.some(({ error }) => error)) continue
      const run = await trial(present[index], context)
      runs.push(run)
      say(name, run)
    }
  }
  if (network.emulator) {
    const { packets, tardy } = await network.emulator.punctuality()
    result.tardy = tardy / packets
  }
  return result
}

runMain(async () => {
  const options = readOptions(process.argv.slice(2), tools)
  if (Object.keys(options.nat).length > 0 && !isInstalled({ needs: ['nft'] }))
    throw new Failure('A NAT needs nft: apt-get install nftables.')
  if (!(await enterWorld({ afterwards: removeGroups }))) return
  try {
    const result = await measure(options)
    console.log(`\n${page(result)}\n${keep(result)}`)
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error)
    process.exitCode = 1
  }
  // Ends what still runs.
  process.exit()
})
