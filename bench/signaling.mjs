#!/usr/bin/env node
// signaling.mjs [FIGURE...] [--sockets 19000] [--seconds 20] [--rates 250,500,1000,1500] [--profile FOLDER] [--server
// FILE]: runs a server on one core and a swarm of clients on another: memory of idle sockets, pairings per second, a
// storm of returning owners. --profile saves a CPU profile; --server selects another build.
import { execFileSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { Failure, runMain } from '../scripts/lib/failure.mjs'
import * as figures from './signaling/figures.mjs'
import { leaveCore, raiseOpenFiles } from './signaling/server-process.mjs'

function readOptions() {
  const { values, positionals } = parseArgs({
    options: {
      sockets: { type: 'string', default: '19000' },
      seconds: { type: 'string', default: '20' },
      rates: { type: 'string', default: '250,500,1000,1500' },
      profile: { type: 'string' },
      server: { type: 'string' },
    },
    allowPositionals: true,
  })
  const unknown = positionals.find((name) => !Object.hasOwn(figures, name))
  if (unknown) throw new Failure(`"${unknown}" is not one of ${Object.keys(figures).join(', ')}.`)
  const { profile, server, rates, ...numbers } = values
  const options = { profile, server, rates: rates.split(',').map(Number) }
  for (const [name, text] of Object.entries(numbers)) options[name] = Number(text)
  return { names: positionals.length > 0 ? positionals : Object.keys(figures), options }
}

const openFiles = () =>
  Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()) || Infinity

function print(name, rows) {
  console.log(`\n${name}; load ${loadavg()[0].toFixed(1)}`)
  const columns = ['what', 'value', 'unit', 'p50', 'p99', 'most', 'cpu', 'note']
  const heads = {
    value: '',
    what: '',
    unit: '',
    p50: 'p50 ms',
    p99: 'p99 ms',
    most: 'max ms',
    cpu: 'core %',
  }
  const cell = (row, column) => String(row[column] ?? '')
  const widths = columns.map((column) =>
    Math.max((heads[column] ?? '').length, ...rows.map((row) => cell(row, column).length)),
  )
  for (const row of [heads, ...rows])
    console.log(
      columns
        .map((column, at) => cell(row, column).padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    )
}

runMain(async () => {
  if (process.platform !== 'linux') throw new Failure('This measurement needs Linux.')
  const { names, options } = readOptions()
  raiseOpenFiles()
  const room = openFiles() - 100
  if (options.sockets > room) {
    console.log(
      `A process can open only ${room} sockets here (ulimit -n), so --sockets is reduced to that.`,
    )
    options.sockets = room
  }
  leaveCore()
  console.log(`${cpus().length} x ${cpus()[0].model}, Node ${process.version}`)
  for (const name of names) print(name, await figures[name](options))
  process.exit()
})
