// The common setup of the laboratory's measurements: network, places, and facts about the computer and the tools.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from '../../scripts/lib/run.mjs'
import { writeFile } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'
import { makeNetwork } from './network.mjs'
import { places as placeNames } from './path.mjs'
import { Place } from './processes.mjs'
import { isInstalled } from './tools/tools.mjs'

/** Uses memory once: in a virtual machine its first use is slower. */
function touchMemory(memory, bytes) {
  const path = join(memory, 'touched')
  writeFile(path, bytes)
  rmSync(path)
}

/** Creates a disk in memory, `touched` bytes of which have been used before, and a network with its places. */
export async function setUp(options, touched) {
  const memory = new MemoryDisk('memory').path
  touchMemory(memory, touched)
  const network = await makeNetwork(options)
  const places = Object.fromEntries(
    placeNames.map((name) => [name, new Place(name, network.prefix(name))]),
  )
  return { memory, network, places }
}

/** Splits `wanted` by whether each `tool` is installed, and prints how to install missing ones. */
export function installedOf(wanted) {
  const present = wanted.filter(({ tool }) => isInstalled(tool))
  const missing = wanted.filter((each) => !present.includes(each)).map(({ tool }) => tool)
  for (const { name, install } of missing)
    console.log(`${name} is not installed and will be skipped. To install it: ${install}`)
  return { present, missing: missing.map(({ name }) => name) }
}

/** Extracts the version number from a tool's output on either stream. */
export function versionOf({ version }) {
  const said = version && capture('sh', ['-c', '"$@" 2>&1', 'sh', ...version])
  return /\d+\.\d+[\w.]*/.exec(said ?? '')?.[0]
}

/** The fraction of packets that the network's emulator, if any, delivered too late. */
export async function tardyPart({ emulator }) {
  if (!emulator) return undefined
  const { packets, tardy } = await emulator.punctuality()
  return tardy / packets
}
