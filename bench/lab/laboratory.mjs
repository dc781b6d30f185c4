#!/usr/bin/env node
// laboratory.mjs SCENARIO [options]: sends files with several tools in turn over the same path and shows which part of
// the physical limit each reached. `npm run bench -- SCENARIO` first builds the programs under test. Linux, root.
import { Failure, runMain } from '../../scripts/lib/failure.mjs'
import { GiB } from '../lib/trees.mjs'
import { FileDisk } from '../lib/world.mjs'
import { circumstances } from './host.mjs'
import { readOptions } from './options.mjs'
import { measureRaw, rawKinds } from './raw-limit.mjs'
import { resultFormat } from './results.mjs'
import { measureAlone, runEach } from './session.mjs'
import { installedOf, setUp, tardyPart, versionOf } from './setup.mjs'
import { writeSource } from './source.mjs'
import { isInstalled, tools } from './tools/tools.mjs'
import { trial } from './trial.mjs'

const rawBytes = 4 * GiB

/** GiB of a disk with room for this number of bytes. */
const diskSize = (bytes) => Math.ceil(bytes / GiB) + 2

async function measureRaws(result, context) {
  for (const kind of rawKinds) {
    const mbit = await measureRaw(kind, context)
    result.raw[kind].push(mbit)
    console.log(`  raw ${kind.padEnd(6)} ${mbit.toFixed(0)} Mbit/s`)
  }
}

/** The chosen tools that can send these files over this path. */
function usableTools({ tools: names, files, nat }) {
  const isTranslated = Object.keys(nat).length > 0
  return (
    names
      .map((name) => tools.find((tool) => tool.name === name))
      .filter(({ takesTrees = true }) => takesTrees || files === 1)
      // Computers behind a NAT can't be reached by address.
      .filter(({ code, needsAddress }) => !isTranslated || (code && !needsAddress))
  )
}

async function measure(options) {
  const total = options.files * options.bytes
  const { present, missing } = installedOf(usableTools(options).map((tool) => ({ tool })))
  const { memory, network, places } = await setUp(options, total)
  const source = writeSource(memory, options)
  const result = {
    format: resultFormat,
    ...{ scenario: options.name, isChanged: options.isChanged },
    ...{ what: options.what, files: options.files, total, path: options.path, nat: options.nat },
    isOnDisk: options.isOnDisk,
    ...circumstances(options.tcp),
    raw: Object.fromEntries(rawKinds.map((kind) => [kind, []])),
    tools: present.map(({ tool }) => {
      const { name, about } = tool
      return { name, about, version: versionOf(tool), runs: [] }
    }),
    missing,
  }
  const address = network.address('receiver')
  const raw = { ...places, address, path: options.path, bytes: rawBytes }
  const disk = options.isOnDisk
    ? new FileDisk('disk', diskSize(total), { isDirect: true })
    : undefined
  const context = { network, places, source, total, seconds: options.seconds, memory, disk }
  for (let round = 1; round <= options.runs; round += 1) {
    console.log(`round ${round} of ${options.runs}`)
    if (Object.keys(options.nat).length === 0) await measureRaws(result, raw)
    await runEach(result.tools, (index) => trial(present[index].tool, context))
  }
  result.tardy = await tardyPart(network)
  return result
}

runMain(async () => {
  const options = readOptions(process.argv.slice(2), tools)
  if (Object.keys(options.nat).length > 0 && !isInstalled({ needs: ['nft'] }))
    throw new Failure('A NAT needs nft: apt-get install nftables.')
  await measureAlone(() => measure(options))
})
