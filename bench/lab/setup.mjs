// What every measurement of the laboratory begins with: its network, its places, and what is known of the computer and of
// the tools.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from '../../scripts/lib/run.mjs'
import { writeFile } from '../lib/trees.mjs'
import { MemoryDisk } from '../lib/world.mjs'
import { makeNetwork } from './network.mjs'
import { places as placeNames } from './path.mjs'
import { Place } from './processes.mjs'
import { isInstalled } from './tools/tools.mjs'

/** Memory that a virtual machine has not touched yet costs more on its first use. */
function touchMemory(memory, bytes) {
  const path = join(memory, 'touched')
  writeFile(path, bytes)
  rmSync(path)
}

/** A disk in memory of which `touched` bytes were used before, and a network with its places. */
export async function setUp(options, touched) {
  const memory = new MemoryDisk('memory').path
  touchMemory(memory, touched)
  const network = await makeNetwork(options)
  const places = Object.fromEntries(
    placeNames.map((name) => [name, new Place(name, network.prefix(name))]),
  )
  return { memory, network, places }
}

/** Those of `wanted`, each with its `tool`, whose tool is installed; the others are named. */
export function installedOf(wanted) {
  const present = wanted.filter(({ tool }) => isInstalled(tool))
  const missing = wanted.filter((each) => !present.includes(each)).map(({ tool }) => tool)
  for (const { name, install } of missing)
    console.log(`${name} is not installed and left out: ${install}`)
  return { present, missing: missing.map(({ name }) => name) }
}

/** The number in what a tool says of its version, on whichever stream. */
export function versionOf({ version }) {
  const said = version && capture('sh', ['-c', '"$@" 2>&1', 'sh', ...version])
  return /\d+\.\d+[\w.]*/.exec(said ?? '')?.[0]
}

/** The part of its packets that the emulator of a network delivered too late, if it has one. */
export async function tardyPart({ emulator }) {
  if (!emulator) return undefined
  const { packets, tardy } = await emulator.punctuality()
  return tardy / packets
}
