// The tools to compare. An adapter has the tool's `name`, `about` and `version`, the programs that it `needs`, and how
// to `install` them. Its functions receive a `lab`: `prepare` writes configuration into `lab.work`. `daemons` run first
// and are ready when they print `ready` or listen on `port`. `send` and `receive` are the commands of the two sides; a
// tool that pushes or pulls needs only one. `code` matches the code in the sender's output. An
// `isOptional` tool runs only if named; `takesTrees: false` means single files only; `needsAddress` rules out a NAT
// between the sides; `ignored` are patterns of the tool's own files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { crocTool, wormhole } from './codes.mjs'
import { dd } from './dd.mjs'
import { axel, wget } from './http.mjs'
import { rsync, scp } from './ssh.mjs'
import { tar } from './tar.mjs'
import { thru, thruRelayed, thruRelayedTcp, thruRelayedTcpWide, thruRelayedWide } from './thru.mjs'
import { uftp } from './uftp.mjs'

export const tools = [
  thru,
  thruRelayed,
  thruRelayedTcp,
  thruRelayedTcpWide,
  thruRelayedWide,
  crocTool,
  wormhole,
  scp,
  rsync,
  wget,
  axel,
  uftp,
  tar,
  dd,
]

const folders = () => [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']

export const isInstalled = ({ needs }) =>
  needs.every((program) => folders().some((folder) => existsSync(join(folder, program))))
