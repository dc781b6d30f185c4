#!/usr/bin/env node
// growth.mjs GROWTH [options]: measures the same transfer while one number grows, such as the size of a file or the round
// trip, and draws time and memory over it. `npm run bench -- GROWTH` builds what it measures before. Linux, root.
import { readFileSync } from 'node:fs'
import { runMain } from '../../../scripts/lib/failure.mjs'
import { GiB, MiB } from '../../lib/trees.mjs'
import { circumstances } from '../host.mjs'
import { readGrowthOptions } from '../options.mjs'
import { measureRaw } from '../raw-limit.mjs'
import { measureAlone, runEach } from '../session.mjs'
import { installedOf, setUp, tardyPart, versionOf } from '../setup.mjs'
import { memoryOf, writeSource } from '../source.mjs'
import { isOurs } from '../summary.mjs'
import { tools } from '../tools/tools.mjs'
import { trial } from '../trial.mjs'
import { axes, growths } from './growths.mjs'
import { growthFormat } from './page.mjs'

/** What a receiver takes beside the files; much of its memory is shared with the others. */
const receiverBytes = 100 * MiB
/** Of the memory that is free, what a measurement may take. */
const memoryPart = 0.85
const mostTouched = 4 * GiB

const freeMemory = () =>
  Number(/^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))[1]) * 1024

/** What is sent at a point of a line. */
const sentAt = (x, { axis, files, bytes }, line) => ({
  files: axis === 'files' ? x : files,
  bytes: axis === 'size' ? x : (line.bytes ?? bytes),
  source: line.source,
})

const receiversAt = (x, { axis }) => (axis === 'receivers' ? x : 1)

/** Memory that a trial takes, both copies of the files included. */
function neededAt(x, growth, { line, tool }) {
  const copies = tool.keepsNothing ? 1 : 2
  return memoryOf(sentAt(x, growth, line)) * copies + receiversAt(x, growth) * receiverBytes
}

/** The lines that reach a point: those that fit into memory there, and the names of the others. */
function linesAt(x, growth, lines) {
  const reaching = lines.filter(
    ({ line: { least = 0, most = Infinity } }) => x >= least && x <= most,
  )
  const most = freeMemory() * memoryPart
  const present = reaching.filter((each) => neededAt(x, growth, each) <= most)
  const leftOut = reaching.filter((each) => !present.includes(each)).map(({ line }) => line.name)
  for (const name of leftOut) console.log(`  ${name} is left out: memory is too short for it`)
  return { present, leftOut }
}

/** Writes what the lines send at a point, the same only once; the source of each line. */
function writeSources(memory, x, growth, lines) {
  const written = new Map()
  return lines.map(({ line }) => {
    const sent = sentAt(x, growth, line)
    const key = JSON.stringify(sent)
    const source = written.get(key) ?? writeSource(memory, sent, `source${written.size}`)
    written.set(key, source)
    return source
  })
}

async function measurePoint(x, growth, lines, { memory, network, places }) {
  const path = growth.pathAt(x)
  if (path) network.change(path)
  const { present, leftOut } = linesAt(x, growth, lines)
  const sources = writeSources(memory, x, growth, present)
  const point = {
    ...{ x, path, leftOut, raw: { tcp: [], udp: [] } },
    tools: present.map(({ line }) => {
      const { files, bytes } = sentAt(x, growth, line)
      return { name: line.name, total: files * bytes, runs: [] }
    }),
  }
  // It says whether the computer was free; the limit is known.
  if (path) {
    const raw = { ...places, address: network.address('receiver'), path }
    point.raw.udp.push(await measureRaw('udp', raw))
  }
  const common = { network, places, memory, seconds: growth.seconds }
  const rounds = x >= growth.once ? 1 : growth.runs
  for (let round = 1; round <= rounds; round += 1) {
    await runEach(point.tools, (index, { total }) => {
      const sent = { source: sources[index].path, total, receivers: receiversAt(x, growth) }
      return trial(present[index].tool, { ...common, ...sent })
    })
  }
  for (const source of new Set(sources)) source.remove()
  return point
}

async function measure(growth) {
  const wanted = growth.lines.map((line) => ({
    line,
    tool: tools.find(({ name }) => name === (line.tool ?? line.name)),
  }))
  const { present, missing } = installedOf(wanted)
  const { name, isChanged, what, axis, shows, each, points, pathAt, seed, tcp } = growth
  const needed = points.flatMap((x) => present.map((one) => neededAt(x, growth, one)))
  const touched = Math.min(mostTouched, Math.max(0, ...needed), freeMemory() * memoryPart)
  const receivers = Math.max(...points.map((x) => receiversAt(x, growth)))
  const lab = await setUp({ path: pathAt(points[0]), receivers, seed, tcp }, touched)
  const result = {
    format: growthFormat,
    ...{ scenario: name, isChanged, what, axis, shows, each },
    ...circumstances(tcp),
    lines: present.map(({ line, tool }) => ({
      name: line.name,
      about: line.about ? `${line.about}; ${tool.about}` : tool.about,
      isOurs: isOurs(tool.name),
      version: versionOf(tool),
    })),
    missing,
    points: [],
  }
  for (const x of points) {
    console.log(`${axes[axis].title} ${axes[axis].words(x)}`)
    result.points.push(await measurePoint(x, growth, present, lab))
  }
  result.tardy = await tardyPart(lab.network)
  return result
}

runMain(async () => {
  const growth = readGrowthOptions(process.argv.slice(2), growths)
  await measureAlone(() => measure(growth))
})
